/**
 * Endings that are written together, and how far they have got. In a cluster a batch outlives the
 * engine that fails it (K5), so no step of it is done twice: a body that is put again would look
 * like that of another page.
 */
import type { Instant } from '../base/instant.ts';
import type { Mention } from '../events/index.ts';
import type { Admission } from '../ports/shard-store.ts';
import { type Copies, NO_COPIES } from './copies.ts';
import type { Ending } from './ending.ts';
import { type Found, NOTHING_FOUND, type Noticed } from './settle-notice.ts';

export interface Waiter {
  ending: Ending;
  /** What it repeats, and whether its body is new: once its body is stored. */
  found?: Found;
  isLearned?: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Batch {
  #waiters: readonly Waiter[];
  readonly #steps = new Map<string, Promise<unknown>>();
  /** Log, filter and other owners know of it. */
  isTold = false;
  /** Which of its pages are copies, once that was asked. */
  copies: Copies = NO_COPIES;
  /** What is left of its links, once the filter was asked. */
  admitted: readonly Admission[] = [];
  /** Links that turned out to be for others to decide upon. */
  strays: readonly Mention[] = [];
  /** How often it was not ours, as a whole. */
  refusals = 0;
  /** When an engine first failed it. */
  failedAt: Instant | undefined;
  /** A commit failed, and nobody knows whether it was written. */
  isUnsure = false;

  constructor(waiters: readonly Waiter[]) {
    this.#waiters = waiters;
  }

  get endings(): readonly Ending[] {
    return this.#waiters.map(({ ending }) => ending);
  }

  /** The same endings, further on. */
  set endings(endings: readonly Ending[]) {
    this.#waiters.forEach((waiter, nth) => {
      waiter.ending = endings[nth] as Ending;
    });
  }

  /** What is known of each ending now, in their order. */
  set found(found: readonly Found[]) {
    this.#waiters.forEach((waiter, nth) => {
      waiter.found = found[nth] as Found;
    });
  }

  /** What follows from what was noticed, once for each ending. */
  learn(from: (noticed: Noticed) => Ending): void {
    for (const waiter of this.#waiters) {
      if (waiter.isLearned) continue;
      const { ending, found = NOTHING_FOUND } = waiter;
      waiter.ending = from({ ending, ...found });
      waiter.isLearned = true;
    }
  }

  get noticed(): readonly Noticed[] {
    return this.#waiters.map(({ ending, found = NOTHING_FOUND }) => ({ ending, ...found }));
  }

  /** Does a step, or answers with what it came to before. */
  once<T>(name: string, step: () => Promise<T>): Promise<T> {
    const before = this.#steps.get(name);
    if (before !== undefined) return before as Promise<T>;
    const now = step();
    this.#steps.set(name, now);
    now.catch(() => this.#steps.delete(name));
    return now;
  }

  /** Leaves endings out: whoever waits for one is done, or told why not. */
  sieve(keep: (ending: Ending) => Ending | Error | undefined): void {
    this.#waiters = this.#waiters.flatMap((waiter) => {
      const kept = keep(waiter.ending);
      if (kept === undefined) waiter.resolve();
      else if (kept instanceof Error) waiter.reject(kept);
      else return [Object.assign(waiter, { ending: kept })];
      return [];
    });
  }

  resolve(): void {
    for (const { resolve } of this.#waiters) resolve();
  }

  reject(error: unknown): void {
    for (const { reject } of this.#waiters) reject(error);
  }
}
