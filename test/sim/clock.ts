/**
 * Virtual time: when everybody sleeps, it is at once the instant of whoever wakes first.
 *
 *   sleepUntil(t) ─→ heap ─→ nothing runs any more ─→ now = t, wake ─→ …
 *
 * "Nothing runs" is a turn of the event loop without promises left to run: true for a world whose
 * ports are all in memory, and for no other. Sleepers of one instant wake in the order they came.
 */
import type { Instant } from '../../src/base/instant.ts';
import type { Clock } from '../../src/ports/clock.ts';

interface Sleeper {
  readonly at: Instant;
  readonly turn: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  #now: Instant;
  #turns = 0;
  #isPumping = false;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start: Instant = Date.UTC(2030, 0, 1)) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  sleepUntil(at: Instant, signal?: AbortSignal): Promise<void> {
    if (at <= this.#now || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at, turn: this.#turns++, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      const first = this.#first();
      if (first === undefined) return;
      this.#now = first.at;
      first.wake();
      this.#pump();
    });
  }

  /** A few hundred sleep at once: looking at all of them is quick enough. */
  #first(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const one of this.#sleepers) {
      if (first === undefined || one.at < first.at) first = one;
      else if (one.at === first.at && one.turn < first.turn) first = one;
    }
    return first;
  }
}
