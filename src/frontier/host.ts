/**
 * One host in the memory of its owner: its turn, its window of URLs, its robots, its leases.
 *
 * A host is in one place at a time: in its group's heap (it has something to ask), away at
 * the store for a refill, waiting for a robots.txt on another host, or idle.
 */
import type { HeapItem } from '../base/heap.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { HostKey, HostRecord, RobotsRecord, UrlKey, Waiting } from '../record/index.ts';
import { parseRobots, type Robots, robotsFromStatus } from '../robots/index.ts';
import type { Group } from './group.ts';
import type { Manners } from './turn.ts';
import { Window } from './window.ts';

/** A robots.txt to fetch: for this host's own origin, or for another host that was sent here. */
export interface Errand {
  readonly url: string;
  readonly origin: string;
  readonly for: Host;
  readonly hops: number;
}

interface RobotsMemo {
  readonly record: RobotsRecord;
  readonly rules: Robots;
}

export class Host implements HeapItem, Manners {
  heapAt = -1;
  readonly host: string;
  readonly key: HostKey;
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
  flags: number;

  group: Group;
  readonly window: Window;
  readonly errands: Errand[] = [];
  readonly #robots = new Map<string, RobotsMemo>();
  /** Its robots rows have been read from the store. */
  hydrated: boolean;
  isLoading = false;
  /** Waits for a robots.txt that another host serves. */
  isAwaitingRobots = false;
  /** Leased URLs, and those settled while a refill is on its way: a refill must not bring them. */
  readonly leased: UrlKey[] = [];
  readonly settledMeanwhile: UrlKey[] = [];
  openRequests = 0;
  /** The crawl wants no more pages of it; not remembered, because the next run may. */
  isFull = false;

  constructor(record: HostRecord, key: HostKey, group: Group, isKnown: boolean) {
    this.host = record.host;
    this.key = key;
    this.group = group;
    this.window = new Window(isKnown ? 'nothing' : 'all');
    this.hydrated = !isKnown;
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
    this.flags = record.flags;
  }

  /** The store has URLs of it, or may have, and none is at hand. */
  get isUnread(): boolean {
    return !this.hydrated || (this.window.size === 0 && this.window.hasMore);
  }

  toRecord(): HostRecord {
    const { host, turnAt, lastFetchAt, crawlDelayMs, backoff, latencyMs, errors, errorsSince } =
      this;
    const { downs, address, quotaDay, fetchedToday, newToday, fetched, failed, bytes } = this;
    const { authority, flags } = this;
    return {
      ...{ host, turnAt, lastFetchAt, crawlDelayMs, backoff, latencyMs, errors, errorsSince },
      ...{ downs, address, quotaDay, fetchedToday, newToday, fetched, failed, bytes },
      ...{ authority, flags },
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

  isTaken(url: Waiting): boolean {
    const same = (key: UrlKey) => key.equals(url.key);
    return this.leased.some(same) || this.settledMeanwhile.some(same);
  }

  robotsFor(origin: string, now: Instant): RobotsMemo | undefined {
    const memo = this.#robots.get(origin);
    return memo !== undefined && memo.record.expiresAt > now ? memo : undefined;
  }

  /** The last answer for an origin, expired or not. */
  lastRobots(origin: string): RobotsRecord | undefined {
    return this.#robots.get(origin)?.record;
  }

  setRobots(record: RobotsRecord, agent: string): void {
    const rules = rulesOf(record);
    this.#robots.set(record.origin, { record, rules });
    this.crawlDelayMs = rules.crawlDelayMs(agent) ?? 0;
  }

  robotsRecords(): RobotsRecord[] {
    return [...this.#robots.values()].map((memo) => memo.record);
  }
}

export function rulesOf(record: RobotsRecord): Robots {
  if (record.status >= 200 && record.status < 300) return parseRobots(record.body);
  return robotsFromStatus(record.status === 0 ? 'unreachable' : record.status);
}
