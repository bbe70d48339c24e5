/** Single situations of the frontier; random histories are in frontier.property.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import {
  blankHost,
  type HostRecord,
  NO_BYTES,
  type RobotsRecord,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import {
  type Exchange,
  Frontier,
  type Lease,
  POLITE,
  type Politeness,
  type RobotsLease,
} from './index.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const LEASE_MS = 60_000;

function waiting(url: string, rank = rankOf(0.5, NOW)): Waiting {
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  return { key: urlKeyOf(url), url, rank, ...rest, parent: NO_BYTES, again: false };
}

function frontierOf(policy: Partial<Politeness> = {}): Frontier {
  return new Frontier({ ...POLITE, ...policy }, LEASE_MS, () => 0.9);
}

function exchange(at: number, more: Partial<Exchange> = {}): Exchange {
  return { startedAt: at, answeredAt: at, endedAt: at, sign: 'well', retryAfterMs: 0, ...more };
}

function robotsOf(origin: string, body = '', at = NOW): RobotsRecord {
  const rest = { fetchedAt: at, expiresAt: at + DAY_MS, status: body === '' ? 404 : 200, tries: 0 };
  return { origin, ...rest, body: Buffer.from(body), problem: '' };
}

function takeOne(frontier: Frontier, now: number): Lease {
  const [lease] = frontier.take(1, 1, now);
  assert.ok(lease !== undefined, 'something can be taken');
  return lease;
}

function takeRobots(frontier: Frontier, now: number): RobotsLease {
  const lease = takeOne(frontier, now);
  assert.ok(lease.kind === 'robots');
  return lease;
}

/** Asks for robots.txt and answers it. */
function readRobots(frontier: Frontier, now: number, body = ''): HostRecord | undefined {
  const lease = takeRobots(frontier, now);
  const record = frontier.conclude(lease, exchange(now), 0);
  frontier.setRobots(lease.errand, robotsOf(lease.errand.origin, body, now), 0);
  frontier.settle(lease);
  return record;
}

test('lease: a page whose commit takes longer than the lease is not given out again', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  readRobots(frontier, NOW);
  const lease = takeOne(frontier, NOW + 1_000);
  assert.ok(frontier.conclude(lease, exchange(NOW + 1_000), 0));
  assert.equal(frontier.expire(NOW + 10 * LEASE_MS), 0);
  assert.deepEqual(frontier.take(9, 9, NOW + 10 * LEASE_MS), []);
  frontier.settle(lease);
  assert.deepEqual(frontier.take(9, 9, NOW + 20 * LEASE_MS), []);
  assert.equal(frontier.stats().leased, 0);
});

test('lease: a worker that stalls past its lease cannot settle it, and the URL comes back', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  readRobots(frontier, NOW);
  const lease = takeOne(frontier, NOW + 1_000);
  const later = NOW + 1_000 + LEASE_MS;
  assert.equal(frontier.expire(later), 1);
  assert.equal(frontier.conclude(lease, exchange(later), 0), undefined);
  frontier.settle(lease);
  assert.equal(frontier.nextAt(), later + 1_000, 'its request may be out: the host waits a pause');
  assert.equal(takeOne(frontier, later + 1_000).url, lease.url);
});

test('lease: a URL that was pushed after a refill had brought it is leased once', () => {
  const frontier = frontierOf();
  const url = waiting('http://h.example/');
  frontier.arcs.restore(blankHost('h.example'), NOW, true);
  frontier.take(1, 1, NOW + 2_000);
  const [host] = frontier.wanted(1);
  assert.ok(host !== undefined);
  frontier.refill(host, [url], 10, [robotsOf('http://h.example')]);
  const lease = takeOne(frontier, NOW + 2_000);
  frontier.push([url], NOW + 2_000);
  frontier.conclude(lease, exchange(NOW + 2_000), 0);
  frontier.settle(lease);
  assert.deepEqual(frontier.take(9, 9, NOW + DAY_MS), []);
});

test('turn: a Crawl-delay counts from the robots.txt that named it', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  readRobots(frontier, NOW, 'User-agent: *\nCrawl-delay: 10\n');
  assert.equal(frontier.nextAt(), NOW + 10_000);
  assert.deepEqual(frontier.take(1, 1, NOW + 9_999), []);
  assert.equal(frontier.take(1, 1, NOW + 10_000).length, 1);
});

test('turn: a Crawl-delay that the stored record did not know holds after a restart', () => {
  for (const clean of [true, false]) {
    const before = frontierOf();
    before.push([waiting('http://h.example/')], NOW);
    const record = readRobots(before, NOW, 'User-agent: *\nCrawl-delay: 10\n');
    assert.ok(record !== undefined);
    const frontier = frontierOf();
    frontier.arcs.restore(record, NOW + 500, clean);
    frontier.take(1, 1, NOW + 2_000);
    const [host] = frontier.wanted(1);
    assert.ok(host !== undefined);
    const robots = [robotsOf('http://h.example', 'User-agent: *\nCrawl-delay: 10\n')];
    frontier.refill(host, [waiting('http://h.example/')], 10, robots);
    assert.deepEqual(frontier.take(1, 1, NOW + 9_999), [], clean ? 'clean' : 'unclean');
  }
});

test('turn: of the Crawl-delays of http and https the longer one holds', () => {
  const frontier = frontierOf();
  const early = rankOf(0.9, NOW);
  frontier.push([waiting('http://h.example/', early), waiting('https://h.example/')], NOW);
  readRobots(frontier, NOW, 'User-agent: *\nCrawl-delay: 10\n');
  const page = takeOne(frontier, NOW + 10_000);
  frontier.conclude(page, exchange(NOW + 10_000), 0);
  frontier.settle(page);
  readRobots(frontier, NOW + 20_000);
  assert.equal(frontier.nextAt(), NOW + 30_000);
});

test('turn: an endless Crawl-delay is a day, and its record can be written', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  readRobots(frontier, NOW, `User-agent: *\nCrawl-delay: ${'9'.repeat(400)}\n`);
  assert.equal(frontier.nextAt(), NOW + DAY_MS);
});

test('turn: an agreed rate is not held back by the pause of its address', () => {
  const frontier = frontierOf({ delayMsByHost: new Map([['h.example', 100]]) });
  frontier.push([waiting('http://h.example/')], NOW);
  const robots = takeRobots(frontier, NOW);
  assert.ok(frontier.bind(robots, '192.0.2.1', NOW));
  frontier.conclude(robots, exchange(NOW), 0);
  frontier.setRobots(robots.errand, robotsOf(robots.errand.origin), 0);
  frontier.settle(robots);
  assert.equal(frontier.nextAt(), NOW + 100);
});

test('turn: after an unclean end even an address that no record names rests for a pause', () => {
  const frontier = frontierOf({ delayMsByHost: new Map([['new.example', 100]]) });
  frontier.arcs.restore(blankHost('known.example'), NOW, false);
  frontier.push([waiting('http://new.example/')], NOW);
  assert.equal(frontier.nextAt(), NOW + 100, 'the host itself, as agreed with it');
  const lease = takeRobots(frontier, NOW + 100);
  assert.equal(frontier.bind(lease, '192.0.2.1', NOW + 100), false);
  assert.equal(frontier.nextAt(), NOW + 1_000);
});

test('turn: a request that was broken off makes its host wait, also after a clean end', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  const lease = takeRobots(frontier, NOW);
  assert.ok(frontier.bind(lease, '192.0.2.1', NOW));
  frontier.release(lease, NOW + 5);
  assert.equal(frontier.nextAt(), NOW + 1_005);
  const [record, ...others] = frontier.arcs.resting(NOW + 10);
  assert.deepEqual([record?.turnAt, record?.address], [NOW + 1_005, '192.0.2.1']);
  assert.deepEqual(others, []);
  assert.deepEqual([...frontier.arcs.resting(NOW + 2_000)], []);
});

test('store: a host that only a robots redirect named has no row until it is written', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  const lease = takeRobots(frontier, NOW);
  frontier.conclude(lease, exchange(NOW), 0);
  frontier.errands.forward(lease.errand, 'http://www.h.example/robots.txt');
  frontier.settle(lease);
  assert.equal(frontier.knows('h.example'), true);
  assert.equal(frontier.knows('www.h.example'), false);
  readRobots(frontier, NOW);
  assert.equal(frontier.knows('www.h.example'), true);
});

test('robots: a redirect is followed at its host’s turn, and its owner waits for the answer', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://h.example/')], NOW);
  const first = takeRobots(frontier, NOW);
  frontier.conclude(first, exchange(NOW), 0);
  frontier.errands.forward(first.errand, 'http://www.h.example/robots.txt');
  frontier.settle(first);
  const second = takeRobots(frontier, NOW);
  assert.deepEqual([second.url, second.errand.hops], ['http://www.h.example/robots.txt', 1]);
  assert.deepEqual(frontier.take(9, 9, NOW + 5_000), [], 'the page waits for its robots');
  frontier.conclude(second, exchange(NOW + 5_000), 0);
  frontier.setRobots(second.errand, robotsOf(second.errand.origin), 0);
  frontier.settle(second);
  assert.equal(takeOne(frontier, NOW + 5_000).url, 'http://h.example/');
});

test('limits: without politeness a page that fails gives its place to another', () => {
  const frontier = frontierOf({ lanes: 2, delayMs: 0, addressDelayMs: 0, pagesPerHostMax: 1 });
  frontier.push([waiting('http://h.example/1'), waiting('http://h.example/2')], NOW);
  readRobots(frontier, NOW);
  const [lease, none] = frontier.take(9, 9, NOW);
  assert.ok(lease !== undefined && none === undefined, 'one page is allowed');
  frontier.conclude(lease, exchange(NOW, { sign: 'ill' }), 0);
  frontier.settle(lease);
  assert.equal(frontier.take(9, 9, NOW).length, 1);
});

test('address: two hosts of one address are asked one at a time, with a pause between', () => {
  const frontier = frontierOf();
  frontier.push([waiting('http://a.example/'), waiting('http://b.example/')], NOW);
  const [a, b] = frontier.take(2, 2, NOW);
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(frontier.bind(a, '192.0.2.1', NOW), true);
  assert.equal(frontier.bind(b, '192.0.2.1', NOW), false, 'the other has the turn');
  assert.deepEqual(frontier.take(9, 9, NOW + 9), []);
  frontier.conclude(a, exchange(NOW + 300), 0);
  frontier.settle(a);
  assert.equal(frontier.nextAt(), NOW + 1_300);
  assert.equal(takeOne(frontier, NOW + 1_300).host, b.host);
});

test('forbidden: marked URLs come along, cost no request and no turn', () => {
  const frontier = frontierOf();
  const urls = Array.from({ length: 5 }, (_, n) => waiting(`http://h.example/x/${n}`, n));
  frontier.push([...urls, waiting('http://h.example/ok')], NOW);
  readRobots(frontier, NOW, 'User-agent: *\nDisallow: /x/\n');
  const leases = frontier.take(1, 1, NOW + 1_000);
  const marked = leases.filter((lease) => lease.kind === 'page' && lease.forbidden !== undefined);
  assert.deepEqual([leases.length, marked.length], [6, 5]);
  assert.equal(leases.at(-1)?.url, 'http://h.example/ok');
});
