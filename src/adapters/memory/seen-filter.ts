/**
 * The seen filter in this process: generations of Bloom filters, and whether they are complete.
 *
 *   new crawl        empty, and complete: nothing was seen
 *   clean stop       restored from ../folder/filter-snapshot.ts, and complete
 *   crash            empty and incomplete: everything is 'maybe' while keys are still added
 *                    and rebuildFrom() reads the known ones from the store; then complete
 */
import type { SeenFilter, SeenStats } from '../../ports/seen-filter.ts';
import { URL_KEY_BYTES, type UrlKey } from '../../record/index.ts';
import { Generations } from '../../seen/index.ts';

export interface MemoryFilterOptions {
  readonly expectedKeys: number;
  readonly falsePositiveRate: number;
  /** Does it know all keys that the store knows? */
  readonly complete: boolean;
  /** Kept from before a clean stop; then `expectedKeys` is not asked. */
  readonly generations?: Generations | undefined;
}

/** Keys added between two looks at the event loop: below a millisecond. */
const KEYS_PER_SLICE = 4_096;

export function openMemoryFilter(options: MemoryFilterOptions): MemorySeenFilter {
  const { expectedKeys, falsePositiveRate, complete, generations } = options;
  const kept = generations ?? new Generations(expectedKeys, falsePositiveRate);
  return new MemorySeenFilter(kept, complete);
}

export class MemorySeenFilter implements SeenFilter {
  readonly generations: Generations;
  #isComplete: boolean;

  constructor(generations: Generations, isComplete: boolean) {
    this.generations = generations;
    this.#isComplete = isComplete;
  }

  async checkAndAdd(keys: readonly UrlKey[]): Promise<Uint8Array> {
    const answers = new Uint8Array(keys.length);
    for (let i = 0; i < keys.length; i++) {
      const isThere = this.generations.checkAndAdd(keys[i] as UrlKey);
      answers[i] = isThere || !this.#isComplete ? 1 : 0;
    }
    return answers;
  }

  /** Adds flat runs of 24-byte url keys; complete when all are in, and not before. */
  async rebuildFrom(runs: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const run of runs) {
      for (let at = 0; at < run.length; ) {
        const end = Math.min(run.length, at + KEYS_PER_SLICE * URL_KEY_BYTES);
        for (; at < end; at += URL_KEY_BYTES) this.generations.checkAndAdd(run, at);
        await nextTurn();
      }
    }
    this.#isComplete = true;
  }

  stats(): SeenStats {
    return {
      keys: this.generations.keys,
      generations: this.generations.count,
      bytes: this.generations.bytes,
      complete: this.#isComplete,
      falsePositiveRate: this.generations.falsePositiveRate(),
    };
  }

  async close(): Promise<void> {}
}

/** Sockets and timers go first: a promise alone would not let them. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
