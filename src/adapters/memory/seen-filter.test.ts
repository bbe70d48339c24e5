import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seenFilterContract } from '../../ports/seen-filter.contract.ts';
import { URL_KEY_BYTES, urlKeyOf } from '../../record/index.ts';
import { openMemoryFilter } from './seen-filter.ts';

seenFilterContract('memory', { open: openMemoryFilter });

const AFTER_A_CRASH = { expectedKeys: 30_000, falsePositiveRate: 0.001, complete: false };

function keyOf(nth: number): Buffer {
  return urlKeyOf(`https://a.test/${nth}`);
}

/** Keys from 0 to `end` in runs as a store gives them. */
async function* runs(end: number): AsyncIterable<Buffer> {
  for (let from = 0; from < end; from += 10_000) {
    const count = Math.min(10_000, end - from);
    yield Buffer.concat(Array.from({ length: count }, (_, i) => keyOf(from + i)));
  }
}

it('memory seen-filter: a rebuild that ends: complete, all known keys maybe, others new', async () => {
  const filter = openMemoryFilter(AFTER_A_CRASH);
  await filter.rebuildFrom(runs(25_000));
  assert.equal(filter.stats().complete, true);
  assert.equal(filter.stats().generations, 1);
  for (const nth of [0, 4_095, 4_096, 9_999, 10_000, 24_999]) {
    assert.deepEqual([...(await filter.checkAndAdd([keyOf(nth)]))], [1], `key ${nth}`);
  }
  assert.deepEqual([...(await filter.checkAndAdd([keyOf(25_000)]))], [0]);
});

it('memory seen-filter: keys added during a rebuild: maybe then, and known after it', async () => {
  const filter = openMemoryFilter(AFTER_A_CRASH);
  const rebuilt = filter.rebuildFrom(runs(20_000));
  assert.deepEqual([...(await filter.checkAndAdd([keyOf(77_777)]))], [1]);
  await rebuilt;
  assert.deepEqual([...(await filter.checkAndAdd([keyOf(77_777), keyOf(88_888)]))], [1, 0]);
});

it('memory seen-filter: a rebuild of one long run: timers and sockets get their turns', async () => {
  const filter = openMemoryFilter(AFTER_A_CRASH);
  let turns = 0;
  const count = () => {
    turns++;
    if (!filter.stats().complete) setImmediate(count);
  };
  setImmediate(count);
  const one = Buffer.concat(await collected(runs(30_000)));
  assert.equal(one.length, 30_000 * URL_KEY_BYTES);
  await filter.rebuildFrom(listed([one]));
  assert.ok(turns >= 6, `${turns} turns`);
});

it('memory seen-filter: a store that fails during a rebuild: still incomplete', async () => {
  const filter = openMemoryFilter(AFTER_A_CRASH);
  async function* broken(): AsyncIterable<Buffer> {
    yield keyOf(1);
    throw new Error('store gone');
  }
  await assert.rejects(filter.rebuildFrom(broken()), /store gone/);
  assert.equal(filter.stats().complete, false);
  assert.deepEqual([...(await filter.checkAndAdd([keyOf(2)]))], [1]);
});

async function* listed<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
