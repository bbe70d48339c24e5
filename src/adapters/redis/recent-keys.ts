/**
 * The last keys that were asked for, in one flat ring: what a filter that was away, or lost what
 * it knew, is told again first.
 *
 * A key is asked for a moment before the store has it: a rebuild that reads the store could miss
 * it. And a key whose ask failed was never added. Both are in here; only when more keys than the
 * ring holds failed must the whole filter be rebuilt.
 */
import { URL_KEY_BYTES } from '../../record/index.ts';
import { arcOf } from './seen-plan.ts';

export class RecentKeys {
  readonly #bytes: Buffer;
  readonly #max: number;
  /** Keys ever added: the place of the next one. */
  #end = 0;

  constructor(max: number) {
    this.#max = max;
    this.#bytes = Buffer.alloc(max * URL_KEY_BYTES);
  }

  get end(): number {
    return this.#end;
  }

  /** The place of the oldest key that is still here. */
  get start(): number {
    return Math.max(0, this.#end - this.#max);
  }

  add(key: Uint8Array): void {
    this.#bytes.set(key, (this.#end % this.#max) * URL_KEY_BYTES);
    this.#end++;
  }

  /** Copies of an arc's keys from a place on, up to another. */
  of(arc: number, from: number, to: number): Buffer[] {
    const keys: Buffer[] = [];
    for (let place = Math.max(from, this.start); place < to; place++) {
      const at = (place % this.#max) * URL_KEY_BYTES;
      const key = this.#bytes.subarray(at, at + URL_KEY_BYTES);
      if (arcOf(key) === arc) keys.push(Buffer.from(key));
    }
    return keys;
  }
}
