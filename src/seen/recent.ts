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

  /** True when the URL was added lately; adds it otherwise. */
  checkAndAdd(url: string): boolean {
    if (this.#young.has(url)) return true;
    const isThere = this.#old.has(url);
    if (this.#young.size >= this.#max) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(url);
    return isThere;
  }
}
