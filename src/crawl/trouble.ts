/**
 * An engine of the cluster is away (K5): nothing is leased, what was fetched is kept, and it is
 * tried again, at growing waits, until it works. Nobody is told more than twice: when it begins
 * and when it is over. A crawl on one machine has none of this: there it ends with the error.
 */
import { CrawlError, type ErrorCode } from '../base/errors.ts';
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';

const FIRST_WAIT_MS = SECOND_MS / 2;
const WAIT_MS_MAX = 30 * SECOND_MS;
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['E_STORE_DOWN', 'E_BROKER_DOWN']);

export interface TroubleHooks {
  /** Told when something that a node needs fails: once for each outage. */
  readonly onTrouble?: (error: unknown) => void;
  /** Told when it works again. */
  readonly onRecovered?: () => void;
}

export class Trouble {
  readonly #clock: Clock;
  readonly #hooks: TroubleHooks;
  readonly #closed = new AbortController();
  #isOn = false;
  #waitMs = 0;
  /** Nothing is tried again before. */
  until: Instant = 0;

  constructor(clock: Clock, hooks: TroubleHooks) {
    this.#clock = clock;
    this.#hooks = hooks;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Is it an engine that does not answer, and not a fault that stays? */
  covers(error: unknown): boolean {
    return error instanceof CrawlError && OUTAGES.has(error.code);
  }

  /** Answers whether it is worth to try it again. */
  met(error: unknown): boolean {
    if (!this.covers(error)) return false;
    if (!this.#isOn) this.#hooks.onTrouble?.(error);
    const now = this.#clock.now();
    // Several that fail at the same time are one failure.
    if (!this.#isOn || now >= this.until) {
      this.#waitMs = this.#isOn ? Math.min(WAIT_MS_MAX, 2 * this.#waitMs) : FIRST_WAIT_MS;
      this.until = now + this.#waitMs;
    }
    this.#isOn = true;
    return !this.#closed.signal.aborted;
  }

  passed(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.until = 0;
    this.#hooks.onRecovered?.();
  }

  wait(): Promise<void> {
    return this.#clock.sleepUntil(this.until, this.#closed.signal);
  }

  /** Nothing is tried again: what is kept goes back to the queue. */
  close(): void {
    this.#closed.abort();
  }
}
