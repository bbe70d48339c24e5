/**
 * A fetcher without a frontier (K3, A2): leases requests, makes them, and brings back what came
 * of them. It owns nothing and remembers nothing, so it may die at any time: what it had leased
 * goes back to the queue of its owner (K5).
 *
 *   lender ─ lease ─▶ requests ─▶ ../ports/http ─▶ ack ─▶ lender
 *     ↑                                             └─ not heard: again, while the lease lasts
 *     └── room for more, or a wait
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Outcome } from '../fetch/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Http } from '../ports/http.ts';
import type { Lender, LentBatch, LentRequest } from '../ports/lender.ts';

export interface FetcherHooks {
  /** A lender is away: told once, until it is back. */
  readonly onTrouble?: (lender: Lender, error: unknown) => void;
  readonly onRecovered?: (lender: Lender) => void;
}

export interface FetcherOptions extends FetcherHooks {
  /** Requests under way at one time, for each lender. */
  readonly concurrency: number;
  readonly leaseSeconds: number;
  /** How many more may be begun now, of all lenders together; as many as one likes unless told. */
  readonly room?: () => number;
}

/** A fetcher as its user sees it. */
export interface FetcherSession {
  readonly lenders: readonly string[];
  /** Where it says it is (K4). */
  readonly region: string | undefined;
  /** Until it is told to stop, and what is under way has been brought back. */
  run(): Promise<void>;
  drain(): void;
  abort(): void;
  progress(): { readonly openVisits: number; readonly settled: number; readonly lost: number };
  close(): Promise<void>;
}

/** A lender that does not answer is asked again this soon, then later and later. */
const FIRST_WAIT_MS = SECOND_MS / 4;
const WAIT_MS_MAX = 10 * SECOND_MS;
/** Without room it is looked again this soon, or when something has ended. */
const FULL_MS = SECOND_MS;
/** Of a lease, for the way back of what was found. */
const ACK_SHARE = 0.25;
const LEASE_SECONDS_MIN = 1;
const LEASE_SECONDS_MAX = 300;

/** As long as the longest request may take, and the way back. */
export function leaseSecondsFor(wholeMs: number): number {
  const seconds = Math.ceil(wholeMs / (1 - ACK_SHARE) / SECOND_MS);
  return Math.min(LEASE_SECONDS_MAX, Math.max(LEASE_SECONDS_MIN, seconds));
}

/** What is under way for one lender, and the wait for more. */
interface Desk {
  readonly open: Set<Promise<void>>;
  nap: AbortController | undefined;
}

export class Fetcher {
  readonly #ports: { readonly clock: Clock; readonly http: Http };
  readonly #options: FetcherOptions;
  readonly #stopped = new AbortController();
  readonly #broken = new AbortController();
  /** Answers that were taken, that came too late, and that could not be brought. */
  readonly counts = { settled: 0, lost: 0, failed: 0 };
  /** Requests under way. */
  open = 0;

  constructor(ports: { readonly clock: Clock; readonly http: Http }, options: FetcherOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Until it is told to stop, and what is under way has been brought back. */
  async run(lenders: readonly Lender[]): Promise<void> {
    await Promise.all(lenders.map((lender) => this.serve(lender, this.#stopped.signal)));
  }

  /** Leases nothing more. */
  drain(): void {
    this.#stopped.abort(null);
  }

  /** Breaks off what is under way, too, and gives it back. */
  abort(): void {
    this.drain();
    this.#broken.abort();
  }

  /** The same for one of them, or until that is `over`. */
  async serve(lender: Lender, over: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    const isOver = AbortSignal.any([this.#stopped.signal, over]);
    const desk: Desk = { open: new Set(), nap: undefined };
    isOver.addEventListener('abort', () => desk.nap?.abort(null));
    const { open } = desk;
    let isAway = false;
    for (let waitMs = 0; !isOver.aborted; ) {
      try {
        const room = this.#roomAt(desk);
        const waits = room > 0 ? await this.#leaseSome(lender, room, desk) : FULL_MS;
        if (isAway) this.#options.onRecovered?.(lender);
        isAway = false;
        waitMs = waits;
      } catch (error) {
        if (!isAway) this.#options.onTrouble?.(lender, error);
        waitMs = isAway ? Math.min(WAIT_MS_MAX, 2 * waitMs) : FIRST_WAIT_MS;
        isAway = true;
      }
      if (!isOver.aborted) await this.#pause(clock.now() + waitMs, desk);
    }
    await Promise.all(open);
  }

  #roomAt({ open }: Desk): number {
    const { concurrency, room } = this.#options;
    return Math.min(concurrency - open.size, room?.() ?? concurrency);
  }

  /** Answers how long nothing more will come. */
  async #leaseSome(lender: Lender, room: number, desk: Desk): Promise<number> {
    const from = this.#ports.clock.now();
    const batch: LentBatch = await lender.lease(room, this.#options.leaseSeconds);
    for (const lent of batch.requests) {
      const work = this.#fetch(lender, lent, from + lent.forMs);
      desk.open.add(work);
      this.open++;
      void work.finally(() => {
        desk.open.delete(work);
        this.open--;
        desk.nap?.abort(null);
      });
    }
    return batch.requests.length > 0 ? 0 : batch.waitMs;
  }

  /** Until then, or something that was under way has ended: its host may have a turn soon. */
  async #pause(until: Instant, desk: Desk): Promise<void> {
    desk.nap = new AbortController();
    await this.#ports.clock.sleepUntil(until, desk.nap.signal);
    desk.nap = undefined;
  }

  async #fetch(lender: Lender, lent: LentRequest, until: Instant): Promise<void> {
    const { clock, http } = this.#ports;
    const { url, address, headers, limits, forMs } = lent;
    const sendBy = until - ACK_SHARE * forMs;
    const request = { url, address, headers, limits, wants: () => true };
    const outcome = await http.exchange(
      { ...request, mayStill: () => clock.now() < sendBy },
      this.#broken.signal,
    );
    const end = await this.#bring(lender, lent, this.#told(outcome), until);
    this.counts[end]++;
  }

  /** Only who was told to stop gives a request back: what takes too long here would do so again. */
  #told(outcome: Outcome): Outcome {
    const isOurs = this.#broken.signal.aborted;
    if (outcome.kind !== 'failed' || outcome.reason !== 'aborted' || isOurs) return outcome;
    return { ...outcome, reason: 'whole-timeout', detail: 'slower than its lease lasts' };
  }

  async #bring(
    lender: Lender,
    lent: LentRequest,
    outcome: Outcome,
    until: Instant,
  ): Promise<keyof Fetcher['counts']> {
    const { clock } = this.#ports;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      try {
        return await lender.ack(lent, outcome);
      } catch (error) {
        if (clock.now() + waitMs >= until) {
          this.#options.onTrouble?.(lender, error);
          return 'failed';
        }
      }
      await clock.sleepUntil(clock.now() + waitMs);
    }
  }
}
