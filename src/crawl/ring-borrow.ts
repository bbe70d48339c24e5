/**
 * A node of a ring with hands to spare borrows requests of those whose arcs it keeps copies of (D6).
 *
 *   every second: whose replica is it? ─▶ one RingLender for each ─▶ one Fetcher asks them all
 *
 * It begins no more than its own worker leaves free, and owns nothing of what it borrows: like any
 * fetcher it may die, be stopped or be cut off at any time (fetcher.ts).
 */
import { SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Http } from '../ports/http.ts';
import type { RingSeats } from '../ports/ring-seats.ts';
import { Fetcher, leaseSecondsFor } from './fetcher.ts';
import { type LenderParts, RingLender } from './ring-lender.ts';
import type { Worker } from './worker.ts';

const LOOK_MS = SECOND_MS;
/** What is given back at the end is waited for so long. */
const STOP_MS_MAX = 2 * SECOND_MS;

export interface BorrowParts extends LenderParts {
  readonly clock: Clock;
  readonly http: Http;
  readonly seats: RingSeats;
  readonly worker: Pick<Worker, 'room'>;
  readonly concurrency: number;
}

export class RingBorrowing {
  readonly #parts: BorrowParts;
  readonly #fetcher: Fetcher;
  readonly #over = new AbortController();
  readonly #served = new Map<string, AbortController>();
  readonly #serving = new Set<Promise<void>>();

  /** Begins at once. */
  constructor(parts: BorrowParts) {
    const { clock, http, worker, concurrency, limits } = parts;
    this.#parts = parts;
    this.#fetcher = new Fetcher(
      { clock, http },
      {
        ...{ concurrency, leaseSeconds: leaseSecondsFor(limits.wholeMs) },
        room: () => worker.room - this.#fetcher.open,
      },
    );
    if (concurrency > 0) void this.#follow();
  }

  /** Gives back what is under way. */
  async stop(): Promise<void> {
    const { clock } = this.#parts;
    this.#over.abort();
    this.#fetcher.abort();
    const isLate = clock.sleepUntil(clock.now() + STOP_MS_MAX);
    await Promise.race([Promise.all(this.#serving), isLate]);
  }

  async #follow(): Promise<void> {
    const { clock } = this.#parts;
    while (!this.#over.signal.aborted) {
      this.#look();
      await clock.sleepUntil(clock.now() + LOOK_MS, this.#over.signal);
    }
  }

  #look(): void {
    const owners = new Map(
      this.#parts.seats.owners().map((peer) => [`${peer.id} ${peer.at}`, peer]),
    );
    for (const [name, over] of this.#served) {
      if (owners.has(name)) continue;
      over.abort();
      this.#served.delete(name);
    }
    for (const [name, owner] of owners) {
      if (this.#served.has(name)) continue;
      const over = new AbortController();
      this.#served.set(name, over);
      const lender = new RingLender(owner, this.#parts);
      const serving = this.#fetcher
        .serve(lender, over.signal)
        .finally(() => this.#serving.delete(serving));
      this.#serving.add(serving);
    }
  }
}
