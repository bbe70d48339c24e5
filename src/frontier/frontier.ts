/**
 * The frontier: which URL is asked next, and when (F1, F3, F4, F6, P1–P5).
 *
 *              push                 turns.ts                take
 *   mention ─────────→ host ──→ its turn comes, best first ────────→ lease ──→ conclude, settle
 *                       ↑       (1 in 5 the oldest)                    │
 *                       └──────────────────────────────────────────────┘
 *
 * Pure and in memory: time and chance are arguments, and nothing here waits or writes. A store
 * remembers (../ports/shard-store.ts), and the owner of the arcs carries rows between the two:
 * `wanted()` says which hosts need URLs from the store, `refill()` brings them.
 */
import { assert } from '../base/assert.ts';
import type { Instant } from '../base/instant.ts';
import type { HostRecord, RobotsRecord, Waiting } from '../record/index.ts';
import { hostOf, originOf } from '../url/index.ts';
import { ArcHosts } from './arc-hosts.ts';
import { Attention } from './attention.ts';
import { Errands } from './errands.ts';
import type { Errand, Host } from './host.ts';
import { asksNothing, type JobGate, type Lease, type Marks, type PageLease } from './lease.ts';
import { Leases } from './leases.ts';
import type { Nearness, Taker } from './lines.ts';
import type { Politeness } from './policy.ts';
import { Ratings } from './ratings.ts';
import { restAddress, restLost } from './rest.ts';
import { robotsVerdict } from './robots-verdict.ts';
import { delayMsOf, type Exchange, noteExchange } from './turn.ts';
import { type Fits, Turns } from './turns.ts';
import { keepMaxOf } from './window.ts';

/** URLs not to be asked that one take() may hand out besides the leases asked for. */
const FORBIDDEN_PER_TAKE = 64;
/** Hosts that one take() may find without URLs at hand and send to the store. */
const UNREAD_PER_TAKE = 256;
const NO_MARKS: Marks = {};

export class Frontier {
  readonly policy: Politeness;
  readonly ratings: Ratings;
  readonly attention: Attention;
  readonly errands: Errands;
  /** Hosts as they come from the store, and leave with their arcs. */
  readonly arcs: ArcHosts;
  readonly #hosts = new Map<string, Host>();
  readonly #turns: Turns;
  readonly #wanted = new Set<Host>();
  readonly leases: Leases;
  /** Whose URLs are asked now; without one, everybody's. */
  gate: JobGate | undefined;

  constructor(policy: Politeness, leaseMs: number, random: () => number, near?: Nearness) {
    assert(policy.lanes === 1 || policy.delayMs === 0, 'several lanes only without politeness');
    this.policy = policy;
    this.leases = new Leases(leaseMs);
    this.#turns = new Turns(policy, random, near);
    this.ratings = new Ratings(this.#hosts, this.#turns);
    this.attention = new Attention(policy, this.#hosts);
    this.errands = new Errands(policy, this.#turns, (url) => this.#hostFor(hostOf(url)));
    const { attention, leases } = this;
    const [hosts, turns, wanted] = [this.#hosts, this.#turns, this.#wanted];
    this.arcs = new ArcHosts({ policy, hosts, turns, wanted, attention, leases });
  }

  // ---- what arrives -------------------------------------------------------------------

  /** Has the store a row of this host? The first URL of one that has none must bring it. */
  knows(host: string): boolean {
    return this.#hosts.get(host)?.isStored ?? false;
  }

  authorityOf(host: string): number {
    return this.#hosts.get(host)?.authority ?? 0.5;
  }

  /** More new URLs a day than any honest site has (F7), or spam (Q2): nothing more is taken. */
  isOverrun(host: string, now: Instant): boolean {
    const known = this.#hosts.get(host);
    if (known === undefined) return false;
    known.countDay(now);
    return known.isDenied || known.newToday >= this.policy.newPerDayMax;
  }

  /** URLs that the store has just taken in. */
  push(urls: readonly Waiting[], now: Instant): void {
    for (const url of urls) {
      const host = this.#hostFor(hostOf(url.url));
      host.isStored = true;
      host.countDay(now);
      if (!url.again) host.newToday++;
      if (!url.again) this.attention.took(host);
      this.#add(host, url);
    }
  }

  /** URLs that come back from the shelf: they are not new, and wait again. */
  pushBack(urls: readonly Waiting[]): void {
    for (const url of urls) this.#add(this.#hostFor(hostOf(url.url)), url);
  }

  #add(host: Host, url: Waiting): void {
    // A refill may have seen the commit first, and its URL may have been leased since.
    if (!host.isLeased(url)) host.window.add(url, this.#keepMax);
    this.#turns.offer(host);
  }

  /** A visit has it in its hands. */
  isOut(url: Waiting): boolean {
    return this.#hosts.get(hostOf(url.url))?.isLeased(url) ?? false;
  }

  // ---- rows that live in the store ----------------------------------------------------

  /** How many URLs a refill should bring. */
  refillSize(host: Host): number {
    return host.window.refillSize(this.#keepMax);
  }

  /** Hosts whose window runs low; each is handed out once until its refill. */
  wanted(max: number): Host[] {
    const hosts: Host[] = [];
    for (const host of this.#wanted) {
      if (hosts.length >= max) break;
      this.#wanted.delete(host);
      host.beginRefill();
      hosts.push(host);
    }
    return hosts;
  }

  refill(
    host: Host,
    rows: readonly Waiting[],
    asked: number,
    robots: readonly RobotsRecord[] | undefined,
    sketch?: Uint8Array,
  ): void {
    if (host.presence === 'gone') return;
    if (robots !== undefined && !host.hydrated) {
      this.#learnRobots(host, robots);
      this.attention.hydrate(host, sketch);
      host.hydrated = true;
    }
    host.refill(rows, asked);
    this.#turns.offer(host);
  }

  // ---- what leaves --------------------------------------------------------------------

  /**
   * Up to `requests` leases, at most `pages` of them for pages, one a host, only where a turn
   * has come, and only those that `fit`; near `region` first. URLs that are not to be asked come
   * along, marked, and count as neither.
   */
  take(requests: number, pages: number, now: Instant, fits?: Fits, region = ''): Lease[] {
    const by = { region, now };
    this.#turns.wake(by);
    const [leases, passed]: [Lease[], Host[]] = [[], []];
    let [requestsLeft, pagesLeft] = [requests, pages];
    const leasesMax = requests + FORBIDDEN_PER_TAKE;
    while (requestsLeft > 0 && leases.length < leasesMax) {
      if (this.#wanted.size >= UNREAD_PER_TAKE) break;
      const pick = pagesLeft > 0 ? 'pick' : 'pickErrand';
      const host = this.#turns[pick](by, fits, passed);
      if (host === undefined) break;
      const lease = this.#leaseFrom(host, leases, now);
      if (lease === undefined) {
        this.#turns.offer(host);
        continue;
      }
      requestsLeft--;
      if (lease.kind === 'page') pagesLeft--;
      leases.push(lease);
      this.#turns.open(host);
    }
    this.#turns.bringBack(passed);
    return leases;
  }

  /**
   * The address that the lease's host turned out to have. False when another host there has
   * the turn: the URL is back in the queue, and nothing may be sent.
   */
  bind(lease: Lease, address: string, now: Instant): boolean {
    if (!this.leases.isOpen(lease)) return false;
    if (this.#turns.bind(lease.host, address, now)) return true;
    this.#giveBack(lease);
    return false;
  }

  /**
   * The host's record after an exchange, or after none was allowed, to be committed; undefined
   * when the lease is lost. From here on it cannot end by itself: a commit may take its time.
   */
  conclude(lease: Lease, exchange: Exchange | undefined, bytes: number): HostRecord | undefined {
    if (!this.leases.conclude(lease)) return undefined;
    const { host } = lease;
    if (exchange !== undefined) this.#note(lease, exchange, bytes);
    return host.toRecord();
  }

  /** After the commit: the lease ends, the host waits for its next turn. */
  settle(lease: Lease): void {
    const { host } = lease;
    const was = this.leases.end(lease);
    if (was === undefined) return;
    if (was !== 'open') host.isStored = true;
    if (lease.kind === 'page') host.endLease(lease.waiting, true);
    if (was === 'detached') return;
    if (lease.kind === 'robots' || !asksNothing(lease)) this.#turns.close(host);
    else this.#turns.offer(host);
  }

  /** After conclude(): the host is free for others, while what was brought is rendered (J1). */
  detach(lease: PageLease): void {
    if (this.leases.detach(lease)) this.#turns.close(lease.host);
  }

  /** Back into the queue; with `sentAt` a request may be out, and the host waits a pause. */
  release(lease: Lease, sentAt?: Instant): void {
    if (!this.leases.isOpen(lease)) return;
    if (sentAt !== undefined) restLost(lease.host, sentAt, this.policy);
    this.#giveBack(lease);
  }

  /**
   * Back into the queue whatever it has come to: what it brought could not be kept, and nobody
   * has written when its host was asked. The host waits a pause.
   */
  giveUp(lease: Lease, now: Instant): void {
    const was = this.leases.end(lease);
    if (was === undefined) return;
    restLost(lease.host, now, this.policy);
    this.#putBack(lease);
    const isOpen = lease.kind === 'robots' || !asksNothing(lease);
    if (isOpen && was !== 'detached') this.#turns.close(lease.host);
    else this.#turns.offer(lease.host);
  }

  /** The refill did not come about: it is asked for again when the host's turn has come. */
  refillLater(host: Host): void {
    host.refilling = 'none';
    this.#turns.offer(host);
  }

  /** Takes back leases that ended unsettled. Their requests may be out: the host waits a pause. */
  expire(now: Instant): number {
    let ended = 0;
    for (const lease of this.leases.open()) {
      if (lease.until > now) break;
      restLost(lease.host, now, this.policy);
      this.#giveBack(lease);
      ended++;
    }
    return ended;
  }

  // ---- robots -------------------------------------------------------------------------

  /** A robots.txt was read, or could not be: the host that needed it goes on. */
  setRobots(errand: Errand, record: RobotsRecord, retryAt: Instant): RobotsRecord[] {
    const owner = errand.for;
    this.#learnRobots(owner, [record]);
    owner.turnAt = Math.max(owner.turnAt, retryAt);
    owner.isAwaitingRobots = false;
    this.#turns.offer(owner);
    return owner.robotsRecords();
  }

  // ---- what can be seen ---------------------------------------------------------------

  delayMsOf(lease: Lease): number {
    return delayMsOf(lease.host.host, lease.host, this.policy);
  }

  /** The next instant at which something can be taken; undefined when nothing waits for time. */
  nextAt(by?: Taker): Instant | undefined {
    return this.#turns.nextAt(by);
  }

  stats(): { hosts: number; ready: number; sleeping: number; leased: number; wanted: number } {
    const { readySize: ready, sleepingSize: sleeping } = this.#turns;
    const [{ size: leased }, { size: wanted }] = [this.leases, this.#wanted];
    return { hosts: this.#hosts.size, ready, sleeping, leased, wanted };
  }

  // ---- inside -------------------------------------------------------------------------

  #hostFor(name: string): Host {
    return this.#hosts.get(name) ?? this.arcs.met(name);
  }

  #note(lease: Lease, exchange: Exchange, bytes: number): void {
    const { host } = lease;
    noteExchange(host.host, host, exchange, this.policy);
    restAddress(host, exchange.answeredAt, this.policy);
    host.countDay(exchange.endedAt);
    host.fetchedToday++;
    host.bytes += bytes;
    if (lease.kind === 'page') {
      if (exchange.sign !== 'well') host.failed++;
      else if (!lease.waiting.again || lease.waiting.fails > 0) host.fetched++;
    }
    this.#turns.offer(host);
  }

  /** What to ask this host now; what is on the way and not to be asked is added to `leases`. */
  #leaseFrom(host: Host, leases: Lease[], now: Instant): Lease | undefined {
    for (let passed = 0; passed < FORBIDDEN_PER_TAKE; passed++) {
      const [errand] = host.errands;
      if (errand !== undefined) return this.#leaseRobots(host, errand, now);
      if (this.#isHeldBack(host, now)) return undefined;
      const next = host.window.peek();
      if (next === undefined) return undefined;
      const marks = this.#marksOf(host, next, now);
      if (marks === undefined) continue;
      host.window.drop();
      this.#readAhead(host);
      const lease = this.leases.page(host, next, marks, now);
      host.lease(next);
      if (!asksNothing(marks)) return lease;
      leases.push(lease);
    }
    return undefined;
  }

  /** What speaks against it; undefined when robots.txt must be read first. */
  #marksOf(host: Host, next: Waiting, now: Instant): Marks | undefined {
    const { job = 0 } = next;
    const aside = this.gate?.(job, this.leases.underWay(job));
    if (aside !== undefined) return { aside };
    const origin = originOf(next.url);
    const robots = host.robotsFor(origin, now);
    if (robots === undefined) {
      host.errands = [{ url: `${origin}/robots.txt`, origin, for: host, hops: 0, job }];
      return undefined;
    }
    const forbidden =
      robotsVerdict(robots, this.policy.agent, next.url) ??
      this.attention.passOver(host, next, now);
    return forbidden === undefined ? NO_MARKS : { forbidden };
  }

  /** No URL at hand, or none allowed today. */
  #isHeldBack(host: Host, now: Instant): boolean {
    if (!host.isUnread) return !host.hasRoom(this.policy, now);
    this.#want(host);
    return true;
  }

  #leaseRobots(host: Host, errand: Errand, now: Instant): Lease {
    host.errands = host.errands.slice(1);
    if (errand.for === host && !errand.isProbe) host.isAwaitingRobots = true;
    return this.leases.robots(host, errand, now);
  }

  #giveBack(lease: Lease): void {
    this.leases.end(lease);
    this.#putBack(lease);
    this.#turns.close(lease.host);
  }

  #putBack(lease: Lease): void {
    const { host } = lease;
    if (lease.kind === 'page') {
      host.endLease(lease.waiting, false);
      host.window.add(lease.waiting, this.#keepMax);
    } else {
      host.errands = [lease.errand, ...host.errands];
      if (lease.errand.for === host && !lease.errand.isProbe) host.isAwaitingRobots = false;
    }
  }

  /** A Crawl-delay that was not known at the last request counts from that request, too. */
  #learnRobots(host: Host, records: readonly RobotsRecord[]): void {
    const before = delayMsOf(host.host, host, this.policy);
    for (const record of records) host.setRobots(record, this.policy.agent);
    host.turnAt += Math.max(0, delayMsOf(host.host, host, this.policy) - before);
  }

  /** Sends an active host to the store before it runs dry. */
  #readAhead(host: Host): void {
    if (host.window.hasMore && host.window.size < this.#keepMax / 8) this.#want(host);
  }

  #want(host: Host): void {
    if (host.refilling !== 'none') return;
    host.refilling = 'wanted';
    this.#wanted.add(host);
  }

  get #keepMax(): number {
    return keepMaxOf(this.#hosts.size);
  }
}
