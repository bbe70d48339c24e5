/**
 * URLs mentioned a moment ago: most links on a page are repeats of the last pages' links, and
 * one lookup in a map settles them before anything is hashed.
 *
 * Two generations of a map: when the young one is full it becomes the old one, and what is
 * met again moves up. Exact, bounded, and nothing is ever scanned.
 */
export class Recent {
  readonly #max: number;
  #young: Generation;
  #old: Generation;

  constructor(max: number) {
    this.#max = Math.ceil(max / 2);
    this.#young = new Generation(this.#max);
    this.#old = new Generation(0);
  }

  has(url: string): boolean {
    return this.#young.votesFor(url) > 0 || this.#moveUp(url, 0);
  }

  /** The same, and a vote more for it if it is known, or several. */
  vote(url: string, more = 1): boolean {
    return this.#young.vote(url, more) || this.#moveUp(url, more);
  }

  add(url: string, votes = 1): void {
    if (this.#young.places.size >= this.#max && !this.#young.places.has(url)) {
      this.#old = this.#young;
      this.#young = new Generation(this.#max);
    }
    this.#young.set(url, votes);
  }

  /** The store knows it no more: whoever names it next is the first again. */
  forget(url: string): void {
    this.#young.forget(url);
    this.#old.forget(url);
  }

  /** Nobody knows any more which of them the store knows. */
  clear(): void {
    this.#young = new Generation(this.#max);
    this.#old = new Generation(0);
  }

  votesFor(url: string): number {
    return this.#young.votesFor(url) || this.#old.votesFor(url);
  }

  /** Every URL that was voted for more than once. */
  *voted(): Iterable<string> {
    for (const url of this.#young.voted()) yield url;
    for (const url of this.#old.voted()) if (!this.#young.places.has(url)) yield url;
  }

  #moveUp(url: string, more: number): boolean {
    const votes = this.#old.votesFor(url);
    if (votes === 0) return false;
    this.add(url, votes + more);
    return true;
  }
}

/** URLs, each with its votes (F2): how often it was named by somebody who means it. */
class Generation {
  /** Where the votes for a URL are: counting one more is no write to the map. */
  readonly places = new Map<string, number>();
  readonly #votes: Uint32Array;

  constructor(max: number) {
    this.#votes = new Uint32Array(max);
  }

  set(url: string, votes: number): void {
    const place = this.places.get(url) ?? this.places.size;
    this.places.set(url, place);
    this.#votes[place] = votes;
  }

  vote(url: string, more: number): boolean {
    const place = this.places.get(url);
    if (place === undefined || this.#votes[place] === 0) return false;
    this.#votes[place] = (this.#votes[place] as number) + more;
    return true;
  }

  /** Its place stays taken: another's votes are never at the same one. */
  forget(url: string): void {
    if (this.places.has(url)) this.set(url, 0);
  }

  votesFor(url: string): number {
    const place = this.places.get(url);
    return place === undefined ? 0 : (this.#votes[place] as number);
  }

  *voted(): Iterable<string> {
    for (const [url, place] of this.places) if ((this.#votes[place] as number) > 1) yield url;
  }
}
