/** What a lease comes to when other nodes have hosts behind its address (P4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryAddressTable } from '../adapters/memory/address-turns.ts';
import type { Outcome } from '../fetch/index.ts';
import { Frontier, type Lease, POLITE } from '../frontier/index.ts';
import type { AddressTurns } from '../ports/address-turns.ts';
import { NO_BYTES, rankOf, urlKeyOf, type Waiting } from '../record/index.ts';
import { claimToSendMs, Neighbours } from './neighbours.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const PAUSE_MS = POLITE.addressDelayMs;
const LIMITS = { connectMs: 10_000, firstByteMs: 20_000 };
const UNDER_WAY_MS = claimToSendMs(LIMITS.connectMs) + LIMITS.firstByteMs;
const HERE = '192.0.2.1';

function waiting(url: string): Waiting {
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  const key = urlKeyOf(url);
  return { key, url, rank: rankOf(0.5, NOW), ...rest, parent: NO_BYTES, again: false };
}

/** Two nodes with a host each behind one address; robots.txt is what they ask for. */
function world() {
  const at = { now: NOW };
  const clock = { now: () => at.now, sleepUntil: async () => undefined };
  const table = new MemoryAddressTable(clock.now, PAUSE_MS);
  const nodeOf = (name: string, turns: AddressTurns = table.connect(name)) => {
    const frontier = new Frontier(POLITE, 60_000, () => 0.9);
    frontier.push([waiting(`http://${name}.example/`)], NOW);
    const arcs = { arcs: Array.from({ length: 16 }, (_, arc) => arc) };
    const parts = { turns, frontier, clock, arcs, limits: LIMITS };
    return { frontier, neighbours: new Neighbours(parts) };
  };
  return { at, nodeOf };
}

type Node = ReturnType<ReturnType<typeof world>['nodeOf']>;

function takeOne({ frontier }: Node, now: number): Lease {
  const [lease] = frontier.take(1, 1, now);
  assert.ok(lease !== undefined, 'something can be taken');
  assert.ok(frontier.bind(lease, HERE, now));
  return lease;
}

function failed(startedAt: number, endedAt: number): Outcome {
  return { kind: 'failed', reason: 'aborted', detail: '', startedAt, endedAt };
}

test('address: another node has the turn: the lease is back, and nobody asks before it told', async () => {
  const { at, nodeOf } = world();
  const [one, two] = [nodeOf('one'), nodeOf('two')];
  const asked = takeOne(one, NOW);
  assert.equal(await one.neighbours.claim(asked, HERE), true);
  assert.ok(one.neighbours.isFresh(asked));
  assert.equal(await two.neighbours.claim(takeOne(two, NOW), HERE), false);
  assert.equal(two.frontier.leases.size, 0);
  assert.equal(two.frontier.nextAt(), NOW + PAUSE_MS, 'as soon as it can be free at all');
  assert.deepEqual(two.frontier.take(1, 1, NOW + PAUSE_MS - 1), []);

  at.now = NOW + 300;
  one.neighbours.over(asked, failed(NOW, NOW + 200));
  at.now = NOW + PAUSE_MS;
  assert.equal(await two.neighbours.claim(takeOne(two, at.now), HERE), false);
  assert.equal(two.frontier.nextAt(), NOW + 200 + PAUSE_MS, 'a pause from when it was answered');
  at.now = NOW + 200 + PAUSE_MS;
  assert.equal(await two.neighbours.claim(takeOne(two, at.now), HERE), true);
});

test('address: refused before anything was sent: the next node has it at once', async () => {
  const { nodeOf } = world();
  const [one, two] = [nodeOf('one'), nodeOf('two')];
  const lease = takeOne(one, NOW);
  assert.equal(await one.neighbours.claim(lease, HERE), true);
  one.neighbours.over(lease, { kind: 'refused', address: HERE, detail: 'denied' });
  assert.equal(await two.neighbours.claim(takeOne(two, NOW), HERE), true);
});

test('address: never heard of again: its own when a request cannot be under way any more', async () => {
  const { at, nodeOf } = world();
  const [dead, two, lender, four] = ['dead', 'two', 'lender', 'four'].map((name) => nodeOf(name));
  assert.ok(dead && two && lender && four);
  const stopped = takeOne(dead, NOW);
  await dead.neighbours.claim(stopped, HERE);
  at.now = NOW + UNDER_WAY_MS + PAUSE_MS - 1;
  assert.ok(!dead.neighbours.isFresh(stopped), 'should it wake, it sends nothing');
  assert.equal(await two.neighbours.claim(takeOne(two, at.now), HERE), false);
  at.now += 1;
  const lent = takeOne(lender, at.now);
  assert.equal(await two.neighbours.claim(takeOne(two, at.now), HERE), true);
  const until = at.now + 10 * UNDER_WAY_MS;
  assert.equal(await lender.neighbours.claim(lent, '192.0.2.2', until), true);
  at.now = until + PAUSE_MS - 1;
  assert.equal(await four.neighbours.claim(takeOne(four, at.now), '192.0.2.2'), false);
});

test('address: a lease lost while its turn is claimed: nothing is sent, and the turn is given back', async () => {
  const { nodeOf } = world();
  const [one, two] = [nodeOf('one'), nodeOf('two')];
  const lease = takeOne(one, NOW);
  const claiming = one.neighbours.claim(lease, HERE);
  one.frontier.release(lease);
  assert.equal(await claiming, false);
  assert.equal(await two.neighbours.claim(takeOne(two, NOW), HERE), true);
});

test('address: a lease that ended before its request did: not even its node asks before the pause', async () => {
  const { at, nodeOf } = world();
  const one = nodeOf('one');
  const lease = takeOne(one, NOW);
  assert.equal(await one.neighbours.claim(lease, HERE), true);
  at.now = NOW + 60_000;
  assert.equal(one.frontier.expire(at.now), 1);
  at.now += PAUSE_MS;
  one.neighbours.over(lease, failed(NOW, at.now - 1));
  assert.equal(await one.neighbours.claim(takeOne(one, at.now), HERE), false);
  assert.equal(one.frontier.nextAt(), at.now - 1 + PAUSE_MS);
});

test('address: the table is away: asked, then as many pauses as there would be nodes', async () => {
  const { at, nodeOf } = world();
  const rests: number[] = [];
  const alone = nodeOf('alone', {
    claim: async (address) => ({ kind: 'away', turn: { address, id: '1' } }),
    rest: async (_, restMs) => void rests.push(restMs),
  });
  const lease = takeOne(alone, NOW);
  assert.equal(await alone.neighbours.claim(lease, HERE), true);
  at.now = NOW + 50;
  alone.neighbours.over(lease, failed(NOW, at.now));
  alone.frontier.release(lease, at.now);
  assert.equal(
    alone.frontier.nextAt(),
    at.now + 4 * PAUSE_MS,
    'a quarter of the circle is its own',
  );
  assert.deepEqual(rests, [4 * PAUSE_MS]);
});

test('address: a loan that was broken off: it rests for as long as its fetcher may ask', async () => {
  const { at, nodeOf } = world();
  const [one, two] = [nodeOf('one'), nodeOf('two')];
  const lease = takeOne(one, NOW);
  const until = NOW + 20_000;
  assert.equal(await one.neighbours.claim(lease, HERE, until), true);
  lease.host.group.turnAt = until + PAUSE_MS;
  one.neighbours.over(lease, failed(NOW, NOW));
  at.now = until + PAUSE_MS - 1;
  assert.equal(await two.neighbours.claim(takeOne(two, at.now), HERE), false);
});
