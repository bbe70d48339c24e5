/**
 * URLs mentioned a moment ago: most links on a page are repeats of the last pages' links, and
 * one lookup in a map settles them before anything is hashed.
 *
 * Two generations of a map: when the young one is full it becomes the old one, and what is
 * met again moves up. Exact, bounded, and nothing is ever scanned.
 */
export class Recent {
  readonly #max: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(max: number) {
    this.#max = Math.ceil(max / 2);
  }

  has(url: string): boolean {
    if (this.#young.has(url)) return true;
    if (!this.#old.has(url)) return false;
    this.add(url);
    return true;
  }

  add(url: string): void {
    if (this.#young.size >= this.#max) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(url);
  }
}
