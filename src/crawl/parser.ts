/**
 * A parser without a crawl (K3): leases pages that others have fetched, reads them, and brings
 * back what they hold. It owns nothing and remembers nothing, so it may die at any time: what it
 * had leased is read by another (K5).
 *
 *   lender ─ lease ─▶ pages ─▶ ../ports/parser-pool ─▶ outbox ─ bring ─▶ lender
 *     ↑                                                  └─ what is read meanwhile goes together
 *     └── room for more
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Digest, RawPage } from '../content/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { ParserPool } from '../ports/parser-pool.ts';
import type { BroughtEnd, LentPage, Reading, ReadingLender } from '../ports/reading-lender.ts';

export interface ParserHooks {
  /** A lender is away, or refuses: told once, until it is back. */
  readonly onTrouble?: (lender: ReadingLender, error: unknown) => void;
  readonly onRecovered?: (lender: ReadingLender) => void;
}

export interface ParserOptions extends ParserHooks {
  /** Pages at one time, for each lender. */
  readonly pagesAtOnce: number;
  readonly leaseSeconds: number;
}

export type ParserCounts = Readonly<Record<BroughtEnd | 'failed', number>>;

/** A parser as its user sees it. */
export interface ParserSession {
  readonly lenders: readonly string[];
  /** Until it is told to stop, and what is under way has been brought back. */
  run(): Promise<void>;
  drain(): void;
  abort(): void;
  progress(): { readonly openVisits: number; readonly isDraining: boolean };
  readonly counts: ParserCounts;
  /** Of the answer to GET /metrics. */
  readonly metrics: { readonly contentType: string; text(version: string): string };
  close(): Promise<void>;
}

/** A lender that does not answer is asked again this soon, then later and later. */
const FIRST_WAIT_MS = SECOND_MS / 4;
const WAIT_MS_MAX = 10 * SECOND_MS;
/** What goes together, at most; a page that is larger goes alone. */
const BRING_BYTES_MAX = 8 << 20;
const BRING_MAX = 200;

interface Done extends Reading {
  readonly until: Instant;
  /** The lender has it, or cannot be told. */
  readonly over: () => void;
}

/** What is under way for one lender. */
interface Desk {
  readonly lender: ReadingLender;
  readonly open: Set<Promise<void>>;
  readonly outbox: Done[];
  isBringing: boolean;
}

export class Parser {
  readonly #ports: { readonly clock: Clock; readonly pool: ParserPool };
  readonly #options: ParserOptions;
  readonly #stopped = new AbortController();
  /** How to break off each page that is being read. */
  readonly #underWay = new Set<() => void>();
  #isBroken = false;
  readonly counts = { taken: 0, returned: 0, lost: 0, refused: 0, failed: 0 };
  /** Pages under way. */
  open = 0;

  constructor(ports: { readonly clock: Clock; readonly pool: ParserPool }, options: ParserOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Until it is told to stop, and what is under way has been brought back. */
  async run(lenders: readonly ReadingLender[]): Promise<void> {
    await Promise.all(lenders.map((lender) => this.#serve(lender)));
  }

  /** Leases nothing more. */
  drain(): void {
    this.#stopped.abort(null);
  }

  /** Gives back what is under way, too. */
  abort(): void {
    this.drain();
    this.#isBroken = true;
    for (const breakOff of this.#underWay) breakOff();
  }

  async #serve(lender: ReadingLender): Promise<void> {
    const { clock } = this.#ports;
    const desk: Desk = { lender, open: new Set(), outbox: [], isBringing: false };
    let isAway = false;
    for (let waitMs = 0; !this.isDraining; ) {
      try {
        await this.#leaseSome(desk);
        if (isAway) this.#options.onRecovered?.(lender);
        isAway = false;
      } catch (error) {
        if (!isAway) this.#options.onTrouble?.(lender, error);
        waitMs = isAway ? Math.min(WAIT_MS_MAX, 2 * waitMs) : FIRST_WAIT_MS;
        isAway = true;
        await clock.sleepUntil(clock.now() + waitMs, this.#stopped.signal);
      }
      if (desk.open.size >= this.#options.pagesAtOnce) await Promise.race(desk.open);
    }
    await Promise.all(desk.open);
  }

  async #leaseSome(desk: Desk): Promise<void> {
    const room = this.#options.pagesAtOnce - desk.open.size;
    const from = this.#ports.clock.now();
    const pages = await desk.lender.lease(room, this.#options.leaseSeconds);
    for (const lent of pages) {
      const work = this.#read(desk, lent, from + lent.forMs);
      desk.open.add(work);
      this.open++;
      void work.finally(() => {
        desk.open.delete(work);
        this.open--;
      });
    }
  }

  async #read(desk: Desk, { id, page }: LentPage, until: Instant): Promise<void> {
    const encoding = page.headers['content-encoding'];
    const digest = await this.#digest(page);
    await new Promise<void>((over) => {
      desk.outbox.push({ id, encoding, digest, until, over });
      if (!desk.isBringing) void this.#empty(desk);
    });
  }

  /** Undefined when it is broken off first. */
  async #digest(page: RawPage): Promise<Digest | undefined> {
    let breakOff: () => void = () => undefined;
    try {
      return await new Promise((resolve) => {
        breakOff = () => resolve(undefined);
        if (this.#isBroken) return breakOff();
        this.#underWay.add(breakOff);
        this.#ports.pool.digest(page).then(resolve, breakOff);
      });
    } finally {
      this.#underWay.delete(breakOff);
    }
  }

  /** One message at a time: what is read while it is on its way goes with the next. */
  async #empty(desk: Desk): Promise<void> {
    desk.isBringing = true;
    while (desk.outbox.length > 0) {
      const batch = batchOf(desk.outbox);
      for (const end of await this.#bring(desk.lender, batch)) this.counts[end]++;
      for (const { over } of batch) over();
    }
    desk.isBringing = false;
  }

  async #bring(
    lender: ReadingLender,
    batch: readonly Done[],
  ): Promise<readonly (keyof ParserCounts)[]> {
    const { clock } = this.#ports;
    const until = Math.min(...batch.map((done) => done.until));
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      try {
        return await lender.bring(batch);
      } catch (error) {
        if (clock.now() + waitMs >= until) {
          this.#options.onTrouble?.(lender, error);
          return batch.map(() => 'failed');
        }
      }
      await clock.sleepUntil(clock.now() + waitMs);
    }
  }
}

function batchOf(outbox: Done[]): readonly Done[] {
  let bytes = 0;
  let count = 0;
  for (const { digest } of outbox) {
    bytes += (digest?.bodyBytes ?? 0) + (digest?.trace.length ?? 0);
    if (count > 0 && (bytes > BRING_BYTES_MAX || count === BRING_MAX)) break;
    count++;
  }
  return outbox.splice(0, count);
}
