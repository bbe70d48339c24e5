/**
 * Coming back (T3, T4): what is due, from the store's index into the queue.
 *
 *   due index ──→ as much as the budget allows, top pages first ──→ queue
 *       ↑  └────→ over budget: put off to when its turn would come
 *       └── a sitemap's lastmod, an operator's word: due sooner
 *
 * A crawl that ends (`orb crawl`) takes what was due when it began, and retries; one that stays
 * (`--keep-fresh`) takes whatever comes due. Who moves an instant in the index holds the turn:
 * nothing else does meanwhile, so that no URL waits twice.
 */
import { assert } from '../base/assert.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../base/instant.ts';
import type { Frontier } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import { retryJobOf } from '../ports/job-counts.ts';
import {
  COUNTED_AS,
  type Commit,
  type Due,
  type DueRecord,
  NOTHING,
  type ShardStore,
  type Totals,
} from '../ports/shard-store.ts';
import {
  blankHost,
  quantised,
  rankOf,
  type UrlKey,
  type UrlRecord,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import {
  Allowance,
  bestFirst,
  pulledForward,
  type Recrawl,
  type SeenHost,
} from '../recrawl/index.ts';
import { hostOf } from '../url/index.ts';
import type { Arcs } from './arcs.ts';
import type { Settling } from './settle.ts';

const DUE_PER_LOOK = 1_000;
const HINTS_PER_LOOK = 1_000;
/** Asked for by an operator and not queued yet: beyond this they wait like any other. */
const ASKED_MAX = 100_000;
/** As long as nothing is due for this long, nobody looks. */
const AHEAD_MS = 10 * MINUTE_MS;
/** Rows this old are looked at again: a commit may be late by so much. */
const LATE_MS = MINUTE_MS;

export interface ComebackOptions {
  readonly keepFresh: boolean;
  readonly patienceMs: number;
  readonly startedAt: Instant;
  /** Called when something was made due that nobody waits for yet. */
  readonly onAsked: () => void;
  /** Which arcs are ours, where that changes. */
  readonly arcs?: Arcs;
}

interface DueUrl {
  readonly due: Due;
  readonly dueAt: Instant;
  readonly record: UrlRecord;
  readonly urgency: number;
}

export class Comeback {
  readonly #store: ShardStore;
  readonly #clock: Clock;
  readonly #frontier: Frontier;
  readonly #settling: Settling;
  readonly #recrawl: Recrawl;
  readonly #options: ComebackOptions;
  readonly #allowance = new Allowance();
  /** With the job that wants it; 0 is the crawl itself. */
  readonly #asked = new Map<string, number>();
  #seenUntil: Instant = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    ports: { readonly store: ShardStore; readonly clock: Clock },
    frontier: Frontier,
    settling: Settling,
    recrawl: Recrawl,
    options: ComebackOptions,
  ) {
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#frontier = frontier;
    this.#settling = settling;
    this.#recrawl = recrawl;
    this.#options = options;
  }

  /** Moves what is due into the queue; answers when the next is, if it comes soon. */
  requeueDue(): Promise<Instant | undefined> {
    return this.alone(() => (this.#options.keepFresh ? this.#takeDue() : this.#takeRetries()));
  }

  /** Visited URLs that somebody wants again at once: due now, and first in the queue (T4). */
  askAgain(dues: readonly Due[], job = 0): Promise<void> {
    return this.alone(async () => {
      this.#seenUntil = 0;
      const now = this.#clock.now();
      for (const { key } of dues) {
        if (this.#asked.size < ASKED_MAX) this.#asked.set(nameOf(key), job);
      }
      await this.#redate(dues.map((due) => ({ due, to: now })));
      if (dues.length > 0) this.#options.onAsked();
    });
  }

  /** An arc has come: what was due of it before is, still. */
  lookBack(): void {
    this.#seenUntil = 0;
  }

  /** What a sitemap says of pages that are known: those that changed since come sooner (T3). */
  async hint(urls: readonly string[], lastmods: Float64Array): Promise<void> {
    const { arcs } = this.#options;
    const told = urls.flatMap((url, i) => {
      const lastmod = lastmods[i] ?? 0;
      return lastmod > 0 ? [{ key: urlKeyOf(url), lastmod }] : [];
    });
    const ours = arcs === undefined ? told : told.filter(({ key }) => arcs.isMine(key));
    await this.#hintOf(ours);
  }

  async #hintOf(told: readonly { key: UrlKey; lastmod: Instant }[]): Promise<void> {
    for (let i = 0; i < told.length; i += HINTS_PER_LOOK) {
      await this.alone(() => this.#pullForward(told.slice(i, i + HINTS_PER_LOOK)));
    }
  }

  async #pullForward(told: readonly { key: UrlKey; lastmod: Instant }[]): Promise<void> {
    const now = this.#clock.now();
    const records = await this.#store.urls(told.map(({ key }) => key));
    const redated = told.flatMap(({ key, lastmod }, i) => {
      const record = records[i];
      if (record === undefined || record.visits === 0) return [];
      const tier = this.#recrawl.tierOf(record, this.#hostOf(record));
      const to = pulledForward(record, lastmod, tier, now);
      return to === undefined ? [] : [{ due: { at: record.nextCrawlAt, key }, to }];
    });
    await this.#redate(redated);
  }

  /** A crawl that stays: everything that is due, as far as the budget goes. */
  async #takeDue(): Promise<Instant | undefined> {
    const now = this.#clock.now();
    const rows = await this.#due(now + AHEAD_MS);
    const ready = await this.#read(rows.filter((row) => row.at <= now));
    if (ready.length === 0) return rows[0]?.at;
    const visits = ready.filter((url) => this.#isVisit(url));
    const { taken, left } = this.#choose(visits, now);
    await this.#requeue([...ready.filter((url) => !this.#isVisit(url)), ...taken], now);
    await this.#putOff(left, now);
    return now;
  }

  async #due(until: Instant, from?: Instant): Promise<readonly Due[]> {
    const { arcs } = this.#options;
    if (arcs === undefined) return this.#store.due(until, DUE_PER_LOOK, from);
    return arcs.arcs.length === 0 ? [] : this.#store.due(until, DUE_PER_LOOK, from, arcs.arcs);
  }

  #choose(visits: readonly DueUrl[], now: Instant): { taken: DueUrl[]; left: DueUrl[] } {
    const perDay = this.#recrawl.budgetPerDay;
    const best = bestFirst(visits);
    const isTop = ({ urgency }: DueUrl) => urgency === 0;
    const tops = Math.min(best.filter(isTop).length, this.#allowance.leftForTop(now, perDay));
    this.#allowance.spend(tops);
    const others = Math.min(best.length - tops, this.#allowance.left(now, perDay));
    this.#allowance.spend(others);
    return { taken: best.slice(0, tops + others), left: best.slice(tops + others) };
  }

  /** A crawl that ends: what was due when it began, then retries alone. */
  async #takeRetries(): Promise<Instant | undefined> {
    const now = this.#clock.now();
    const until = now + this.#options.patienceMs;
    const rows = await this.#due(until, this.#seenUntil);
    const urls = await this.#read(rows);
    const wanted = urls.filter((url) => this.#isWanted(url));
    const ready = wanted.filter(({ dueAt }) => dueAt <= now);
    const last = rows.at(-1)?.at ?? now;
    const lookedUntil = rows.length < DUE_PER_LOOK ? now : Math.min(now, last);
    this.#seenUntil = Math.max(this.#seenUntil, lookedUntil - LATE_MS, 0);
    if (ready.length > 0) await this.#requeue(ready, now);
    if (ready.length > 0 || (rows.length === DUE_PER_LOOK && last <= now)) return now;
    return wanted[0]?.dueAt;
  }

  #isWanted({ due, record }: DueUrl): boolean {
    if (due.at <= this.#options.startedAt || this.#asked.has(nameOf(due.key))) return true;
    return record.state === 'retrying' || record.state === 'skipped';
  }

  /** Counts against the budget: not a retry, and not what somebody asked for. */
  #isVisit({ due, record }: DueUrl): boolean {
    return record.state !== 'retrying' && !this.#asked.has(nameOf(due.key));
  }

  async #read(dues: readonly Due[]): Promise<DueUrl[]> {
    return (await this.#recordsOf(dues)).map(({ due, record }) => {
      const urgency = this.#recrawl.urgencyOf(record, this.#hostOf(record));
      return { due, dueAt: due.at, record, urgency };
    });
  }

  async #recordsOf(dues: readonly Due[]): Promise<readonly DueRecord[]> {
    if (dues.length === 0) return [];
    const still = await this.#store.stillDue?.(dues);
    if (still !== undefined) return still.flatMap((one) => one ?? []);
    const records = await this.#store.urls(dues.map(({ key }) => key));
    return dues.map((due, i) => {
      const record = records[i];
      assert(record !== undefined, 'a due URL has a record');
      return { due, record };
    });
  }

  async #requeue(urls: readonly DueUrl[], now: Instant): Promise<void> {
    if (urls.length === 0) return;
    const requeued = urls.map(({ due, record }) => {
      const asker = this.#asked.get(nameOf(due.key));
      this.#asked.delete(nameOf(due.key));
      return { due, waiting: waitingAgain(due, record, now, asker) };
    });
    const change: Partial<Record<keyof Totals, number>> = { waiting: requeued.length };
    for (const { record } of urls) {
      const counted = COUNTED_AS[record.state];
      change[counted] = (change[counted] ?? 0) - 1;
    }
    await this.#settling.add({ candidates: [], requeued, change });
  }

  /** Over budget: back into the index, at the instant that the budget has come to it. */
  async #putOff(urls: readonly DueUrl[], now: Instant): Promise<void> {
    const everyMs = DAY_MS / this.#recrawl.budgetPerDay;
    await this.#redate(
      urls.map(({ due }, nth) => ({ due, to: Math.round(now + (nth + 1) * everyMs) })),
    );
  }

  async #redate(redated: Commit['redated']): Promise<void> {
    if (redated.length > 0) await this.#settling.add({ candidates: [], redated, change: {} });
  }

  #hostOf({ url }: UrlRecord): SeenHost {
    const name = hostOf(url);
    return this.#frontier.ratings.of(name) ?? blankHost(name);
  }

  /** Nothing is moved in the index of what is due while `work` is at it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

/** In a folder at rest: due for the crawl that is run next. */
export async function dueNow(store: ShardStore, dues: readonly Due[], now: Instant): Promise<void> {
  const redated = dues.map((due) => ({ due, to: Math.round(now) }));
  await store.commit({ ...NOTHING, redated });
}

/** What somebody asked for stands before everything that waits; its own priority stays. */
function waitingAgain(
  due: Due,
  record: UrlRecord,
  now: Instant,
  asker: number | undefined,
): Waiting {
  const { url, kind, depth, hops, outside, parent } = record;
  const priority = quantised(record.priority);
  const rank = rankOf(asker === undefined ? priority : 1, now);
  const fails = record.state === 'retrying' ? record.failCount : 0;
  // One that was skipped has no visit to compare with, and counts as a page when it is fetched.
  const again = record.lastFetchedAt > 0;
  // A retry stays with its job; what comes again is the crawl's own, unless a job wants it.
  const job = retryJobOf(record) || asker;
  const facts = { rank, priority, depth, hops, outside, parent, fails, again };
  return { key: due.key, url, kind, ...facts, ...(job && { job }) };
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}
