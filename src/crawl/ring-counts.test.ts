/** Counts of a ring: sums over all nodes, whoever is silent, and bytes of others (A1, D8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_COUNTS } from '../ports/job-counts.ts';
import { CALL_BYTES_MAX, type RingCalls } from '../ports/ring-calls.ts';
import { NO_TOTALS } from '../ports/shard-store.ts';
import { SignKey } from '../sign/index.ts';
import { type ArcCount, RingCounts } from './ring-counts.ts';
import { decodeCounts, encodeCounts } from './ring-counts-wire.ts';

function count(arc: number, epoch: number, waiting: number, job = 1): ArcCount {
  const jobs = new Map([[job, { ...NO_COUNTS, waiting }]]);
  return { arc, epoch, totals: { ...NO_TOTALS, waiting, known: 10 }, jobs };
}

function ringOf(own: readonly ArcCount[], answers: () => (Uint8Array | undefined)[]) {
  const ids = answers().map((_, n) => new SignKey(Buffer.alloc(32, n + 1)).publicJwk.x);
  const calls: RingCalls = {
    askOwner: () => Promise.reject(new Error('nobody asks an owner')),
    tryOwner: () => Promise.reject(new Error('nobody asks an owner')),
    askNode: async ({ id }) => answers()[ids.indexOf(id)],
    serve: () => undefined,
  };
  const others = async () => ids.map((id) => ({ id, place: '0'.repeat(16), at: '127.0.0.1:1' }));
  return new RingCounts({ calls, own: async () => own, others });
}

test('ring counts: the sum is that of all arcs, each as its owner of the highest epoch says', async () => {
  const b = encodeCounts([count(2, 3, 5), count(1, 1, 99)]);
  const counts = ringOf([count(1, 2, 4)], () => [b, undefined]);
  await counts.look();
  const { totals, jobs } = await counts.sums();
  assert.deepEqual([totals.waiting, totals.known, jobs.get(1)?.waiting], [9, 20, 9]);
});

test('ring counts: an arc whose owner has fallen silent counts as it was', async () => {
  let answer: Uint8Array | undefined = encodeCounts([count(2, 3, 5)]);
  const counts = ringOf([], () => [answer]);
  await counts.look();
  answer = undefined;
  await counts.look();
  assert.equal((await counts.sums()).totals.waiting, 5);
  answer = encodeCounts([count(2, 4, 0)]);
  await counts.look();
  assert.equal((await counts.sums()).totals.waiting, 0);
});

test('ring counts: bytes that are no counts are none, whatever they are', () => {
  const good = JSON.parse(encodeCounts([count(7, 1, 2)]).toString());
  assert.deepEqual(decodeCounts(encodeCounts([count(7, 1, 2)])), [count(7, 1, 2)]);
  const [row] = good.arcs;
  const bad = [
    '',
    'null',
    '[]',
    '{"v":2,"arcs":[]}',
    '{"v":1,"arcs":{}}',
    JSON.stringify({ v: 1, arcs: [[64, ...row.slice(1)]] }),
    JSON.stringify({ v: 1, arcs: [[7, -1, ...row.slice(2)]] }),
    JSON.stringify({ v: 1, arcs: [[7, 1, [1], []]] }),
    JSON.stringify({ v: 1, arcs: [[7, 1, row[2], [[1, ['x']]]]] }),
    JSON.stringify({ v: 1, arcs: [null] }),
    JSON.stringify({ v: 1, arcs: Array(65).fill(row) }),
  ];
  for (const text of bad) assert.equal(decodeCounts(Buffer.from(text)), undefined, text);
});

test('ring counts: what is told fits into a message, however many jobs there are', () => {
  const jobs = new Map(
    Array.from({ length: 5_000 }, (_, job) => [job, { ...NO_COUNTS, named: 7 }]),
  );
  const bytes = encodeCounts([{ ...count(1, 1, 1), jobs }]);
  assert.ok(bytes.length <= CALL_BYTES_MAX);
  const [told] = decodeCounts(bytes) ?? [];
  assert.ok(told?.jobs.has(4_999), 'the newest are told');
  assert.ok(!told?.jobs.has(0));
});
