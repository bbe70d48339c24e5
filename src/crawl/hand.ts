/**
 * A hand: a process that does one kind of work for nodes elsewhere (K3), such as a parser. It
 * leases pieces, does them, and brings back what came of them. It owns nothing and remembers
 * nothing, so it may die at any time: what it had leased is done by another (K5).
 *
 *   lender ─ lease ─▶ pieces ─▶ work ─▶ outbox ─ bring ─▶ lender
 *     ↑                           │        └─ what is done meanwhile goes together
 *     │                           └─ keep: it is still at it
 *     └── room for more
 */
import { SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { BroughtEnd, Done, Lent, WorkLender } from '../ports/work-lender.ts';

export interface HandHooks {
  /** A lender is away, or refuses: told once, until it is back. */
  readonly onTrouble?: (lender: { readonly name: string }, error: unknown) => void;
  readonly onRecovered?: (lender: { readonly name: string }) => void;
}

export interface HandWork<Job, Made, Lender> {
  /** What fails here is given back. */
  do(lent: Lent<Job>, lender: Lender, signal: AbortSignal): Promise<Made>;
  bytesOf(made: Made): number;
  /** Pieces at one time, for each lender. */
  readonly atOnce: number;
}

/** A hand as its user sees it. */
export interface HandSession {
  readonly lenders: readonly string[];
  /** Until it is told to stop, and what is under way has been brought back. */
  run(): Promise<void>;
  drain(): void;
  abort(): void;
  progress(): { readonly openVisits: number; readonly isDraining: boolean };
  readonly counts: HandCounts;
  /** Of the answer to GET /metrics. */
  readonly metrics: { readonly contentType: string; text(version: string): string };
  close(): Promise<void>;
}

export type HandCounts = Readonly<Record<BroughtEnd | 'failed', number>>;

/** A hand that has died is missed after this; one that lives says so three times meanwhile. */
const LEASE_SECONDS = 6;
const KEEP_MS = (LEASE_SECONDS * SECOND_MS) / 3;
/** A lender that does not answer is asked again this soon, then later and later. */
const FIRST_WAIT_MS = SECOND_MS / 4;
const WAIT_MS_MAX = 10 * SECOND_MS;
/** After so many times what is done is given up: the lender has lent it to another by then. */
const TRIES_MAX = 5;
/** What goes together, at most; a piece that is larger goes alone. */
const BRING_BYTES_MAX = 8 << 20;
const BRING_MAX = 200;

interface Finished<Job, Made> extends Done<Job, Made> {
  readonly over: () => void;
}

/** What is under way for one lender. */
interface Desk<Job, Made, Lender> {
  readonly lender: Lender;
  readonly open: Map<string, Promise<void>>;
  readonly outbox: Finished<Job, Made>[];
  isBringing: boolean;
}

export class Hand<Job, Made, Lender extends WorkLender<Job, Made> = WorkLender<Job, Made>> {
  readonly #clock: Clock;
  readonly #work: HandWork<Job, Made, Lender>;
  readonly #hooks: HandHooks;
  readonly #stopped = new AbortController();
  readonly #ended = new AbortController();
  /** How to break off each piece that is being done. */
  readonly #underWay = new Set<AbortController>();
  #isBroken = false;
  readonly counts = { taken: 0, returned: 0, lost: 0, refused: 0, failed: 0 };
  /** Pieces under way. */
  open = 0;

  constructor(clock: Clock, work: HandWork<Job, Made, Lender>, hooks: HandHooks = {}) {
    this.#clock = clock;
    this.#work = work;
    this.#hooks = hooks;
  }

  get isDraining(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Until it is told to stop, and what is under way has been brought back. */
  async run(lenders: readonly Lender[]): Promise<void> {
    await Promise.all(lenders.map((lender) => this.#serve(lender)));
    this.#ended.abort(null);
  }

  /** Leases nothing more. */
  drain(): void {
    this.#stopped.abort(null);
  }

  /** Gives back what is under way, too. */
  abort(): void {
    this.drain();
    this.#isBroken = true;
    for (const piece of this.#underWay) piece.abort();
  }

  async #serve(lender: Lender): Promise<void> {
    const desk: Desk<Job, Made, Lender> = {
      ...{ lender, open: new Map(), outbox: [], isBringing: false },
    };
    void this.#keepOn(desk);
    let isAway = false;
    for (let waitMs = 0; !this.isDraining; ) {
      try {
        await this.#leaseSome(desk);
        if (isAway) this.#hooks.onRecovered?.(lender);
        isAway = false;
      } catch (error) {
        if (!isAway) this.#hooks.onTrouble?.(lender, error);
        waitMs = isAway ? Math.min(WAIT_MS_MAX, 2 * waitMs) : FIRST_WAIT_MS;
        isAway = true;
        await this.#clock.sleepUntil(this.#clock.now() + waitMs, this.#stopped.signal);
      }
      if (desk.open.size >= this.#work.atOnce) await Promise.race(desk.open.values());
    }
    await Promise.all(desk.open.values());
  }

  async #leaseSome(desk: Desk<Job, Made, Lender>): Promise<void> {
    const room = this.#work.atOnce - desk.open.size;
    for (const lent of await desk.lender.lease(room, LEASE_SECONDS)) {
      this.open++;
      const work = this.#finish(desk, lent).finally(() => {
        desk.open.delete(lent.id);
        this.open--;
      });
      desk.open.set(lent.id, work);
    }
  }

  async #finish(desk: Desk<Job, Made, Lender>, lent: Lent<Job>): Promise<void> {
    const made = await this.#do(desk.lender, lent);
    await new Promise<void>((over) => {
      desk.outbox.push({ ...lent, made, over });
      if (!desk.isBringing) void this.#empty(desk);
    });
  }

  /** Undefined when it is broken off first. */
  async #do(lender: Lender, lent: Lent<Job>): Promise<Made | undefined> {
    const broken = new AbortController();
    if (this.#isBroken) return undefined;
    this.#underWay.add(broken);
    try {
      return await new Promise<Made | undefined>((resolve) => {
        const none = () => resolve(undefined);
        broken.signal.addEventListener('abort', none);
        this.#work.do(lent, lender, broken.signal).then(resolve, none);
      });
    } finally {
      this.#underWay.delete(broken);
    }
  }

  /** One message at a time: what is done while it is on its way goes with the next. */
  async #empty(desk: Desk<Job, Made, Lender>): Promise<void> {
    desk.isBringing = true;
    while (desk.outbox.length > 0) {
      const batch = desk.outbox.splice(0, this.#batchSize(desk.outbox));
      for (const end of await this.#bring(desk.lender, batch)) this.counts[end]++;
      for (const { over } of batch) over();
    }
    desk.isBringing = false;
  }

  #batchSize(outbox: readonly Done<Job, Made>[]): number {
    let bytes = 0;
    const isOver = ({ made }: Done<Job, Made>, nth: number) => {
      bytes += made === undefined ? 0 : this.#work.bytesOf(made);
      return nth === BRING_MAX || (nth > 0 && bytes > BRING_BYTES_MAX);
    };
    const end = outbox.findIndex(isOver);
    return end < 0 ? outbox.length : end;
  }

  async #bring(
    lender: Lender,
    batch: readonly Done<Job, Made>[],
  ): Promise<readonly (keyof HandCounts)[]> {
    for (let [waitMs, tries] = [FIRST_WAIT_MS, 1]; ; waitMs *= 2, tries++) {
      try {
        return await lender.bring(batch);
      } catch (error) {
        if (tries === TRIES_MAX) {
          this.#hooks.onTrouble?.(lender, error);
          return batch.map(() => 'failed');
        }
      }
      await this.#clock.sleepUntil(this.#clock.now() + waitMs);
    }
  }

  /** What takes longer than a lease is still ours as long as we say so. */
  async #keepOn({ lender, open }: Desk<Job, Made, Lender>): Promise<void> {
    const { signal } = this.#ended;
    for (;;) {
      await this.#clock.sleepUntil(this.#clock.now() + KEEP_MS, signal);
      if (signal.aborted) return;
      if (open.size > 0) await lender.keep([...open.keys()]).catch(() => undefined);
    }
  }
}
