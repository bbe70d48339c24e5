/**
 * A world for the frontier in virtual time: servers, a store and a walker, each as simple as
 * can be, and a watcher that knows what must never happen.
 *
 *   walker   take → bind → answer → commit → deliver     as ../crawl/ does, one step at a time
 *   store    rows of URLs, hosts and robots; a commit is seen by readers before it is delivered
 *   watcher  notes when each host and address was asked, and complains
 */
import assert from 'node:assert/strict';
import { DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import { seededRandom } from '../base/random.ts';
import type { Outcome } from '../fetch/index.ts';
import {
  blankHost,
  decodeHost,
  decodeRobots,
  encodeHost,
  encodeRobots,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  quantised,
  type RobotsRecord,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import {
  exchangeOf,
  Frontier,
  type Host,
  judge,
  type Lease,
  type PageLease,
  type Politeness,
  type RobotsLease,
  robotsRecord,
} from './index.ts';
import { isBefore } from './window.ts';

export const LEASE_MS = 60 * SECOND_MS;
const DELAY_OF_ROBOTS_MS = 3_000;
const NO_HEADERS = {};

export type RobotsKind = 'none' | 'delay' | 'forbid' | 'redirect' | 'down';
export type Answer = 'well' | 'busy' | 'busy-later' | 'ill' | 'gone' | 'refused';

type Phase = 'leased' | 'asked' | 'committed';
interface Open {
  readonly lease: Lease;
  phase: Phase;
}
interface Refill {
  readonly host: Host;
  readonly asked: number;
  readonly wasHydrated: boolean;
  rows: readonly Waiting[] | undefined;
  robots: readonly RobotsRecord[];
}
/** What the watcher knows of a host. */
interface Seen {
  notBefore: Instant;
  lastSentAt: Instant;
  crawlDelayMs: number;
  open: number;
  well: number;
  byDay: Map<number, number>;
}

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
  readonly due = new Map<string, { at: Instant; waiting: Waiting }>();
  readonly hostRows = new Map<string, Buffer>();
  readonly robotsRows = new Map<string, Buffer>();
  readonly settled = new Set<string>();
  readonly leased = new Set<string>();
  readonly #seen = new Map<string, Seen>();
  readonly #addressTurn = new Map<string, Instant>();
  readonly #addressOpen = new Map<string, number>();
  pushed = 0;
  #cleanFrom: Instant = 0;

  constructor(policy: Politeness, robots: RobotsKind[], addressOf: number[], seed: number) {
    this.policy = policy;
    this.robots = robots;
    this.addressOf = addressOf;
    const random = seededRandom(seed);
    this.#random = () => random.next();
    this.frontier = this.#newFrontier();
  }

  #newFrontier(): Frontier {
    return new Frontier(this.policy, LEASE_MS, this.#random);
  }

  hostName(i: number): string {
    return `h${i % this.robots.length}.example`;
  }

  #indexOf(host: string): number {
    return Number(host.slice(1, host.indexOf('.')));
  }

  seen(host: string): Seen {
    let seen = this.#seen.get(host);
    if (seen === undefined) {
      seen = { notBefore: 0, lastSentAt: 0, crawlDelayMs: 0, open: 0, well: 0, byDay: new Map() };
      this.#seen.set(host, seen);
    }
    return seen;
  }

  // ---- the walker ---------------------------------------------------------------------

  /** New URLs: committed now, delivered to the frontier now or later. */
  push(hostAt: number, count: number, priority: number, isLate: boolean): void {
    const host = this.hostName(hostAt);
    const urls = Array.from({ length: count }, () => this.#waiting(host, priority));
    if (!this.frontier.knows(host)) this.#writeHost(blankHost(host));
    for (const url of urls) this.rows.set(url.url, url);
    const deliver = () => this.frontier.push(urls, this.now);
    if (isLate) this.undelivered.push(deliver);
    else {
      this.deliver();
      deliver();
    }
  }

  #waiting(host: string, priority: number): Waiting {
    const n = ++this.pushed;
    const scheme = n % 3 === 0 ? 'https' : 'http';
    const url = `${scheme}://${host}/${n % 4 === 0 ? 'x' : 'p'}/${n}`;
    const own = quantised(priority + (n % 7) / 100);
    return {
      ...{ key: urlKeyOf(url), url, kind: 'page', rank: rankOf(own, this.now), priority: own },
      ...{ depth: 1, hops: 0, outside: 0, parent: NO_BYTES, fails: 0, again: false },
    };
  }

  deliver(): void {
    for (const deliver of this.undelivered.splice(0)) deliver();
  }

  take(requests: number, pages: number): void {
    const nextAt = this.frontier.nextAt();
    const leases = this.frontier.take(requests, pages, this.now);
    const asked = leases.filter(isRequest);
    assert.ok(asked.length <= requests, 'no more requests than asked for');
    assert.ok(asked.filter((l) => l.kind === 'page').length <= pages, 'no more pages either');
    if (leases.length > 0) assert.ok((nextAt ?? Infinity) <= this.now, 'nextAt() was not late');
    for (const lease of leases) {
      if (lease.kind === 'page') this.#watchPage(lease);
      if (isRequest(lease)) this.#watchTurn(lease);
      this.open.push({ lease, phase: 'leased' });
    }
  }

  #watchPage(lease: PageLease): void {
    const { url, host } = lease;
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
    const seen = this.seen(host.host);
    const { pagesPerHostMax, fetchesPerDayMax } = this.policy;
    const day = Math.floor(this.now / DAY_MS);
    if (pagesPerHostMax > 0) assert.ok(seen.well + seen.open < pagesPerHostMax, 'pages per host');
    assert.ok((seen.byDay.get(day) ?? 0) + seen.open < fetchesPerDayMax, 'fetches per day');
  }

  #watchTurn(lease: Lease): void {
    const seen = this.seen(lease.host.host);
    assert.ok(seen.open < this.policy.lanes, `${lease.host.host} has no other request open`);
    assert.ok(this.now >= seen.notBefore, `${lease.host.host}: ${seen.notBefore - this.now} early`);
    seen.open++;
  }

  /** Moves one visit on: address, answer and commit, delivery. */
  step(at: number, answer: Answer): void {
    const visit = this.open[at % Math.max(1, this.open.length)];
    if (visit === undefined) return;
    if (visit.phase === 'committed') this.deliver();
    else if (visit.lease.kind === 'page' && visit.lease.forbidden !== undefined) {
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
    this.seen(lease.host.host).lastSentAt = this.now;
    if (this.policy.addressDelayMs === 0) return;
    const open = this.#addressOpen.get(address) ?? 0;
    assert.equal(open, 0, `${address} has no other request open`);
    assert.ok(this.now >= (this.#addressTurn.get(address) ?? 0), `${address} is asked early`);
    this.#addressOpen.set(address, 1);
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
    if (exchange !== undefined) this.#count(lease.host.host, fate.sign === 'well');
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
      this.frontier.forwardErrand(errand, `http://${target}/robots.txt`);
    } else {
      const before = errand.for.lastRobots(errand.origin);
      const read = robotsRecord(errand.origin, outcome, before, this.now, this.policy);
      const records = this.frontier.setRobots(errand, read.record, read.retryAt);
      this.robotsRows.set(owner, encodeRobots(records));
      this.#learnDelay(owner);
    }
    this.#commit(visit);
  }

  /** The pause that the host's own words ask for, from its last answer on. */
  #learnDelay(owner: string): void {
    const seen = this.seen(owner);
    const longest = Math.max(0, ...this.#robotsOf(owner).map((r) => delayIn(r.body)));
    const grown = Math.max(0, this.#pause(owner, longest) - this.#pause(owner, seen.crawlDelayMs));
    seen.crawlDelayMs = longest;
    if (seen.notBefore > 0) seen.notBefore += grown;
  }

  #pause(host: string, crawlDelayMs: number): number {
    const { delayMs, delayMsByHost } = this.policy;
    if (delayMs === 0) return 0;
    return delayMsByHost.get(host) ?? (crawlDelayMs > 0 ? crawlDelayMs : delayMs);
  }

  #noteAnswer(lease: Lease, answer: Answer, retryAfterMs: number): void {
    const { host } = lease.host;
    const seen = this.seen(host);
    if (answer !== 'refused') {
      const pause = this.#pause(host, seen.crawlDelayMs) * (answer === 'busy' ? 2 : 1);
      seen.notBefore = Math.max(seen.notBefore, this.now + Math.max(pause, retryAfterMs));
      this.#pauseAddress(host);
    }
    this.#addressOpen.set(lease.host.address, 0);
  }

  #pauseAddress(host: string): void {
    const { addressDelayMs, delayMsByHost } = this.policy;
    const pause = Math.min(addressDelayMs, delayMsByHost.get(host) ?? addressDelayMs);
    const address = this.#addressFor(host);
    const before = this.#addressTurn.get(address) ?? 0;
    this.#addressTurn.set(address, Math.max(before, this.now + pause));
  }

  #count(host: string, isWell: boolean): void {
    const seen = this.seen(host);
    const day = Math.floor(this.now / DAY_MS);
    seen.byDay.set(day, (seen.byDay.get(day) ?? 0) + 1);
    if (isWell) seen.well++;
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
    } else this.due.set(waiting.url, { at: retryAt, waiting: { ...waiting, fails, again: true } });
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
    if (lease.kind === 'page') this.leased.delete(lease.url);
    if (isRequest(lease)) this.seen(lease.host.host).open--;
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
    const row = encodeHost(record);
    const back = decodeHost(row);
    for (const value of Object.values(back)) {
      if (typeof value === 'number') assert.ok(Number.isFinite(value), 'records hold numbers');
    }
    this.hostRows.set(record.host, row);
  }

  #robotsOf(host: string): RobotsRecord[] {
    const row = this.robotsRows.get(host);
    return row === undefined ? [] : decodeRobots(row);
  }

  beginRefills(max: number): void {
    for (const host of this.frontier.wanted(max)) {
      const { refillSize } = this.frontier;
      const wasHydrated = host.hydrated;
      const refill = { host, asked: refillSize, wasHydrated, rows: undefined, robots: [] };
      this.refills.push(refill);
    }
  }

  /** Reads, or brings what was read. */
  stepRefill(at: number): void {
    const refill = this.refills[at % Math.max(1, this.refills.length)];
    if (refill === undefined) return;
    if (refill.rows === undefined) {
      refill.robots = this.#robotsOf(refill.host.host);
      refill.rows = this.#waitingOf(refill.host, refill.asked);
      return;
    }
    this.refills = this.refills.filter((one) => one !== refill);
    const robots = refill.wasHydrated ? undefined : refill.robots;
    this.frontier.refill(refill.host, refill.rows, refill.asked, robots);
  }

  #waitingOf(host: Host, limit: number): Waiting[] {
    const { after } = host.window;
    assert.ok(host.key.equals(hostKeyOf(host.host)), 'a host knows its key');
    return [...this.rows.values()]
      .filter((url) => hostOf(url.url) === host.host)
      .filter((url) => after === undefined || isBefore(after, url))
      .sort((a, b) => (isBefore(a, b) ? -1 : 1))
      .slice(0, limit);
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
    if (isClean) for (const record of this.frontier.restingHosts(this.now)) this.#writeHost(record);
    for (const { lease, phase } of this.open) {
      const seen = this.seen(lease.host.host);
      if (phase !== 'asked') continue;
      const pause = this.#pause(lease.host.host, seen.crawlDelayMs);
      seen.notBefore = Math.max(seen.notBefore, seen.lastSentAt + pause);
    }
    for (const seen of this.#seen.values()) seen.open = 0;
    this.#addressOpen.clear();
    this.leased.clear();
    this.open = [];
    this.refills = [];
    this.undelivered = [];
    this.frontier = this.#newFrontier();
    for (const row of this.hostRows.values()) {
      this.frontier.restore(decodeHost(row), this.now, isClean);
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

  /** Everything is well from now on: every URL must come to its end. */
  drain(stepsMax: number): void {
    this.robots.fill('none');
    for (let steps = 0; steps < stepsMax && this.#isUnfinished(); steps++) {
      this.deliver();
      this.expire();
      this.requeueDue();
      this.take(50, 50);
      while (this.open.length > 0) this.step(0, 'well');
      this.beginRefills(100);
      while (this.refills.length > 0) this.stepRefill(0);
      if (this.frontier.stats().wanted === 0) this.#sleep();
    }
    assert.ok(!this.#isUnfinished(), `${this.rows.size + this.due.size} URLs are never asked`);
  }

  #isUnfinished(): boolean {
    const { pagesPerHostMax: max } = this.policy;
    const isFull = (url: string) => max > 0 && this.seen(hostOf(url)).well >= max;
    return [...this.rows.keys(), ...this.due.keys()].some((url) => !isFull(url));
  }

  #sleep(): void {
    const next = this.frontier.nextAt() ?? Infinity;
    const due = Math.min(...[...this.due.values()].map(({ at }) => at));
    const until = Math.min(next, due);
    if (Number.isFinite(until)) this.now = Math.max(this.now, until);
  }
}

/** A forbidden URL is leased without a request. */
function isRequest(lease: Lease): boolean {
  return lease.kind === 'robots' || lease.forbidden === undefined;
}

const FORBIDS = 'User-agent: *\nDisallow: /x/\n';
const DELAYS = `User-agent: *\nCrawl-delay: ${DELAY_OF_ROBOTS_MS / 1000}\n`;

function isUnreadable(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function bodyForbids(body: Uint8Array, url: string): boolean {
  return Buffer.from(body).toString() === FORBIDS && url.includes('/x/');
}

function delayIn(body: Uint8Array): number {
  return Buffer.from(body).toString() === DELAYS ? DELAY_OF_ROBOTS_MS : 0;
}

function outcomeOf(answer: Answer, now: Instant): Outcome {
  switch (answer) {
    case 'well':
      return answered(200, now);
    case 'gone':
      return answered(404, now);
    case 'busy':
      return answered(503, now);
    case 'busy-later':
      return answered(429, now, { 'retry-after': '7' });
    case 'refused':
      return { kind: 'refused', address: '127.0.0.1', detail: 'loopback' };
    default:
      return { kind: 'failed', reason: 'connect', detail: '', startedAt: now - 40, endedAt: now };
  }
}

function robotsOutcome(kind: RobotsKind, answer: Answer, now: Instant): Outcome {
  if (kind === 'down') return outcomeOf('ill', now);
  if (answer !== 'well') return outcomeOf(answer, now);
  if (kind === 'redirect') return answered(301, now);
  if (kind === 'none') return answered(404, now);
  return answered(200, now, NO_HEADERS, kind === 'forbid' ? FORBIDS : DELAYS);
}

function answered(
  status: number,
  now: Instant,
  headers: Readonly<Record<string, string>> = NO_HEADERS,
  body = '',
): Outcome {
  return {
    ...{ kind: 'answered', status, headers, body: Buffer.from(body) },
    ...{ remoteAddress: '10.0.0.1', httpVersion: '1.1' },
    timing: { startedAt: now - 25, firstByteMs: 25, wholeMs: 25 },
  };
}
