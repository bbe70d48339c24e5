/**
 * Filters in generations (S3): when one holds the keys that it was made for, the next opens,
 * twice as large and twice as strict, and all are asked; so the sum of their rates stays below
 * twice the first one's, which is why the first is made with half the target.
 */
import { Bloom } from './bloom.ts';
import { type BloomSize, bloomSize } from './bloom-size.ts';

/** Where the url hash starts in a url key. */
const HASH_AT = 8;

/** A generation as it is kept over a stop. */
export interface GenerationState {
  readonly capacity: number;
  readonly added: number;
  readonly size: BloomSize;
  readonly words: Uint32Array;
}

interface Generation {
  readonly bloom: Bloom;
  readonly capacity: number;
}

export class Generations {
  readonly target: number;
  readonly #generations: Generation[] = [];

  constructor(expectedKeys: number, falsePositiveRate: number) {
    this.target = falsePositiveRate;
    this.#open(Math.max(1, expectedKeys));
  }

  /** What `states()` gave, in the same order; at least one. */
  static restore(falsePositiveRate: number, states: readonly GenerationState[]): Generations {
    const generations = new Generations(1, falsePositiveRate);
    generations.#generations.splice(
      0,
      1,
      ...states.map(({ capacity, added, size, words }) => ({
        capacity,
        bloom: new Bloom(size, words, added),
      })),
    );
    return generations;
  }

  states(): readonly GenerationState[] {
    return this.#generations.map(({ bloom, capacity }) => ({
      capacity,
      added: bloom.added,
      size: bloom.size,
      words: bloom.words,
    }));
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

  /** Adds the url key at `at`; true when it may have been there before. */
  checkAndAdd(key: Uint8Array, at = 0): boolean {
    const last = this.#generations.length - 1;
    for (let i = 0; i < last; i++) {
      if ((this.#generations[i] as Generation).bloom.has(key, at + HASH_AT)) return true;
    }
    const newest = this.#generations[last] as Generation;
    const isThere = newest.bloom.checkAndAdd(key, at + HASH_AT);
    if (newest.bloom.added >= newest.capacity) this.#open(newest.capacity * 2);
    return isThere;
  }

  falsePositiveRate(): number {
    return 1 - this.#generations.reduce((pass, g) => pass * (1 - g.bloom.falsePositiveRate()), 1);
  }

  #open(capacity: number): void {
    const rate = this.target / 2 ** (this.#generations.length + 1);
    this.#generations.push({ bloom: new Bloom(bloomSize(capacity, rate)), capacity });
  }
}
