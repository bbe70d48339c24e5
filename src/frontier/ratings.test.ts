import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import {
  blankHost,
  HOST_FLAGS,
  NO_BYTES,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import { type Exchange, Frontier, type Lease, POLITE } from './index.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const HOST = 'h.example';
const SPAM = { authority: 0, quality: 0.02, inDomains: 0, flags: HOST_FLAGS.denied };

function waiting(name: string, priority = 0.5): Waiting {
  const url = `http://${HOST}/${name}`;
  const rest = { kind: 'page', depth: 0, hops: 0, outside: 0, fails: 0, again: false } as const;
  const rank = rankOf(priority, NOW);
  return { key: urlKeyOf(url), url, rank, priority, parent: NO_BYTES, ...rest };
}

/** A frontier whose only host has its robots.txt already, and these URLs. */
function frontierWith(urls: readonly Waiting[]): Frontier {
  const frontier = new Frontier({ ...POLITE, delayMs: 0, addressDelayMs: 0 }, 60_000, () => 0.9);
  frontier.push(urls, NOW);
  const robots = take(frontier);
  assert.ok(robots.kind === 'robots');
  const { origin } = robots.errand;
  const times = { fetchedAt: NOW, expiresAt: NOW + DAY_MS };
  const record = { origin, ...times, status: 404, tries: 0, body: NO_BYTES, problem: '' };
  frontier.conclude(robots, EXCHANGE, 0);
  frontier.setRobots(robots.errand, record, 0);
  frontier.settle(robots);
  return frontier;
}

const EXCHANGE: Exchange = {
  ...{ startedAt: NOW, answeredAt: NOW, endedAt: NOW },
  ...{ sign: 'well', retryAfterMs: 0 },
};

function take(frontier: Frontier): Lease {
  const [lease] = frontier.take(1, 1, NOW);
  assert.ok(lease, 'something can be taken');
  return lease;
}

test('ratings: a held host hands nothing out, and is away as long as a URL of it is leased', () => {
  const frontier = frontierWith([waiting('a'), waiting('b')]);
  const lease = take(frontier);
  assert.equal(frontier.ratings.hold(HOST), false);
  assert.deepEqual(frontier.take(9, 9, NOW + DAY_MS), []);
  frontier.conclude(lease, EXCHANGE, 0);
  assert.equal(frontier.ratings.hold(HOST), false, 'answered, and not yet in the store');
  frontier.settle(lease);
  assert.equal(frontier.ratings.hold(HOST), true);
  assert.deepEqual(frontier.take(9, 9, NOW + DAY_MS), []);
});

test('ratings: after the release the store is asked for the new order, and nothing is lost', () => {
  const [a, b] = [waiting('a', 0.9), waiting('b', 0.1)];
  const frontier = frontierWith([a, b]);
  assert.equal(frontier.ratings.hold(HOST), true);
  const later = waiting('c', 0.5);
  frontier.push([later], NOW);
  frontier.ratings.release(HOST);
  assert.deepEqual(frontier.take(1, 1, NOW), [], 'nothing is at hand');
  const [host] = frontier.wanted(9);
  assert.ok(host);
  const [worse, better] = [waiting('a', 0.2), waiting('b', 0.8)];
  frontier.refill(host, [better, later, worse], frontier.refillSize(host), []);
  const taken: string[] = [];
  for (let i = 0; i < 3; i++) {
    const lease = take(frontier);
    taken.push(lease.url.slice(-1));
    frontier.conclude(lease, EXCHANGE, 0);
    frontier.settle(lease);
  }
  assert.deepEqual(taken, ['b', 'c', 'a']);
});

test('ratings: a host that nobody holds is not changed by a release', () => {
  const frontier = frontierWith([waiting('a')]);
  frontier.ratings.release(HOST);
  assert.equal(take(frontier).url, `http://${HOST}/a`);
});

test('ratings: a denied host is not asked until a rating frees it; its other flags stay', () => {
  const frontier = frontierWith([waiting('a')]);
  const record = frontier.ratings.rate(HOST, SPAM);
  assert.deepEqual([record?.quality, record?.flags], [0.02, HOST_FLAGS.denied]);
  assert.deepEqual(frontier.take(1, 1, NOW + DAY_MS), []);
  assert.equal(frontier.nextAt(), undefined);
  assert.equal(frontier.isOverrun(HOST, NOW), true, 'nothing more is taken in');
  const fair = { authority: 0.6, quality: 0.7, inDomains: 9, flags: HOST_FLAGS.trap };
  assert.equal(frontier.ratings.rate(HOST, fair)?.flags, 0);
  assert.equal(frontier.authorityOf(HOST), 0.6);
  assert.equal(frontier.isOverrun(HOST, NOW), false);
  assert.equal(take(frontier).url, `http://${HOST}/a`);
});

test('ratings: a host denied in the store is not asked after a restart', () => {
  const frontier = new Frontier(POLITE, 60_000, () => 0.9);
  frontier.arcs.restore({ ...blankHost(HOST), ...SPAM }, NOW, true);
  frontier.push([waiting('a')], NOW);
  assert.deepEqual(frontier.take(1, 1, NOW + DAY_MS), []);
  frontier.ratings.free(HOST);
  assert.equal(frontier.isOverrun(HOST, NOW), false, 'freed by an operator');
  assert.equal(frontier.ratings.hold('unknown.example'), true);
  assert.equal(frontier.ratings.rate('unknown.example', SPAM), undefined);
});
