/**
 * The frontier: which URL is asked next, and when (F1, F3, F4, F6, P1–P5).
 *
 *              push                 wake(now)               take
 *   mention ─────────→ host ──→ group sleeps ──→ ready ────────────→ lease ──→ conclude, settle
 *                       ↑        until its turn  (best first,           │
 *                       │                         1 in 5 the oldest)    │
 *                       └───────────────────────────────────────────────┘
 *
 * Pure and in memory: time and chance are arguments, and nothing here waits or writes. A store
 * remembers (../ports/shard-store.ts), and the owner of the arcs carries rows between the two:
 * `wanted()` says which hosts need URLs from the store, `refill()` brings them.
 */
import { assert } from '../base/assert.ts';
import { Heap } from '../base/heap.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../base/instant.ts';
import {
  blankHost,
  type HostRecord,
  hostKeyOf,
  type RobotsRecord,
  type Waiting,
} from '../record/index.ts';
import { hostOf, originOf } from '../url/index.ts';
import { Group } from './group.ts';
import { type Errand, Host } from './host.ts';
import type { Forbidden, Lease, PageLease, RobotsLease } from './lease.ts';
import type { Politeness } from './policy.ts';
import { Ready } from './ready.ts';
import { delayMsOf, type Exchange, noteExchange } from './turn.ts';

/** Forbidden URLs that one take() may hand out besides the leases asked for. */
const FORBIDDEN_PER_TAKE = 64;
/** Hosts that one take() may find without URLs at hand and send to the store. */
const UNREAD_PER_TAKE = 256;
/** URLs held in memory over all hosts, about; each host keeps its share of them (F6). */
const URLS_IN_MEMORY = 500_000;
const KEEP_MIN = 4;
const KEEP_MAX = 64;

export class Frontier {
  readonly policy: Politeness;
  readonly #leaseMs: number;
  readonly #hosts = new Map<string, Host>();
  readonly #groups = new Map<string, Group>();
  readonly #sleeping = new Heap<Group>((a, b) => a.readyAt < b.readyAt);
  readonly #ready: Ready;
  readonly #wanted = new Set<Host>();
  readonly #leases = new Map<number, Lease>();
  #lastLease = 0;
  #wokenAt: Instant = 0;

  constructor(policy: Politeness, leaseMs: number, random: () => number) {
    assert(policy.lanes === 1 || policy.delayMs === 0, 'several lanes only without politeness');
    this.policy = policy;
    this.#leaseMs = leaseMs;
    this.#ready = new Ready(random);
  }

  // ---- what arrives -------------------------------------------------------------------

  /**
   * A host from the store. After an unclean end nobody knows which requests were on their way
   * when the process died, so every host waits out one whole pause from now (P5).
   */
  restore(record: HostRecord, now: Instant, clean: boolean): void {
    const group = this.#groupFor(record.address);
    const host = new Host(record, hostKeyOf(record.host), group, true);
    this.#hosts.set(record.host, host);
    const { addressDelayMs } = this.policy;
    if (!clean) host.turnAt = Math.max(host.turnAt, now + delayMsOf(host.host, host, this.policy));
    if (!clean || now - record.lastFetchAt < addressDelayMs + MINUTE_MS) {
      group.turnAt = now + addressDelayMs;
    }
    this.#offer(host);
  }

  knows(host: string): boolean {
    return this.#hosts.has(host);
  }

  authorityOf(host: string): number {
    return this.#hosts.get(host)?.authority ?? 0.5;
  }

  /** A host with more new URLs a day than any honest site has: nothing more is taken from it (F7). */
  isOverrun(host: string, now: Instant): boolean {
    const known = this.#hosts.get(host);
    if (known === undefined) return false;
    known.countDay(now);
    return known.newToday >= this.policy.newPerDayMax;
  }

  /** URLs that the store has just taken in. */
  push(urls: readonly Waiting[], now: Instant): void {
    for (const url of urls) {
      const host = this.#hostFor(hostOf(url.url));
      host.countDay(now);
      if (!url.again) host.newToday++;
      host.window.add(url, this.#keepMax);
      this.#offer(host);
    }
  }

  // ---- rows that live in the store ----------------------------------------------------

  /** How many URLs a refill should bring. */
  get refillSize(): number {
    return Math.ceil(this.#keepMax / 2);
  }

  /** Hosts whose window runs low; each is handed out once until its refill. */
  wanted(max: number): Host[] {
    const hosts: Host[] = [];
    for (const host of this.#wanted) {
      if (hosts.length >= max) break;
      this.#wanted.delete(host);
      host.isLoading = true;
      host.window.beginRefill();
      hosts.push(host);
    }
    return hosts;
  }

  refill(
    host: Host,
    rows: readonly Waiting[],
    asked: number,
    robots: readonly RobotsRecord[] | undefined,
  ): void {
    host.isLoading = false;
    if (robots !== undefined && !host.hydrated) {
      for (const record of robots) host.setRobots(record, this.policy.agent);
      host.hydrated = true;
    }
    host.window.refill(rows, asked, (url) => host.isTaken(url));
    host.settledMeanwhile.length = 0;
    this.#offer(host);
  }

  // ---- what leaves --------------------------------------------------------------------

  /**
   * Up to `requests` leases, at most `pages` of them for pages, one a host, only where a turn
   * has come. URLs that robots.txt forbids come along, marked, and count as neither.
   */
  take(requests: number, pages: number, now: Instant): Lease[] {
    this.#wake(now);
    const leases: Lease[] = [];
    let requestsLeft = requests;
    let pagesLeft = pages;
    const leasesMax = requests + FORBIDDEN_PER_TAKE;
    while (requestsLeft > 0 && pagesLeft > 0 && leases.length < leasesMax) {
      if (this.#wanted.size >= UNREAD_PER_TAKE) break;
      const group = this.#ready.pick();
      if (group === undefined) break;
      const host = group.hosts.peek() as Host;
      const lease = this.#leaseFrom(host, leases, now);
      if (lease !== undefined) {
        requestsLeft--;
        if (lease.kind === 'page') pagesLeft--;
        leases.push(lease);
        host.openRequests++;
        group.openRequests++;
      }
      this.#offer(host);
    }
    return leases;
  }

  /**
   * The address that the lease's host turned out to have. False when another host there has
   * the turn: the URL is back in the queue, and nothing may be sent.
   */
  bind(lease: Lease, address: string, now: Instant): boolean {
    const { host } = lease;
    if (!this.#leases.has(lease.id)) return false;
    if (!this.#groupsByAddress || host.group.address === address) return true;
    this.#leave(host);
    host.address = address;
    host.group = this.#groupFor(address);
    if (host.group.openRequests === 0 && host.group.turnAt <= now) {
      host.group.openRequests++;
      this.#place(host.group);
      return true;
    }
    host.group.openRequests++;
    this.#giveBack(lease);
    return false;
  }

  /** The host's record after an exchange, to be committed; undefined when the lease is lost. */
  conclude(lease: Lease, exchange: Exchange, bytes: number): HostRecord | undefined {
    const { host } = lease;
    if (!this.#leases.has(lease.id)) return undefined;
    noteExchange(host.host, host, exchange, this.policy);
    const { addressDelayMs } = this.policy;
    host.group.turnAt = Math.max(host.group.turnAt, exchange.answeredAt + addressDelayMs);
    host.countDay(exchange.endedAt);
    host.fetchedToday++;
    host.bytes += bytes;
    if (lease.kind === 'page') {
      if (exchange.sign === 'well') host.fetched++;
      else host.failed++;
    }
    return host.toRecord();
  }

  /** After the commit: the lease ends, the host waits for its next turn. */
  settle(lease: Lease): void {
    if (!this.#leases.delete(lease.id)) return;
    const { host } = lease;
    if (lease.kind === 'page') {
      removeKey(host, lease.waiting);
      if (host.isLoading) host.settledMeanwhile.push(lease.waiting.key);
    }
    this.#close(lease);
  }

  /** Back into the queue, as if never leased; the host's turn stays as it is. */
  release(lease: Lease): void {
    if (this.#leases.has(lease.id)) this.#giveBack(lease);
  }

  /** Takes back leases that ended unsettled. Their requests may be out: the host waits a pause. */
  expire(now: Instant): number {
    let ended = 0;
    for (const lease of this.#leases.values()) {
      if (lease.until > now) break;
      const { host } = lease;
      host.turnAt = Math.max(host.turnAt, now + delayMsOf(host.host, host, this.policy));
      host.group.turnAt = Math.max(host.group.turnAt, now + this.policy.addressDelayMs);
      this.#giveBack(lease);
      ended++;
    }
    return ended;
  }

  // ---- robots -------------------------------------------------------------------------

  /** A robots.txt was read, or could not be: the host that needed it goes on. */
  setRobots(errand: Errand, record: RobotsRecord, retryAt: Instant): RobotsRecord[] {
    const owner = errand.for;
    owner.setRobots(record, this.policy.agent);
    owner.turnAt = Math.max(owner.turnAt, retryAt);
    owner.isAwaitingRobots = false;
    this.#offer(owner);
    return owner.robotsRecords();
  }

  /** A robots.txt that redirects: its target waits for the turn of the host it is on (H2). */
  forwardErrand(errand: Errand, url: string): void {
    const target = this.#hostFor(hostOf(url));
    errand.for.isAwaitingRobots = target !== errand.for;
    target.errands.push({ ...errand, url, hops: errand.hops + 1 });
    this.#offer(target);
    this.#offer(errand.for);
  }

  // ---- what can be seen ---------------------------------------------------------------

  delayMsOf(lease: Lease): number {
    return delayMsOf(lease.host.host, lease.host, this.policy);
  }

  /** The next instant at which something can be taken; undefined when nothing waits for time. */
  nextAt(): Instant | undefined {
    return this.#ready.size > 0 ? 0 : this.#sleeping.peek()?.readyAt;
  }

  stats(): { hosts: number; ready: number; sleeping: number; leased: number; wanted: number } {
    return {
      hosts: this.#hosts.size,
      ready: this.#ready.size,
      sleeping: this.#sleeping.size,
      leased: this.#leases.size,
      wanted: this.#wanted.size,
    };
  }

  *hostRecords(): Iterable<HostRecord> {
    for (const host of this.#hosts.values()) yield host.toRecord();
  }

  // ---- inside -------------------------------------------------------------------------

  get #groupsByAddress(): boolean {
    return this.policy.addressDelayMs > 0;
  }

  #hostFor(name: string): Host {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host = new Host(blankHost(name), hostKeyOf(name), new Group(''), false);
    this.#hosts.set(name, host);
    return host;
  }

  #groupFor(address: string): Group {
    if (address === '' || !this.#groupsByAddress) return new Group('');
    let group = this.#groups.get(address);
    if (group === undefined) {
      group = new Group(address);
      this.#groups.set(address, group);
    }
    return group;
  }

  #wake(now: Instant): void {
    this.#wokenAt = now;
    for (let next = this.#sleeping.peek(); next !== undefined && next.readyAt <= now; ) {
      this.#sleeping.remove(next);
      this.#ready.add(next);
      next = this.#sleeping.peek();
    }
  }

  /** What to ask this host now; forbidden URLs on the way are added to `leases`. */
  #leaseFrom(host: Host, leases: Lease[], now: Instant): Lease | undefined {
    for (let passed = 0; passed < FORBIDDEN_PER_TAKE; passed++) {
      const errand = host.errands.shift();
      if (errand !== undefined) return this.#leaseRobots(host, errand, now);
      if (this.#isHeldBack(host, now)) return undefined;
      const next = host.window.peek();
      if (next === undefined) return undefined;
      const forbidden = this.#robotsVerdict(host, next, now);
      if (forbidden === 'unknown') continue;
      host.window.take();
      this.#readAhead(host);
      const lease = this.#leasePage(host, next, forbidden, now);
      if (forbidden === undefined) return lease;
      leases.push(lease);
    }
    return undefined;
  }

  /** No URL at hand, or none allowed today. */
  #isHeldBack(host: Host, now: Instant): boolean {
    if (host.isUnread) {
      this.#wanted.add(host);
      return true;
    }
    const { pagesPerHostMax, fetchesPerDayMax } = this.policy;
    if (pagesPerHostMax > 0 && host.fetched + host.openRequests >= pagesPerHostMax) {
      host.isFull = true;
      return true;
    }
    host.countDay(now);
    if (host.fetchedToday < fetchesPerDayMax) return false;
    host.turnAt = Math.max(host.turnAt, (host.quotaDay + 1) * DAY_MS);
    return true;
  }

  /** Undefined when allowed; 'unknown' queues the errand that finds out. */
  #robotsVerdict(host: Host, next: Waiting, now: Instant): Forbidden | undefined | 'unknown' {
    const origin = originOf(next.url);
    const memo = host.robotsFor(origin, now);
    if (memo === undefined) {
      host.errands.push({ url: `${origin}/robots.txt`, origin, for: host, hops: 0 });
      return 'unknown';
    }
    const verdict = memo.rules.isAllowed(this.policy.agent, next.url);
    if (verdict.allowed) return undefined;
    const { status, expiresAt } = memo.record;
    const reason =
      verdict.line === undefined
        ? `robots.txt could not be read (${status === 0 ? 'no answer' : status}): nothing is allowed`
        : `robots.txt line ${verdict.line} forbids it: ${verdict.rule}`;
    return { reason, until: verdict.line === undefined ? expiresAt : 0 };
  }

  #leasePage(
    host: Host,
    waiting: Waiting,
    forbidden: Forbidden | undefined,
    now: Instant,
  ): PageLease {
    const id = ++this.#lastLease;
    const until = now + this.#leaseMs;
    const terms = { kind: 'page', id, host, url: waiting.url, until, waiting } as const;
    const lease: PageLease = forbidden === undefined ? terms : { ...terms, forbidden };
    this.#leases.set(id, lease);
    host.leased.push(waiting.key);
    return lease;
  }

  #leaseRobots(host: Host, errand: Errand, now: Instant): RobotsLease {
    const id = ++this.#lastLease;
    const until = now + this.#leaseMs;
    const lease: RobotsLease = { kind: 'robots', id, host, url: errand.url, until, errand };
    if (errand.for === host) host.isAwaitingRobots = true;
    this.#leases.set(id, lease);
    return lease;
  }

  #giveBack(lease: Lease): void {
    this.#leases.delete(lease.id);
    const { host } = lease;
    if (lease.kind === 'page') {
      removeKey(host, lease.waiting);
      host.window.add(lease.waiting, this.#keepMax);
    } else {
      host.errands.unshift(lease.errand);
      if (lease.errand.for === host) host.isAwaitingRobots = false;
    }
    this.#close(lease);
  }

  /** The request of a lease is over; a forbidden URL had none. */
  #close(lease: Lease): void {
    const { host } = lease;
    if (lease.kind !== 'page' || lease.forbidden === undefined) {
      host.openRequests--;
      host.group.openRequests--;
    }
    this.#offer(host);
  }

  /** Sends an active host to the store before it runs dry. */
  #readAhead(host: Host): void {
    const { window } = host;
    if (window.hasMore && window.size < this.#keepMax / 8 && !host.isLoading)
      this.#wanted.add(host);
  }

  /** Puts the host where it belongs now: into its group's heap, or out of it. */
  #offer(host: Host): void {
    const { group } = host;
    const isOffered = group.hosts.has(host);
    const canBeAsked = host.openRequests < this.policy.lanes && this.#hasSomethingToAsk(host);
    if (canBeAsked && !isOffered) group.hosts.push(host);
    else if (canBeAsked) group.hosts.moved(host);
    else if (isOffered) group.hosts.remove(host);
    this.#place(group);
  }

  #hasSomethingToAsk(host: Host): boolean {
    if (host.errands.length > 0) return true;
    if (host.isAwaitingRobots || host.isFull) return false;
    if (host.isUnread) return !host.isLoading && !this.#wanted.has(host);
    return host.window.size > 0;
  }

  /** Puts the group where it belongs now: ready, asleep until its turn, or nowhere. */
  #place(group: Group): void {
    const waits = group.openRequests < this.policy.lanes && group.hosts.size > 0;
    if (this.#ready.has(group)) {
      if (waits && group.readyAt <= this.#wokenAt) {
        this.#ready.moved(group);
        return;
      }
      this.#ready.remove(group);
    }
    const asleep = this.#sleeping.has(group);
    if (waits && asleep) this.#sleeping.moved(group);
    else if (waits) this.#sleeping.push(group);
    else if (asleep) this.#sleeping.remove(group);
  }

  get #keepMax(): number {
    const share = Math.floor(URLS_IN_MEMORY / Math.max(1, this.#hosts.size));
    return Math.min(KEEP_MAX, Math.max(KEEP_MIN, share));
  }

  /** Takes a host with an open request out of its group. */
  #leave(host: Host): void {
    const { group } = host;
    group.openRequests--;
    if (group.hosts.has(host)) group.hosts.remove(host);
    this.#place(group);
  }
}

function removeKey(host: Host, waiting: Waiting): void {
  const at = host.leased.findIndex((key) => key.equals(waiting.key));
  if (at >= 0) host.leased.splice(at, 1);
}
