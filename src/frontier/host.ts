/**
 * One host in the memory of its owner: its turn, its window of URLs, its robots, its leases.
 *
 * A host is in one place at a time: in its group's order (it has something to ask), away at
 * the store for a refill, waiting for a robots.txt on another host, or idle.
 *
 * There are as many of these as the crawl has hosts, and most of them have nothing to do: what
 * only an active host needs is made when it is needed.
 */
import type { HeapItem } from '../base/heap.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { DomainShare, HostSketch } from '../quality/index.ts';
import {
  HOST_FLAGS,
  type HostClass,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  RANK_MAX,
  type RobotsRecord,
  type Waiting,
} from '../record/index.ts';
import { quarterOf } from '../url/index.ts';
import type { Group } from './group.ts';
import type { Politeness } from './policy.ts';
import { type ReadRobots, readRobots } from './robots-rules.ts';
import type { Manners } from './turn.ts';
import { isSamePlace, Window } from './window.ts';

/** A robots.txt to fetch: for this host's own origin, or for another host that was sent here. */
export interface Errand {
  readonly url: string;
  readonly origin: string;
  readonly for: Host;
  readonly hops: number;
  /** Whose URL asked for it: what it names is that job's. */
  readonly job?: number;
  /** Not a robots.txt but a page that cannot exist, to see what the host says to it (C3). */
  readonly isProbe?: boolean;
}

/** A longer pause than this is not meant: it would be a site that forbids everything. */
const CRAWL_DELAY_MS_MAX = DAY_MS;
const NO_ERRANDS: readonly Errand[] = [];
const NO_MEMOS: readonly ReadRobots[] = [];

export class Host implements HeapItem, Manners {
  heapAt = -1;
  readonly host: string;
  turnAt: Instant;
  lastFetchAt: Instant;
  crawlDelayMs: number;
  backoff: number;
  latencyMs: number;
  errors: number;
  errorsSince: Instant;
  downs: number;
  address: string;
  quotaDay: number;
  fetchedToday: number;
  newToday: number;
  fetched: number;
  failed: number;
  bytes: number;
  authority: number;
  quality: number;
  inDomains: number;
  hostClass: HostClass;
  changeMs: number;
  watchedMs: number;
  flags: number;

  group: Group;
  /** What was noticed of its pages, awake or as bytes; made when the host is busy (attention.ts). */
  sketch: HostSketch | Uint8Array | undefined;
  /** The budget of its registrable domain. */
  share: DomainShare | undefined;
  #window: Window | undefined;
  errands = NO_ERRANDS;
  /** By origin: http and https of one host may answer differently. */
  #robots = NO_MEMOS;
  /** Leased URLs, and those settled while a refill is on its way: a refill must not bring them. */
  #leased: Waiting[] | undefined;
  #settledMeanwhile: Waiting[] | undefined;
  openRequests = 0;
  /** Its robots rows have been read from the store. */
  hydrated: boolean;
  /** The store has a row of it: URLs of a host without one would be lost by a crash. */
  isStored: boolean;
  /** On its way to the store for URLs: it waits to be sent there, or is there. */
  refilling: 'none' | 'wanted' | 'loading' = 'none';
  /** Waits for a robots.txt that another host serves. */
  isAwaitingRobots = false;
  /** Its URLs are being moved in the store (ratings.ts): none is handed out. */
  isHeld = false;
  /** Its limits leave no room for another page as long as nothing ends. */
  isFull = false;
  /** Its arc may leave this node (arc-hosts.ts): then nothing of it is handed out any more. */
  presence: 'here' | 'going' | 'gone' = 'here';
  #arc = -1;

  constructor(record: HostRecord, group: Group, isStored: boolean) {
    this.host = record.host;
    this.group = group;
    this.hydrated = !isStored;
    this.isStored = isStored;
    this.turnAt = record.turnAt;
    this.lastFetchAt = record.lastFetchAt;
    this.crawlDelayMs = record.crawlDelayMs;
    this.backoff = record.backoff;
    this.latencyMs = record.latencyMs;
    this.errors = record.errors;
    this.errorsSince = record.errorsSince;
    this.downs = record.downs;
    this.address = record.address;
    this.quotaDay = record.quotaDay;
    this.fetchedToday = record.fetchedToday;
    this.newToday = record.newToday;
    this.fetched = record.fetched;
    this.failed = record.failed;
    this.bytes = record.bytes;
    this.authority = record.authority;
    this.quality = record.quality;
    this.inDomains = record.inDomains;
    this.hostClass = record.hostClass;
    this.changeMs = record.changeMs;
    this.watchedMs = record.watchedMs;
    this.flags = record.flags;
  }

  get hasSketch(): boolean {
    return this.sketch !== undefined;
  }

  get key(): HostKey {
    return this.#window?.hostKey ?? hostKeyOf(this.host);
  }

  /** The smallest arc of the circle that it is on. */
  get arc(): number {
    if (this.#arc < 0) this.#arc = quarterOf(this.key);
    return this.#arc;
  }

  get window(): Window {
    this.#window ??= new Window(this.host, this.hydrated ? 'all' : 'nothing');
    return this.#window;
  }

  get bestRank(): number {
    return this.#window?.bestRank ?? RANK_MAX;
  }

  /** The store has URLs of it, or may have, and none is at hand. */
  get isUnread(): boolean {
    return !this.hydrated || (this.window.size === 0 && this.window.hasMore);
  }

  get hasSomethingToAsk(): boolean {
    if (this.presence !== 'here') return false;
    if (this.errands.length > 0) return true;
    if (this.isAwaitingRobots || this.isFull || this.isHeld || this.isDenied) return false;
    if (this.isUnread) return this.refilling === 'none';
    return this.window.size > 0;
  }

  /** Taken for spam, pending review (Q2). */
  get isDenied(): boolean {
    return (this.flags & HOST_FLAGS.denied) !== 0;
  }

  /** A URL of it is leased, or on its way from the store. */
  get isAway(): boolean {
    return (this.#leased?.length ?? 0) > 0 || this.refilling !== 'none';
  }

  /** The store has another order now. */
  forgetWindow(): void {
    this.#window = new Window(this.host, 'nothing');
  }

  /** What is left of it is this record, and its turn: no robots.txt, nothing of its pages (G2). */
  forget({ host: _, turnAt: __, ...fields }: HostRecord): void {
    Object.assign(this, fields);
    this.#robots = NO_MEMOS;
    this.sketch = undefined;
  }

  toRecord(): HostRecord {
    return {
      host: this.host,
      turnAt: this.turnAt,
      lastFetchAt: this.lastFetchAt,
      crawlDelayMs: this.crawlDelayMs,
      backoff: this.backoff,
      latencyMs: this.latencyMs,
      errors: this.errors,
      errorsSince: this.errorsSince,
      downs: this.downs,
      address: this.address,
      quotaDay: this.quotaDay,
      fetchedToday: this.fetchedToday,
      newToday: this.newToday,
      fetched: this.fetched,
      failed: this.failed,
      bytes: this.bytes,
      authority: this.authority,
      quality: this.quality,
      inDomains: this.inDomains,
      hostClass: this.hostClass,
      changeMs: this.changeMs,
      watchedMs: this.watchedMs,
      flags: this.flags,
    };
  }

  /** Starts the day's counts anew when the day has changed. */
  countDay(now: Instant): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.quotaDay) return;
    this.quotaDay = day;
    this.fetchedToday = 0;
    this.newToday = 0;
  }

  /** Do its limits leave room for one more page (F7)? If not, it rests until they may. */
  hasRoom(policy: Politeness, now: Instant): boolean {
    const { pagesPerHostMax, quality } = policy;
    const part = (this.flags & HOST_FLAGS.content_farm) === 0 ? 1 : quality.farm.budget;
    const fetchesPerDayMax = part * policy.fetchesPerDayMax;
    this.countDay(now);
    if (this.fetchedToday >= fetchesPerDayMax) {
      this.turnAt = Math.max(this.turnAt, (this.quotaDay + 1) * DAY_MS);
      return false;
    }
    const open = this.openRequests;
    this.isFull =
      (pagesPerHostMax > 0 && this.fetched + open >= pagesPerHostMax) ||
      this.fetchedToday + open >= fetchesPerDayMax;
    return !this.isFull;
  }

  lease(url: Waiting): void {
    if (this.#leased === undefined) this.#leased = [url];
    else this.#leased.push(url);
  }

  /** The URL is leased no longer: settled, or back in the queue. */
  endLease(url: Waiting, isSettled: boolean): void {
    const at = this.#leased?.indexOf(url) ?? -1;
    if (at >= 0) this.#leased?.splice(at, 1);
    if (this.#leased?.length === 0) this.#leased = undefined;
    if (!isSettled || this.refilling !== 'loading') return;
    this.#settledMeanwhile ??= [];
    this.#settledMeanwhile.push(url);
  }

  isLeased(url: Waiting): boolean {
    return includes(this.#leased, url);
  }

  beginRefill(): void {
    this.refilling = 'loading';
    this.window.beginRefill();
  }

  refill(rows: readonly Waiting[], asked: number): void {
    const isTaken = (url: Waiting) =>
      includes(this.#leased, url) || includes(this.#settledMeanwhile, url);
    this.window.refill(rows, asked, isTaken);
    this.refilling = 'none';
    this.#settledMeanwhile = undefined;
  }

  robotsFor(origin: string, now: Instant): ReadRobots | undefined {
    const memo = this.#memo(origin);
    return memo !== undefined && memo.record.expiresAt > now ? memo : undefined;
  }

  /** The last answer for an origin, expired or not. */
  lastRobots(origin: string): RobotsRecord | undefined {
    return this.#memo(origin)?.record;
  }

  /** Both origins of a host are one server: the longer Crawl-delay holds. */
  setRobots(record: RobotsRecord, agent: string): void {
    const others = this.#robots.filter((memo) => memo.record.origin !== record.origin);
    this.#robots = [...others, readRobots(record)];
    const delays = this.#robots.map((memo) => memo.rules.crawlDelayMs(agent) ?? 0);
    this.crawlDelayMs = Math.min(CRAWL_DELAY_MS_MAX, Math.max(...delays));
  }

  robotsRecords(): RobotsRecord[] {
    return this.#robots.map((memo) => memo.record);
  }

  #memo(origin: string): ReadRobots | undefined {
    for (const memo of this.#robots) if (memo.record.origin === origin) return memo;
    return undefined;
  }
}

function includes(urls: readonly Waiting[] | undefined, url: Waiting): boolean {
  if (urls === undefined) return false;
  for (const one of urls) if (isSamePlace(one, url) && one.job === url.job) return true;
  return false;
}
