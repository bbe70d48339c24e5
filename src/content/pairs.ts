/**
 * A second fingerprint, of pairs of neighbouring words: do two texts that speak alike say the
 * same, too?
 *
 * Each pair falls into one of 64 bins by its hash; a bin keeps one bit of its smallest pair
 * (MinHash of one bit, in one pass). Where a share of all pairs is not common to both texts,
 * half of that share of the bins differ: 2 or 3 bits after an edit of 3% of the words, 20 and
 * more between pages that only share a vocabulary. Too coarse to search by, sharp enough to
 * confirm what was found.
 */
const BINS = 64;
const EMPTY = 0xffffffff;

/** Differing bits up to which what was found is believed. */
export const PAIR_BITS_MAX = 8;

export class PairSketch {
  readonly #smallest = new Uint32Array(BINS);
  #before = 0;

  clear(): void {
    this.#smallest.fill(EMPTY);
    this.#before = 0;
  }

  /** Adds the words behind those that were added before. */
  addWords(words: Int32Array, length: number): void {
    const smallest = this.#smallest;
    let before = this.#before;
    for (let i = 0; i < length; i++) {
      const word = words[i] as number;
      let pair = Math.imul(before ^ (before >>> 15), 0x2c1b3c6d) ^ word;
      before = word;
      pair = Math.imul(pair ^ (pair >>> 16), 0x85ebca6b);
      pair = Math.imul(pair ^ (pair >>> 13), 0xc2b2ae35);
      pair = (pair ^ (pair >>> 16)) >>> 0;
      const rest = (pair << 6) >>> 0;
      if (rest < (smallest[pair >>> 26] as number)) smallest[pair >>> 26] = rest;
    }
    this.#before = before;
  }

  bits(): bigint {
    let low = 0;
    let high = 0;
    for (let bin = 0; bin < 32; bin++) {
      if (bitOf(this.#smallest[bin] as number)) low |= 1 << bin;
      if (bitOf(this.#smallest[bin + 32] as number)) high |= 1 << bin;
    }
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }
}

/** Of a bin that is empty: none. */
function bitOf(smallest: number): boolean {
  return smallest !== EMPTY && ((smallest >>> 6) & 1) === 1;
}
