/**
 * A world for the frontier in virtual time: servers, a store and a walker, each as simple as
 * can be, and a watcher that knows what must never happen.
 *
 *   walker   take → bind → answer → commit → deliver     as ../crawl/ does, one step at a time
 *   store    rows of URLs, hosts and robots; a commit is seen by readers before it is delivered
 *   watcher  notes when each host and address was asked, and complains
 */
import assert from 'node:assert/strict';
import { type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import { seededRandom } from '../base/random.ts';
import {
  blankHost,
  decodeHost,
  decodeRobots,
  encodeRobots,
  type HostRecord,
  type RobotsRecord,
  rankOf,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import {
  asksNothing,
  exchangeOf,
  Frontier,
  judge,
  type Lease,
  type PageLease,
  type Politeness,
  type RobotsLease,
  robotsRecord,
} from './index.ts';
import { WorldJobs } from './world-jobs.testkit.ts';
import { hostRow, newUrl, type Open, type Refill, waitingAfter } from './world-rows.testkit.ts';
import {
  type Answer,
  bodyForbids,
  delayIn,
  isUnreadable,
  NEARNESS,
  outcomeOf,
  type RobotsKind,
  robotsOutcome,
} from './world-servers.testkit.ts';
import { Watcher } from './world-watcher.testkit.ts';

export const LEASE_MS = 60 * SECOND_MS;

export class World {
  now: Instant = Date.UTC(2026, 0, 1, 23, 59, 30);
  readonly policy: Politeness;
  readonly robots: RobotsKind[];
  readonly addressOf: number[];
  readonly #random: () => number;
  frontier: Frontier;
  open: Open[] = [];
  refills: Refill[] = [];
  /** Commits that the frontier has not been told of, in their order. */
  undelivered: (() => void)[] = [];
  readonly rows = new Map<string, Waiting>();
  readonly jobs = new WorldJobs(this.rows);
  readonly due = new Map<string, { at: Instant; waiting: Waiting }>();
  readonly hostRows = new Map<string, Buffer>();
  readonly robotsRows = new Map<string, Buffer>();
  readonly settled = new Set<string>();
  readonly leased = new Set<string>();
  readonly #watcher: Watcher;
  pushed = 0;
  #cleanFrom: Instant = 0;

  constructor(policy: Politeness, robots: RobotsKind[], addressOf: number[], seed: number) {
    this.policy = policy;
    this.#watcher = new Watcher(policy);
    this.robots = robots;
    this.addressOf = addressOf;
    const random = seededRandom(seed);
    this.#random = () => random.next();
    this.frontier = this.#newFrontier();
  }

  #newFrontier(): Frontier {
    const frontier = new Frontier(this.policy, LEASE_MS, this.#random, NEARNESS);
    frontier.gate = this.jobs.gate;
    return frontier;
  }

  hostName(i: number): string {
    return `h${i % this.robots.length}.example`;
  }

  #indexOf(host: string): number {
    return Number(host.slice(1, host.indexOf('.')));
  }

  // ---- the walker ---------------------------------------------------------------------

  /** New URLs: committed now, delivered to the frontier now or later. */
  push(hostAt: number, count: number, priority: number, isLate: boolean): void {
    const host = this.hostName(hostAt);
    const urls = Array.from({ length: count }, () =>
      newUrl(++this.pushed, host, priority, this.now),
    );
    if (!this.frontier.knows(host)) this.#writeHost(blankHost(host));
    for (const url of urls) this.rows.set(url.url, url);
    const deliver = () => this.frontier.push(urls, this.now);
    this.undelivered.push(deliver);
    if (!isLate) this.deliver();
  }

  deliver(): void {
    for (const deliver of this.undelivered.splice(0)) deliver();
  }

  take(requests: number, pages: number, region = ''): void {
    const nextAt = this.frontier.nextAt({ region, now: this.now });
    const leases = this.frontier.take(requests, pages, this.now, undefined, region);
    const asked = leases.filter(isRequest);
    assert.ok(asked.length <= requests, 'no more requests than asked for');
    assert.ok(asked.filter((l) => l.kind === 'page').length <= pages, 'no more pages either');
    if (leases.length > 0) assert.ok((nextAt ?? Infinity) <= this.now, 'nextAt() was not late');
    for (const lease of leases) {
      if (lease.kind === 'page') this.#watchPage(lease);
      if (isRequest(lease)) this.#watcher.take(lease.host.host, this.now);
      this.open.push({ lease, phase: 'leased' });
    }
  }

  #watchPage(lease: PageLease): void {
    const { url, host } = lease;
    this.jobs.watch(lease);
    if (lease.aside !== undefined) return;
    assert.ok(!this.leased.has(url), `${url} is leased once at a time`);
    assert.ok(this.rows.has(url), `${url} waits`);
    assert.ok(!this.settled.has(url), `${url} is not settled`);
    this.leased.add(url);
    const record = this.#robotsOf(host.host).find((r) => url.startsWith(`${r.origin}/`));
    const mayBeNewer = host.lastRobots(url.slice(0, url.indexOf('/', 8)));
    const known = mayBeNewer ?? record;
    assert.ok(known !== undefined && known.expiresAt > this.now, 'robots were read before');
    const isForbidden = isUnreadable(known.status) || bodyForbids(known.body, url);
    assert.equal(lease.forbidden !== undefined, isForbidden, `robots and ${url}`);
    if (lease.forbidden !== undefined) return;
    this.#watcher.takePage(host.host, this.now);
  }

  /** Moves one visit on: address, answer and commit, delivery. */
  step(at: number, answer: Answer): void {
    const visit = this.open[at % Math.max(1, this.open.length)];
    if (visit === undefined) return;
    if (visit.phase === 'committed') this.deliver();
    else if (visit.lease.kind === 'page' && visit.lease.aside !== undefined) {
      this.jobs.setAside(visit.lease);
      this.#commit(visit);
    } else if (visit.lease.kind === 'page' && visit.lease.forbidden !== undefined) {
      this.#commitForbidden(visit, visit.lease);
    } else if (visit.phase === 'leased') this.#bind(visit);
    else if (visit.lease.kind === 'robots') this.#answerRobots(visit, visit.lease, answer);
    else this.#answerPage(visit, visit.lease, answer);
  }

  #bind(visit: Open): void {
    const { lease } = visit;
    const address = this.#addressFor(lease.host.host);
    if (!this.frontier.bind(lease, address, this.now)) {
      this.#forget(visit);
      return;
    }
    visit.phase = 'asked';
    this.#watcher.send(lease.host.host, address, this.now);
  }

  /** A host that gets another address, as DNS may do between two requests. */
  move(host: number, address: number): void {
    const name = this.hostName(host);
    if (this.open.some(({ lease, phase }) => lease.host.host === name && phase === 'asked')) return;
    this.addressOf[host] = address;
  }

  #addressFor(host: string): string {
    return `10.0.0.${this.addressOf[this.#indexOf(host) % this.addressOf.length]}`;
  }

  #answerPage(visit: Open, lease: PageLease, answer: Answer): void {
    const { waiting } = lease;
    const outcome = outcomeOf(answer, this.now);
    const given = { fails: waiting.fails, now: this.now, random: this.#random() };
    const fate = judge(outcome, { ...given, retry: this.policy.retry });
    const exchange = exchangeOf(outcome, fate);
    const record = this.frontier.conclude(lease, exchange, 10);
    assert.ok(record !== undefined, 'the lease is not lost');
    this.#writeHost(record);
    this.#noteAnswer(lease, answer, fate.retryAfterMs);
    if (exchange !== undefined)
      this.#watcher.count(lease.host.host, this.now, fate.sign === 'well');
    this.#settleRow(waiting, fate.retryAt, fate.state === 'indexed' ? 0 : waiting.fails + 1);
    this.#commit(visit);
  }

  #answerRobots(visit: Open, lease: RobotsLease, answer: Answer): void {
    const { errand } = lease;
    const owner = errand.for.host;
    const kind = this.robots[this.#indexOf(lease.host.host)] as RobotsKind;
    const target = this.hostName(this.#indexOf(lease.host.host) + 1);
    const outcome = robotsOutcome(kind, answer, this.now);
    const fate = judge(outcome, { fails: 0, now: this.now, random: 0, retry: this.policy.retry });
    const exchange = exchangeOf(outcome, fate);
    const record = this.frontier.conclude(lease, exchange, 0);
    assert.ok(record !== undefined, 'the lease is not lost');
    this.#writeHost(record);
    this.#noteAnswer(lease, kind === 'down' ? 'ill' : answer, fate.retryAfterMs);
    if (outcome.kind === 'answered' && outcome.status === 301 && errand.hops < 5) {
      this.frontier.errands.forward(errand, `http://${target}/robots.txt`);
    } else {
      const before = errand.for.lastRobots(errand.origin);
      const read = robotsRecord(errand.origin, outcome, before, this.now, this.policy);
      const records = this.frontier.setRobots(errand, read.record, read.retryAt);
      this.robotsRows.set(owner, encodeRobots(records));
      const delays = this.#robotsOf(owner).map((r) => delayIn(r.body));
      this.#watcher.learnDelay(owner, Math.max(0, ...delays));
    }
    this.#commit(visit);
  }

  #noteAnswer(lease: Lease, answer: Answer, retryAfterMs: number): void {
    const { host } = lease.host;
    const address = this.#addressFor(host);
    this.#watcher.answer(host, address, answer, this.now + retryAfterMs, this.now);
  }

  #commitForbidden(visit: Open, lease: PageLease): void {
    this.#settleRow(lease.waiting, lease.forbidden?.until ?? 0, 0);
    this.#commit(visit);
  }

  /** The store's half of a settlement. */
  #settleRow(waiting: Waiting, retryAt: Instant, fails: number): void {
    assert.ok(this.rows.delete(waiting.url), `${waiting.url} was waiting until now`);
    if (retryAt === 0) {
      assert.ok(!this.settled.has(waiting.url), `${waiting.url} is settled once`);
      this.settled.add(waiting.url);
      return;
    }
    const again = waiting.again || fails > 0;
    this.due.set(waiting.url, { at: retryAt, waiting: { ...waiting, fails, again } });
  }

  #commit(visit: Open): void {
    visit.phase = 'committed';
    this.undelivered.push(() => {
      this.frontier.settle(visit.lease);
      this.#forget(visit);
    });
  }

  #forget(visit: Open): void {
    this.open = this.open.filter((one) => one !== visit);
    const { lease } = visit;
    if (lease.kind === 'page' && lease.aside === undefined) this.leased.delete(lease.url);
    if (isRequest(lease)) this.#watcher.end(lease.host.host);
  }

  release(at: number): void {
    const visit = this.open[at % Math.max(1, this.open.length)];
    if (visit === undefined || visit.phase === 'committed' || !isRequest(visit.lease)) return;
    if (visit.phase === 'asked') {
      this.#noteAnswer(visit.lease, 'ill', 0);
      this.frontier.release(visit.lease, this.now);
    } else this.frontier.release(visit.lease);
    this.#forget(visit);
  }

  /** What has been answered cannot lapse; a request that may be out makes its host wait. */
  expire(): void {
    const lapsed = this.open.filter(
      (v) => v.phase !== 'committed' && isRequest(v.lease) && v.lease.until <= this.now,
    );
    assert.equal(this.frontier.expire(this.now), lapsed.length, 'leases end when they end');
    for (const visit of lapsed) {
      if (visit.phase === 'asked') this.#noteAnswer(visit.lease, 'ill', 0);
      this.#forget(visit);
    }
  }

  // ---- the store ----------------------------------------------------------------------

  #writeHost(record: HostRecord): void {
    this.hostRows.set(record.host, hostRow(record));
  }

  #robotsOf(host: string): RobotsRecord[] {
    const row = this.robotsRows.get(host);
    return row === undefined ? [] : decodeRobots(row);
  }

  beginRefills(max: number): void {
    for (const host of this.frontier.wanted(max)) {
      const asked = this.frontier.refillSize(host);
      const wasHydrated = host.hydrated;
      const refill = { host, asked, wasHydrated, rows: undefined, robots: [] };
      this.refills.push(refill);
    }
  }

  /** Reads, or brings what was read. */
  stepRefill(at: number): void {
    const refill = this.refills[at % Math.max(1, this.refills.length)];
    if (refill === undefined) return;
    if (refill.rows === undefined) {
      refill.robots = this.#robotsOf(refill.host.host);
      refill.rows = waitingAfter(this.rows.values(), refill.host, refill.asked);
      return;
    }
    this.refills = this.refills.filter((one) => one !== refill);
    const robots = refill.wasHydrated ? undefined : refill.robots;
    this.frontier.refill(refill.host, refill.rows, refill.asked, robots);
  }

  requeueDue(): void {
    this.deliver();
    const due = [...this.due.values()].filter(({ at }) => at <= this.now);
    for (const { waiting } of due) {
      const again = { ...waiting, rank: rankOf(waiting.priority, this.now) };
      this.due.delete(waiting.url);
      this.rows.set(waiting.url, again);
      this.frontier.push([again], this.now);
    }
  }

  /**
   * Clean: what was asked is answered and settled. Unclean: all that is not committed is gone,
   * and an end soon after an unclean start is no clean one: nobody has waited anything out.
   */
  restart(endsWell: boolean): void {
    const isClean = endsWell && this.now >= this.#cleanFrom;
    if (!isClean) this.#cleanFrom = this.now + MINUTE_MS;
    if (isClean) this.#windUp();
    if (isClean) for (const record of this.frontier.arcs.resting(this.now)) this.#writeHost(record);
    this.#watcher.forgetOpen(
      this.open.filter(({ phase }) => phase === 'asked').map(({ lease }) => lease.host.host),
    );
    this.leased.clear();
    this.open = [];
    this.refills = [];
    this.undelivered = [];
    this.frontier = this.#newFrontier();
    for (const row of this.hostRows.values()) {
      this.frontier.arcs.restore(decodeHost(row), this.now, isClean);
    }
  }

  #windUp(): void {
    this.deliver();
    while (this.open.length > 0) {
      const [first] = this.open;
      if (first?.phase === 'leased' && isRequest(first.lease)) this.release(0);
      else this.step(0, 'well');
    }
  }

  /** Everything is well from now on: every URL must come to its end, whoever is left to ask. */
  drain(stepsMax: number, region = ''): void {
    this.robots.fill('none');
    for (let steps = 0; steps < stepsMax && this.#isUnfinished(); steps++) {
      this.deliver();
      this.expire();
      this.requeueDue();
      this.frontier.pushBack(this.jobs.tick());
      this.take(50, 50, region);
      while (this.open.length > 0) this.step(0, 'well');
      this.beginRefills(100);
      while (this.refills.length > 0) this.stepRefill(0);
      if (this.frontier.stats().wanted === 0) this.#sleep(region);
    }
    assert.equal(this.jobs.shelf.size, 0, 'the shelf is empty');
    assert.ok(!this.#isUnfinished(), `${this.rows.size + this.due.size} URLs are never asked`);
  }

  #isUnfinished(): boolean {
    const { pagesPerHostMax: max } = this.policy;
    const isFull = (url: string) => max > 0 && this.#watcher.wellOf(hostOf(url)) >= max;
    const left = [this.rows, this.due, this.jobs.shelf].flatMap((rows) => [...rows.keys()]);
    return this.jobs.shelf.size > 0 || left.some((url) => !isFull(url));
  }

  #sleep(region: string): void {
    const next = this.frontier.nextAt({ region, now: this.now }) ?? Infinity;
    const due = Math.min(...[...this.due.values()].map(({ at }) => at));
    const until = Math.min(next, due);
    if (Number.isFinite(until)) this.now = Math.max(this.now, until);
  }
}

/** A URL that is forbidden, or held back by its job, is leased without a request. */
function isRequest(lease: Lease): boolean {
  return lease.kind === 'robots' || !asksNothing(lease);
}
