/**
 * Which halves of fingerprints are kept at all: 66 are asked for each page, and next to none of
 * them is there (near.ts). Bloom filters that each hold eight times as many as the one before,
 * so that a small crawl pays for a small one.
 *
 * Says 'perhaps' wrongly once in a thousand, 'no' never wrongly about what was added. Nothing
 * is taken out: an original that has gone costs a read in vain.
 */
import { Bloom, bloomSize } from '../seen/index.ts';

/** Halves that the first filter is made for: 8 MB. */
const FIRST_HALVES = 1 << 22;
const GROWTH = 8;
const FALSE_POSITIVES = 0.001;
const SALTS = [0x2545f491, 0x6c078965] as const;

/** The upper half of a fingerprint, or the lower. */
export type Side = 0 | 1;

interface Generation {
  readonly bloom: Bloom;
  readonly capacity: number;
}

export class NearFilter {
  readonly #generations: Generation[] = [];
  readonly #key = Buffer.alloc(16);
  readonly #firstHalves: number;

  constructor(firstHalves = FIRST_HALVES) {
    this.#firstHalves = firstHalves;
  }

  get bytes(): number {
    return this.#generations.reduce((sum, g) => sum + g.bloom.words.byteLength, 0);
  }

  add(side: Side, half: number): void {
    this.#spread(side, half);
    const newest = this.#generations.at(-1);
    if (newest !== undefined && newest.bloom.added < newest.capacity) {
      newest.bloom.checkAndAdd(this.#key, 0);
      return;
    }
    const capacity = newest === undefined ? this.#firstHalves : newest.capacity * GROWTH;
    const bloom = new Bloom(bloomSize(capacity, FALSE_POSITIVES));
    this.#generations.push({ bloom, capacity });
    bloom.checkAndAdd(this.#key, 0);
  }

  has(side: Side, half: number): boolean {
    this.#spread(side, half);
    for (const { bloom } of this.#generations) if (bloom.has(this.#key, 0)) return true;
    return false;
  }

  /** The three words that a Bloom filter reads of a key. */
  #spread(side: Side, half: number): void {
    const key = this.#key;
    let word = Math.imul(half ^ SALTS[side], 0x85ebca6b);
    for (let at = 4; at < 16; at += 4) {
      word = Math.imul(word ^ (word >>> 15), 0xc2b2ae35);
      word ^= word >>> 13;
      key[at] = word >>> 24;
      key[at + 1] = word >>> 16;
      key[at + 2] = word >>> 8;
      key[at + 3] = word;
    }
  }
}
