/** Requests besides the queue: they wait for turns and robots like all others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import { NO_BYTES, rankOf, urlKeyOf, type Waiting } from '../record/index.ts';
import { Frontier, type Lease, POLITE } from './index.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const PAGE = 'http://h.example/page';
const SCRIPT = 'http://h.example/app.js';

function waiting(url: string): Waiting {
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  const rank = rankOf(0.5, NOW);
  return { key: urlKeyOf(url), url, rank, ...rest, parent: NO_BYTES, again: false };
}

function end(frontier: Frontier, lease: Lease, at: number): void {
  const times = { startedAt: at, answeredAt: at, endedAt: at };
  frontier.conclude(lease, { ...times, sign: 'well', retryAfterMs: 0 }, 0);
}

function readRobots(frontier: Frontier, at: number, body: string): void {
  const [lease] = frontier.take(1, 1, at);
  assert.ok(lease?.kind === 'robots' && !lease.errand.isProbe);
  end(frontier, lease, at);
  const { origin } = lease.errand;
  const rest = { fetchedAt: at, expiresAt: at + DAY_MS, status: 200, tries: 0, problem: '' };
  frontier.setRobots(lease.errand, { origin, ...rest, body: Buffer.from(body) }, 0);
  frontier.settle(lease);
}

function rendering(): { frontier: Frontier; page: Lease } {
  const frontier = new Frontier(POLITE, 60_000, () => 0.9);
  frontier.push([waiting(PAGE), waiting('http://h.example/next')], NOW);
  readRobots(frontier, NOW, 'User-agent: *\nDisallow: /private/');
  const [page] = frontier.take(1, 1, NOW + 1_000);
  assert.ok(page?.kind === 'page');
  end(frontier, page, NOW + 1_000);
  frontier.detach(page);
  return { frontier, page };
}

test('errands: while a page is rendered its host is free, under its turns, errands first', () => {
  const { frontier, page } = rendering();
  const errand = frontier.errands.send(SCRIPT);
  assert.deepEqual(frontier.take(9, 9, NOW + 1_999), [], 'the pause holds for them, too');
  const [first] = frontier.take(9, 9, NOW + 2_000);
  assert.ok(first?.kind === 'robots' && first.errand === errand);
  assert.deepEqual(frontier.take(9, 9, NOW + 9_000), [], 'one request at a time');
  end(frontier, first, NOW + 2_000);
  frontier.settle(first);
  const [next] = frontier.take(9, 9, NOW + 3_000);
  assert.equal(next?.url, 'http://h.example/next');
  assert.notEqual(next?.url, page.url);
});

test('errands: a page that is rendered is not brought back by a refill, and settles once', () => {
  const { frontier, page } = rendering();
  frontier.refill(page.host, [waiting(PAGE)], 10, undefined);
  const urls = [3, 5, 7].flatMap((n) => frontier.take(9, 9, NOW + n * 1_000)).map((l) => l.url);
  assert.ok(!urls.includes(PAGE), urls.join(' '));
  frontier.settle(page);
  assert.equal(frontier.stats().leased, urls.length, 'and its lease is over');
});

test('errands: they are run when no page may be asked any more', () => {
  const { frontier } = rendering();
  assert.deepEqual(frontier.take(9, 0, NOW + 5_000), []);
  frontier.errands.send(SCRIPT);
  const [lease] = frontier.take(9, 0, NOW + 5_000);
  assert.equal(lease?.url, SCRIPT);
});

test('errands: robots decide, and one that is not known is sent for once', () => {
  const { frontier } = rendering();
  const { errands } = frontier;
  assert.deepEqual(errands.robotsSay(SCRIPT, NOW), { forbidden: '' });
  const said = errands.robotsSay('http://h.example/private/x.js', NOW);
  assert.ok(said !== 'unknown' && said.forbidden.includes('line 2'));
  const far = 'http://cdn.example/lib.js';
  assert.equal(errands.robotsSay(far, NOW), 'unknown');
  errands.readRobots(far);
  errands.readRobots(far);
  readRobots(frontier, NOW + 1_500, 'User-agent: *\nDisallow: /');
  const told = errands.robotsSay(far, NOW + 1_500);
  assert.ok(told !== 'unknown' && told.forbidden !== '');
  const again = frontier.take(9, 0, NOW + 60_000);
  assert.deepEqual(again, [], 'robots.txt was asked for once');
});

test('errands: one that is recalled leaves nothing behind', () => {
  const { frontier } = rendering();
  frontier.errands.recall(frontier.errands.send(SCRIPT));
  assert.deepEqual(frontier.take(9, 0, NOW + 5_000), []);
});

test('errands: one that nobody waits for any more is settled without having been asked', () => {
  const { frontier } = rendering();
  frontier.errands.send(SCRIPT);
  const [lease] = frontier.take(9, 0, NOW + 5_000);
  assert.equal(lease?.url, SCRIPT);
  frontier.settle(lease as Lease);
  const [next] = frontier.take(9, 9, NOW + 5_000);
  assert.equal(next?.url, 'http://h.example/next', 'its turn goes to the next page at once');
});
