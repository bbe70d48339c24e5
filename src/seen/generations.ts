/**
 * Filters in generations (S3): when one holds the keys that it was made for, the next opens,
 * twice as large and twice as strict, and all are asked; so the sum of their rates stays below
 * twice the first one's, which is why the first is made with half the target.
 */
import { Bloom, bloomSize } from './bloom.ts';

/** Where the url hash starts in a url key. */
const HASH_AT = 8;

interface Generation {
  readonly bloom: Bloom;
  readonly capacity: number;
}

export class Generations {
  readonly #target: number;
  readonly #generations: Generation[] = [];

  constructor(expectedKeys: number, falsePositiveRate: number) {
    this.#target = falsePositiveRate;
    this.#open(expectedKeys);
  }

  get keys(): number {
    return this.#generations.reduce((sum, g) => sum + g.bloom.added, 0);
  }

  get count(): number {
    return this.#generations.length;
  }

  get bytes(): number {
    return this.#generations.reduce((sum, g) => sum + g.bloom.words.byteLength, 0);
  }

  get blooms(): readonly Bloom[] {
    return this.#generations.map((g) => g.bloom);
  }

  /** Adds a url key; true when it may have been there before. */
  checkAndAdd(key: Uint8Array): boolean {
    const last = this.#generations.length - 1;
    for (let i = 0; i < last; i++) {
      if (this.#generations[i]?.bloom.has(key, HASH_AT)) return true;
    }
    const newest = this.#generations[last] as Generation;
    const isThere = newest.bloom.checkAndAdd(key, HASH_AT);
    if (newest.bloom.added >= newest.capacity) this.#open(newest.capacity * 2);
    return isThere;
  }

  falsePositiveRate(): number {
    return 1 - this.#generations.reduce((pass, g) => pass * (1 - g.bloom.falsePositiveRate()), 1);
  }

  #open(capacity: number): void {
    const rate = this.#target / 2 ** (this.#generations.length + 1);
    this.#generations.push({ bloom: new Bloom(bloomSize(capacity, rate)), capacity });
  }
}
