/**
 * The worker: takes leases as long as there is room, and lets each be visited.
 *
 *            ┌── take(now) ──→ visit, visit, visit … (as many at once as `concurrency`)
 *   pump ────┤
 *            └── wanted()  ──→ refill from the store
 *
 *   run: pump, look for URLs that are due, nap until the next turn; end when nothing is left
 *
 * It decides nothing: the frontier says what may be asked, the budget says how much.
 */
import type { Instant } from '../base/instant.ts';
import {
  asksNothing,
  type Budget,
  type Exhausted,
  type Fits,
  type Host,
  type Lease,
} from '../frontier/index.ts';
import type { Http } from '../ports/http.ts';
import type { Walk } from './context.ts';
import { LeaseCounts } from './metrics-leases.ts';
import { isUnread } from './readings.ts';
import type { Trouble } from './trouble.ts';
import { visit } from './visit.ts';

/** Refills on their way to the store at once. */
const REFILLS_MAX = 32;
/** The longest nap: lapsed leases and due URLs are looked at this often. */
const NAP_MS = 1_000;
/** Nothing to be asked for this long: a browser may have the time. */
const IDLE_MS = 2_000;
/** … and this often where nothing else is to be done: what comes due sooner is known. */
const IDLE_NAP_MS = 600_000;
const NEVER: Instant = Number.POSITIVE_INFINITY;

/** Why a run ended: everything done, told to, a limit, or nothing to do for too long. */
export type RunEnd = 'done' | 'stopped' | 'patience' | Exhausted;

export interface WorkerOptions {
  readonly concurrency: number;
  /** Where its own requests are made from (K4); empty is nowhere in particular. */
  readonly region: string;
  /** How long to wait for the next turn before the crawl is left incomplete. */
  readonly patienceMs: number;
  /** Ends only when it is told to, or at a limit. */
  readonly keepFresh: boolean;
  /** Queues URLs that are due; answers when the next one will be, if within `patienceMs`. */
  readonly requeueDue: () => Promise<Instant | undefined>;
  /** Of a node that is one of several: it outlives an engine that is away, and never ends by itself. */
  readonly trouble?: Trouble;
}

/** A visit whose request somebody else makes. */
export interface LentVisit {
  readonly lease: Lease;
  /** Rejects when its result could not be kept. */
  readonly ended: Promise<void>;
}

export class Worker {
  readonly #walk: Walk;
  readonly #budget: Budget;
  readonly #options: WorkerOptions;
  readonly counts = new LeaseCounts();
  readonly #abort = new AbortController();
  #nap: { readonly until: Instant; readonly abort: AbortController } | undefined;
  #visits = 0;
  /** Visits whose requests somebody else makes. */
  #lent = 0;
  #pages = 0;
  #refills = 0;
  #lookedForDueAt: Instant = 0;
  #nextDueAt: Instant = 0;
  /** Was what is due looked for since the last nap? Whoever woke us may have meant that. */
  #hasLooked = false;
  #isDraining = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(walk: Walk, budget: Budget, options: WorkerOptions) {
    this.#walk = walk;
    this.#budget = budget;
    this.#options = options;
    walk.settling.onRest = () => this.#rested();
  }

  get openVisits(): number {
    return this.#visits + this.#lent;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Does it ask anybody itself? */
  get hasHands(): boolean {
    return this.#options.concurrency > 0;
  }

  /** Requests of its own that it could begin now, were it their turn. */
  get room(): number {
    const isResting = this.#isDraining || this.#options.trouble?.isOn === true;
    return isResting ? 0 : Math.max(0, this.#options.concurrency - this.#visits);
  }

  /** Takes nothing more; what is on its way is finished. */
  drain(): void {
    this.#isDraining = true;
    this.#walk.renders?.stop();
    this.wake();
  }

  /** Something may have come up: looks at once. */
  wake(): void {
    this.#nap?.abort.abort(null);
  }

  /** Something that no visit is part of went wrong for good. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.abort();
  }

  /** The same for a page that waited for a browser; an engine that is away ends nothing. */
  failAt(lease: Lease, error: unknown): void {
    if (this.#isOutage(error)) this.#walk.frontier.giveUp(lease, this.#walk.ports.clock.now());
    else this.fail(error);
  }

  /** Breaks off what is on its way, too: its URLs stay queued. */
  abort(): void {
    this.drain();
    this.#options.trouble?.close();
    this.#abort.abort();
  }

  /** Runs until nothing is left to do, or it is told to stop. Rejects when the store fails. */
  async run(): Promise<RunEnd> {
    for (;;) {
      this.#pump();
      await this.#lookForDue();
      const end = this.#end(this.#walk.ports.clock.now());
      if (this.#failure !== undefined && this.#isQuiet) throw this.#failure.error;
      if (end !== undefined) return end;
      await this.#sleep();
    }
  }

  get #isQuiet(): boolean {
    const { renders, settling } = this.#walk;
    const isIdle = this.#visits + this.#lent + this.#refills === 0;
    return isIdle && settling.pending === 0 && (renders?.isIdle ?? true);
  }

  #pump(): void {
    if (this.#isDraining || this.#options.trouble?.isOn) return;
    const now = this.#walk.ports.clock.now();
    this.counts.expired += this.#walk.frontier.expire(now);
    this.#takeLeases(now);
    this.#refillWanted();
    this.#renderSome(now);
  }

  /** Renders have all there is when nothing else can be asked for, now or ever (J2). */
  #renderSome(now: Instant): void {
    const { renders, settling, frontier } = this.#walk;
    if (renders === undefined || renders.isIdle) return;
    const exhausted = this.#budget.exhausted(now);
    if (exhausted === 'time' || exhausted === 'bytes') renders.stop();
    const isLast = settling.totals.waiting <= renders.waiting + renders.open;
    const isIdle = this.#visits === 0 && (frontier.nextAt() ?? NEVER) > now + IDLE_MS;
    renders.pump(this.#walk, exhausted !== undefined || isLast || isIdle);
  }

  /**
   * The same visits, whose requests are made by others (lend.ts): as many as are asked for,
   * besides our own.
   */
  lend(
    requests: number,
    region: string,
    fits: Fits,
    httpFor: (lease: Lease) => Http,
  ): readonly LentVisit[] {
    const now = this.#walk.ports.clock.now();
    if (this.#isDraining || this.#options.trouble?.isOn) return [];
    if (this.#budget.exhausted(now) !== undefined) return [];
    const { frontier, ports } = this.#walk;
    if (ports.pool.isBehind) return [];
    this.counts.expired += frontier.expire(now);
    const pages = this.#budget.pagesLeft(this.#pages, now);
    const leases = frontier.take(requests, pages, now, fits, region);
    const lent = leases.map((lease) => {
      const walk = { ...this.#walk, ports: { ...ports, http: httpFor(lease) } };
      this.#lent++;
      return { lease, ended: this.#visit(lease, walk, () => this.#lent--) };
    });
    this.#refillWanted();
    return lent;
  }

  #takeLeases(now: Instant): void {
    const room = this.#options.concurrency - this.#visits;
    if (room <= 0 || this.#walk.ports.pool.isBehind) return;
    const pages = this.#budget.pagesLeft(this.#pages, now);
    const { region } = this.#options;
    for (const lease of this.#walk.frontier.take(room, pages, now, undefined, region)) {
      this.#visits++;
      this.#visit(lease, this.#walk, () => this.#visits--);
    }
  }

  #visit(lease: Lease, walk: Walk, done: () => void): Promise<void> {
    this.counts.take(lease);
    const isPage = lease.kind === 'page' && !asksNothing(lease);
    if (isPage) this.#pages++;
    const ended = () => {
      done();
      if (isPage) this.#pages--;
    };
    const undo = () => this.#walk.frontier.giveUp(lease, this.#walk.ports.clock.now());
    const work = visit(lease, walk, this.#abort.signal);
    this.#track(work, ended, undo);
    return work;
  }

  #refillWanted(): void {
    for (const host of this.#walk.frontier.wanted(REFILLS_MAX - this.#refills)) {
      this.#refills++;
      const undo = () => this.#walk.frontier.refillLater(host);
      this.#track(this.#refill(host), () => this.#refills--, undo);
    }
  }

  async #refill(host: Host): Promise<void> {
    const { frontier, ports } = this.#walk;
    const asked = frontier.refillSize(host);
    const wasHydrated = host.hydrated;
    const stored = wasHydrated ? undefined : await ports.store.host(host.key);
    const rows = await ports.store.waiting(host.key, host.window.after, asked);
    const robots = wasHydrated ? undefined : (stored?.robots ?? []);
    frontier.refill(host, rows, asked, robots, stored?.sketch);
  }

  /** When a visit or refill ends there is room for the next; the run wakes only if it must. */
  #track(work: Promise<void>, done: () => void, undo: () => void): void {
    const ended = () => {
      done();
      this.#pump();
      const next = this.#nextAt(this.#walk.ports.clock.now());
      if (this.#isQuiet || (this.#nap !== undefined && next < this.#nap.until)) {
        this.#nap?.abort.abort(null);
      }
    };
    work.then(ended, (error: unknown) => {
      if (this.#isOutage(error)) undo();
      else this.fail(error);
      ended();
    });
  }

  /** The last visit ended while its commit did: only now is it seen that nothing is left. */
  #rested(): void {
    const isOver = this.#isQuiet && this.#nextAt(this.#walk.ports.clock.now()) === NEVER;
    if (isOver) this.wake();
  }

  /** An engine of the cluster is away, or no parser read the page: it is tried again (K5). */
  #isOutage(error: unknown): boolean {
    const { trouble } = this.#options;
    trouble?.met(error);
    return isUnread(error) || (trouble?.covers(error) ?? false);
  }

  async #lookForDue(): Promise<void> {
    const now = this.#walk.ports.clock.now();
    const { trouble } = this.#options;
    this.#hasLooked = now - this.#lookedForDueAt >= NAP_MS || this.#isQuiet;
    if (this.#isDraining || !this.#hasLooked || now < (trouble?.until ?? 0)) return;
    this.#lookedForDueAt = now;
    try {
      this.#nextDueAt = (await this.#options.requeueDue()) ?? NEVER;
      if (this.#walk.settling.pending === 0) trouble?.passed();
    } catch (error) {
      if (!this.#isOutage(error)) throw error;
    }
    this.#pump();
  }

  #end(now: Instant): RunEnd | undefined {
    if (!this.#isQuiet) return undefined;
    if (this.#isDraining) return 'stopped';
    const exhausted = this.#budget.exhausted(now);
    if (exhausted !== undefined) return exhausted;
    if (this.#staysOn || this.#walk.frontier.stats().wanted > 0) return undefined;
    const next = Math.min(this.#walk.frontier.nextAt() ?? NEVER, this.#nextDueAt);
    if (next === NEVER) return this.#walk.settling.totals.retrying > 0 ? 'patience' : 'done';
    return next - now > this.#options.patienceMs ? 'patience' : undefined;
  }

  /** What one node has left to do says nothing about the others. */
  get #staysOn(): boolean {
    return this.#options.keepFresh || this.#options.trouble !== undefined;
  }

  #napMs(now: Instant): number {
    const isBusy = !this.#isQuiet || !this.#hasLooked;
    if (isBusy || this.#options.trouble !== undefined) return NAP_MS;
    const next = Math.min(this.#nextDueAt, this.#budget.endsAt);
    return Math.min(IDLE_NAP_MS, Math.max(NAP_MS, next - now));
  }

  /** When there is something that this node may ask itself. */
  #nextAt(now: Instant): Instant {
    const { region } = this.#options;
    return this.#walk.frontier.nextAt({ region, now }) ?? NEVER;
  }

  async #sleep(): Promise<void> {
    const { ports } = this.#walk;
    const now = ports.clock.now();
    const isResting = this.#isDraining || this.#options.trouble?.isOn;
    const next = isResting ? NEVER : this.#nextAt(now);
    // Something ready that was not taken waits for room or budget: an ending visit wakes us.
    const until = next <= now ? now + NAP_MS : Math.min(next, now + this.#napMs(now));
    const abort = new AbortController();
    this.#nap = { until, abort };
    await ports.clock.sleepUntil(until, abort.signal);
    this.#nap = undefined;
  }
}
