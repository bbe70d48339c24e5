/**
 * Who is skipped by nobody? A tree over all places: each pair of neighbours in a list adds one to
 * everything between them, and the members whose sum is zero are the principals.
 *
 * Adding to a stretch and counting the zeros take O(log n); nothing is ever negative, so the zeros
 * are the smallest, and each branch only knows its smallest sum and how many have it.
 */
/** The sum of a stretch without members: larger than any other. */
const NOBODY = 0x3fffffff;

export class SkipTree {
  readonly #size: number;
  readonly #leaves: number;
  readonly #add: Int32Array;
  readonly #least: Int32Array;
  readonly #count: Int32Array;

  constructor(size: number) {
    this.#size = size;
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(2, size)));
    this.#add = new Int32Array(2 * this.#leaves);
    this.#least = new Int32Array(2 * this.#leaves).fill(NOBODY);
    this.#count = new Int32Array(2 * this.#leaves);
  }

  get principals(): number {
    return this.#least[1] === 0 ? (this.#count[1] as number) : 0;
  }

  /** A member comes or goes. */
  live(rank: number, isLive: boolean): void {
    const leaf = this.#leaves + rank;
    this.#count[leaf] = isLive ? 1 : 0;
    this.#least[leaf] = isLive ? (this.#add[leaf] as number) : NOBODY;
    this.#up(leaf >> 1);
  }

  /** All ranks strictly between two neighbours, clockwise. */
  add(from: number, to: number, by: 1 | -1): void {
    if (from < to) this.#stretch(from + 1, to - 1, by);
    else {
      this.#stretch(from + 1, this.#size - 1, by);
      this.#stretch(0, to - 1, by);
    }
  }

  #stretch(first: number, last: number, by: number): void {
    if (first > last) return;
    let low = this.#leaves + first;
    let high = this.#leaves + last;
    const [left, right] = [low >> 1, high >> 1];
    while (low <= high) {
      if ((low & 1) === 1) this.#bump(low++, by);
      if ((high & 1) === 0) this.#bump(high--, by);
      low >>= 1;
      high >>= 1;
    }
    this.#up(left);
    this.#up(right);
  }

  #bump(node: number, by: number): void {
    this.#add[node] = (this.#add[node] as number) + by;
    if (this.#count[node] !== 0) this.#least[node] = (this.#least[node] as number) + by;
  }

  #up(from: number): void {
    for (let node = from; node >= 1; node >>= 1) {
      const [a, b] = [2 * node, 2 * node + 1];
      const [leastA, leastB] = [this.#least[a] as number, this.#least[b] as number];
      const least = Math.min(leastA, leastB);
      this.#count[node] =
        (leastA === least ? (this.#count[a] as number) : 0) +
        (leastB === least ? (this.#count[b] as number) : 0);
      this.#least[node] = least === NOBODY ? NOBODY : least + (this.#add[node] as number);
    }
  }
}
