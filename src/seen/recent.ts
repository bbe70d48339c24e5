/**
 * URLs mentioned a moment ago: most links on a page are repeats of the last pages' links, and
 * one lookup in a map settles them before anything is hashed.
 *
 * Two generations of a map: when the young one is full it becomes the old one, and what is
 * met again moves up. Exact, bounded, and nothing is ever scanned.
 */
export class Recent {
  readonly #max: number;
  /** With the votes for each (F2): how often it was named by somebody who means it. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(max: number) {
    this.#max = Math.ceil(max / 2);
  }

  has(url: string): boolean {
    if (this.#young.has(url)) return true;
    const votes = this.#old.get(url);
    if (votes === undefined) return false;
    this.add(url, votes);
    return true;
  }

  /** The same, and a vote more for it if it is known. */
  vote(url: string): boolean {
    const votes = this.#young.get(url) ?? this.#old.get(url);
    if (votes === undefined) return false;
    this.add(url, votes + 1);
    return true;
  }

  add(url: string, votes = 1): void {
    if (this.#young.size >= this.#max && !this.#young.has(url)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(url, votes);
  }

  votesFor(url: string): number {
    return this.#young.get(url) ?? this.#old.get(url) ?? 0;
  }

  /** Every URL that was voted for more than once. */
  *voted(): Iterable<string> {
    for (const [url, votes] of this.#young) if (votes > 1) yield url;
    for (const [url, votes] of this.#old) if (votes > 1 && !this.#young.has(url)) yield url;
  }
}
