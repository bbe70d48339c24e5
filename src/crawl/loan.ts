/**
 * A loan: one request of a visit, made by a fetcher somewhere else (F4, A2). To the visit it is
 * the line to the web, as any other, so robots, turns, address rules and all that becomes of an
 * answer are decided by the one who owns the host.
 *
 *   visit ─ exchange() ─▶ offered ─▶ the fetcher asks ─▶ answer() ─▶ the visit goes on
 *                            ├─ withdraw(): it came too late for whoever wanted it
 *                            └─ lapses at `until`; broken off: nobody can call a fetcher back, so
 *                               the host rests as if it had been asked at the last moment (P5)
 */
import type { Instant } from '../base/instant.ts';
import type { Outcome } from '../fetch/index.ts';
import { type Lease, type Politeness, restHost } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Http, HttpRequest } from '../ports/http.ts';

export interface LoanTerms {
  readonly id: string;
  readonly fetcher: string;
  readonly lease: Lease;
  readonly from: Instant;
  /** What is not answered by then is lost. */
  readonly until: Instant;
}

export class Loan implements Http {
  readonly terms: LoanTerms;
  readonly #clock: Clock;
  readonly #policy: Politeness;
  #offer: (request: HttpRequest | undefined) => void = () => undefined;
  #resolve: ((outcome: Outcome) => void) | undefined;
  #isWithdrawn = false;
  /** Nobody answered in time. */
  hasLapsed = false;
  request: HttpRequest | undefined;
  /** What is to be asked; undefined when the visit ended without a question. */
  readonly offered: Promise<HttpRequest | undefined>;

  constructor(terms: LoanTerms, clock: Clock, policy: Politeness) {
    this.terms = terms;
    this.#clock = clock;
    this.#policy = policy;
    this.offered = new Promise((resolve) => {
      this.#offer = resolve;
    });
  }

  /** Is an answer waited for? */
  get isOut(): boolean {
    return this.#resolve !== undefined && this.#clock.now() < this.terms.until;
  }

  get endsBy(): Instant {
    return this.terms.until;
  }

  exchange(request: HttpRequest, signal?: AbortSignal): Promise<Outcome> {
    if (this.#isWithdrawn || signal?.aborted) return Promise.resolve(this.#aborted());
    return new Promise((resolve) => {
      const over = new AbortController();
      const breakOff = () => {
        restHost(this.terms.lease.host, this.terms.until, this.#policy);
        this.#end(this.#aborted());
      };
      this.#resolve = (outcome) => {
        over.abort(null);
        signal?.removeEventListener('abort', breakOff);
        resolve(outcome);
      };
      signal?.addEventListener('abort', breakOff);
      void this.#clock.sleepUntil(this.terms.until, over.signal).then(() => this.#lapse());
      this.request = request;
      this.#offer(request);
    });
  }

  answer(outcome: Outcome): void {
    this.#end(outcome);
  }

  /** Gives it back unasked. */
  giveBack(): void {
    this.#end(this.#aborted());
  }

  /** The visit is over, or nobody waits for its question any more. */
  withdraw(): void {
    this.#isWithdrawn = true;
    this.#offer(undefined);
  }

  async close(): Promise<void> {}

  #lapse(): void {
    if (this.#resolve !== undefined) this.hasLapsed = true;
    this.#end(this.#aborted());
  }

  #end(outcome: Outcome): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(outcome);
  }

  #aborted(): Outcome {
    const now = this.#clock.now();
    const detail = `lent to ${this.terms.fetcher}, without an answer`;
    return { kind: 'failed', reason: 'aborted', detail, startedAt: now, endedAt: now };
  }
}
