/**
 * One coarse timer for all exchanges in flight.
 *
 * A timer per phase per request costs more than the phases themselves; a look at every
 * exchange 40 times a second costs 5,000 exchanges about 1 ms of CPU a second, and needs no
 * work when a phase ends. A limit is met up to `TICK_MS` late, never early. Abort signals are
 * looked at in the same round, so no listener is added per request.
 */
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Watched {
  /** Its place in the list, kept here so that leaving is one swap. */
  slot: number;
  check(now: Instant): void;
}

export const TICK_MS = 25;

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
