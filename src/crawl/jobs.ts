/**
 * Jobs (A1): seeds with limits of their own, in one frontier and under one politeness.
 *
 *   start ─▶ running ⇄ paused          its URLs go to the shelf as their turns come, and back
 *              │  └──────┴─▶ cancelled  forgotten: another job may name them
 *              └▶ done: nothing of it is left, or a limit is reached (the rest is forgotten)
 *
 * A word is in the book, synced, before it is answered, and holds from that moment: the frontier
 * asks the board at every turn. What follows from it for rows in the store is done in steps
 * (job-sweep.ts), one job after the other, and begun again by tick() where a crash cut it off.
 */
import { CrawlError } from '../base/errors.ts';
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import type { JobEnd, JobEntry, JobPriority, JobReceipt } from '../ports/job-book.ts';
import type { ScopeKind } from '../url/index.ts';
import type { JobBoard } from './job-board.ts';
import { SharedBook } from './job-shared.ts';
import { Sown, type SowSources, sowStep } from './job-sow.ts';
import { forgetAll, type SweepSources, unshelve } from './job-sweep.ts';
import { isFinished, type Job, type JobAct, jobView, refusalOf, type Steered } from './job-view.ts';

export interface JobCall {
  readonly urls: readonly string[];
  readonly priority?: JobPriority;
  readonly name?: string;
  /** The crawl's own when left out. */
  readonly scope?: ScopeKind;
  /** Links to follow away from the seeds; no more than the crawl itself allows. */
  readonly depth?: number;
  /** A known page whose copy is older is asked for again. */
  readonly ttlHours?: number;
  readonly pagesMax?: number;
  readonly hoursMax?: number;
  /** Told twice with the same name, it is one call. */
  readonly key?: { readonly name: string; readonly digest: string };
}

export interface JobStart {
  readonly id: number;
  readonly receipt: JobReceipt;
  /** Answered before; nothing was done. */
  readonly isRepeated: boolean;
}

export interface Jobs {
  /** 'reused': the key came with another call before. */
  start(call: JobCall): Promise<JobStart | 'reused'>;
  /** The newest first; the last is the crawl itself. */
  list(): readonly Job[];
  one(id: number): Job | undefined;
  steer(id: number, act: JobAct): Promise<Steered>;
}

export type DeskSources = SowSources &
  SweepSources & {
    readonly own: JobEntry;
    /** Other nodes write the book, too. */
    readonly isShared?: boolean;
  };

const SEEDS_PER_STEP = 5_000;
const NAME_LENGTH_MAX = 200;

export class JobDesk implements Jobs {
  readonly #sources: DeskSources;
  readonly #board: JobBoard;
  /** Steps of all jobs go one after the other, so that no URL is new to two of them. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #sweeping = new Set<number>();
  /** Their seeds are still being read: they are not finished, whatever waits. */
  readonly #sowing = new Set<number>();
  readonly #noting = new Set<number>();
  /** Where other nodes write the book, too: how their words reach this one. */
  readonly shared: SharedBook | undefined;
  #isClosed = false;

  constructor(sources: DeskSources, board: JobBoard) {
    this.#sources = sources;
    this.#board = board;
    const askAgain: SowSources['node']['comeback']['askAgain'] = (dues, job) =>
      sources.node.comeback.askAgain(dues, job);
    const { isShared, book, store, clock } = sources;
    this.shared = isShared
      ? new SharedBook({ book, store, clock, board, comeback: { askAgain } })
      : undefined;
  }

  async start(call: JobCall): Promise<JobStart | 'reused'> {
    await this.shared?.look();
    const before = this.#calledBefore(call);
    if (before !== undefined && before.call?.digest !== call.key?.digest) return 'reused';
    if (before?.receipt !== undefined) {
      return { id: before.id, receipt: before.receipt, isRepeated: true };
    }
    const entry = before ?? (await this.#open(call));
    const { id } = entry;
    this.#sowing.add(id);
    try {
      const receipt = await this.#sow(entry, call.urls);
      await this.#say({ ...this.#now(entry), receipt });
      return { id, receipt, isRepeated: false };
    } finally {
      this.#sowing.delete(id);
    }
  }

  list(): readonly Job[] {
    return this.#board.all().map((entry) => this.#view(entry));
  }

  one(id: number): Job | undefined {
    const entry = this.#board.get(id);
    return entry && this.#view(entry);
  }

  async steer(id: number, act: JobAct): Promise<Steered> {
    await this.shared?.look();
    const entry = this.#board.get(id);
    if (entry === undefined) return { refused: 'unknown', reason: `There is no job ${id}.` };
    const reason = refusalOf(this.#view(entry), act);
    if (reason !== undefined) return { refused: 'state', reason };
    const now = this.#sources.clock.now();
    const { pausedAt, ...going } = entry;
    if (act === 'pause') await this.#say({ ...entry, pausedAt: now });
    else if (act === 'resume') await this.#say(going);
    else await this.#end(entry, 'cancelled');
    if (act !== 'pause') this.#sweep(id);
    this.#sources.node.worker.wake();
    return { job: this.one(id) as Job };
  }

  /**
   * Now and then: limits that are reached, ends that nobody has noted, sweeps to begin again.
   * Waits for nothing; answers whether something is still to come of it.
   */
  tick(): boolean {
    for (const entry of this.#board.all()) {
      const { id } = entry;
      const end = entry.endedBy === undefined ? this.#board.endOf(id) : undefined;
      if (end !== undefined || this.#hasShelf(entry)) this.#sweep(id);
      if (end !== undefined) this.#note(id, () => this.#end(entry, end));
      else if (this.#isNews(entry)) this.#note(id, () => this.#noteEnd(entry));
    }
    return this.#sweeping.size > 0;
  }

  /** Written in its own time; what fails shows at the next word, and is tried at the next look. */
  #note(id: number, write: () => Promise<void>): void {
    if (this.#noting.has(id) || this.#isClosed) return;
    this.#noting.add(id);
    const done = this.#next(write).finally(() => this.#noting.delete(id));
    done.catch(() => undefined);
  }

  /** Jobs that had ended when the crawl stopped: what is left of them is still to be forgotten. */
  resume(): void {
    for (const { id, endedBy } of this.#board.all()) {
      if (endedBy !== undefined && this.#board.countsOf(id).waiting > 0) this.#sweep(id);
    }
  }

  /** Takes no more; resolves when nothing of it is on its way to the store. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
  }

  // ---- inside -------------------------------------------------------------------------

  #view(entry: JobEntry): Job {
    const { id, endedBy = this.#board.endOf(id) } = entry;
    return jobView(entry, this.#board.countsOf(id), endedBy, !this.#sowing.has(id));
  }

  /** A key is one call's for a day. */
  #calledBefore({ key }: JobCall): JobEntry | undefined {
    if (key === undefined) return undefined;
    const since = this.#sources.clock.now() - DAY_MS;
    return this.#board
      .all()
      .find(({ call, createdAt }) => call?.name === key.name && createdAt > since);
  }

  #open(call: JobCall): Promise<JobEntry> {
    return this.#next(async () => {
      const [newest] = this.#board.all();
      // Where several nodes share the book, others may have opened jobs that we do not know yet.
      for (let id = (newest?.id ?? 0) + 1; ; id++) {
        const entry = entryOf(call, id, this.#sources);
        if (!(await this.#sources.book.open(entry))) continue;
        this.shared?.said(id);
        this.#board.open(entry, []);
        return entry;
      }
    });
  }

  async #sow(entry: JobEntry, urls: readonly string[]): Promise<JobReceipt> {
    const sown = new Sown();
    for (let at = 0; at < urls.length; at += SEEDS_PER_STEP) {
      const step = urls.slice(at, at + SEEDS_PER_STEP);
      const done = await this.#next(async () => {
        const rules = this.#board.rulesOf(entry.id);
        if (rules !== undefined) await sowStep(this.#sources, entry, rules, step, sown);
        return rules !== undefined;
      });
      if (!done) break;
    }
    return sown.receipt(this.#sources);
  }

  /** What is said of it by now: it may have been paused while its seeds were read. */
  #now(entry: JobEntry): JobEntry {
    return this.#board.get(entry.id) ?? entry;
  }

  async #say(entry: JobEntry): Promise<void> {
    this.shared?.said(entry.id);
    await this.#sources.book.put(entry);
    this.shared?.said(entry.id);
    this.#board.put(entry);
  }

  async #end(entry: JobEntry, endedBy: JobEnd): Promise<void> {
    await this.#say({ ...this.#now(entry), endedBy, endedAt: this.#sources.clock.now() });
  }

  /** Finished, and nobody wrote down when; or it goes on again. */
  #isNews(entry: JobEntry): boolean {
    const { id, endedBy, endedAt } = entry;
    const isOver = !this.#sowing.has(id) && isFinished(entry, this.#board.countsOf(id));
    return endedBy === undefined && isOver !== (endedAt !== undefined);
  }

  async #noteEnd(entry: JobEntry): Promise<void> {
    if (!this.#isNews(this.#now(entry))) return;
    const { endedAt, ...going } = this.#now(entry);
    const isOver = endedAt === undefined;
    await this.#say(isOver ? { ...going, endedAt: this.#sources.clock.now() } : going);
  }

  /** On the shelf, although nobody says so: a limit left room, or a crash came in between. */
  #hasShelf(entry: JobEntry): boolean {
    if (this.#board.countsOf(entry.id).held === 0) return false;
    return entry.endedBy !== undefined || (entry.pausedAt === undefined && this.#roomOf(entry) > 0);
  }

  #roomOf(entry: JobEntry): number {
    return this.#board.roomOf(entry, this.#sources.node.frontier.leases.underWay(entry.id));
  }

  #sweep(id: number): void {
    if (this.#sweeping.has(id) || this.#isClosed) return;
    this.#sweeping.add(id);
    const swept = this.#next(() => this.#sweepNow(id)).finally(() => this.#sweeping.delete(id));
    // What fails here shows at the next commit, too; there it ends the crawl.
    swept.catch(() => undefined);
  }

  async #sweepNow(id: number): Promise<void> {
    const entry = this.#board.get(id);
    if (entry === undefined) return;
    const isOn = () => !this.#isClosed && this.#board.get(id)?.pausedAt === undefined;
    const isOpen = () => !this.#isClosed;
    if (this.#board.endOf(id) !== undefined) {
      await forgetAll(this.#sources, id, ['waiting', 'shelf'], isOpen);
    } else if (isOn()) await unshelve(this.#sources, id, this.#roomOf(entry), isOn);
    this.#sources.node.worker.wake();
  }

  #next<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => {
      if (this.#isClosed) throw ending();
      return step();
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function entryOf(call: JobCall, id: number, { clock, own }: DeskSources): JobEntry {
  const { urls, priority = 'normal', depth, ttlHours, pagesMax, hoursMax, key } = call;
  const createdAt = clock.now();
  const name = (call.name ?? urls[0] ?? '').slice(0, NAME_LENGTH_MAX);
  return {
    ...{ id, name, createdAt, seeds: urls.length, priority, scope: call.scope ?? own.scope },
    ...(depth !== undefined && { depth }),
    ...(ttlHours !== undefined && { ttlHours }),
    ...(pagesMax !== undefined && { pagesMax }),
    ...(hoursMax !== undefined && { until: createdAt + hoursMax * HOUR_MS }),
    ...(key && { call: key }),
  };
}

function ending(): CrawlError {
  const hint = 'Send the same call again when it runs; what was taken is not taken twice.';
  return new CrawlError('E_STORE_DOWN', 'The crawl is ending', hint);
}
