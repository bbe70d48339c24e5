/** Tenures of a ring: what its arcs say, epoch by epoch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToyRing } from './ring.testkit.ts';
import { RingTenures } from './ring-tenures.ts';

const NOW = 1_000_000;
const clock = { now: () => NOW, sleepUntil: async () => undefined };

function twoNodes() {
  const ring = new ToyRing();
  const [one, two] = [ring.join(), ring.join()];
  return { ring, one, two, a: new RingTenures(one, clock), b: new RingTenures(two, clock) };
}

test('ring tenures: promise 1: an owner has its arcs, and nobody else', async () => {
  const { a, b } = twoNodes();
  const arcs = Array.from({ length: 64 }, (_, arc) => arc);
  const [mine, others] = [await a.take(arcs, 'a', 3_000), await b.take(arcs, 'b', 3_000)];
  const all = [...mine.keys(), ...others.keys()].sort((x, y) => x - y);
  assert.deepEqual(all, arcs);
  assert.equal((await a.take([1, 138], 'a', 3_000)).size, 0, 'of another, and no whole one');
});

test('ring tenures: promise 1: held until it is released, whoever should own it', async () => {
  const { ring, one, a, b } = twoNodes();
  await a.take([2, 4], 'a', 3_000);
  const third = ring.join();
  assert.equal(ring.wants(2), third);
  assert.equal(ring.ownerOf(2), one, 'it is still crawled here');
  await a.release([2], 'a');
  assert.equal(ring.ownerOf(2), third);
  assert.deepEqual(await a.renew([2, 4], 'a', 3_000), [4]);
  await b.release([4], 'b');
  assert.equal(ring.ownerOf(4), one, 'not by another');
});

test('ring tenures: a term that is nearly over is too short', async () => {
  const { one, a } = twoNodes();
  one.actsUntilAll = NOW + 3_000;
  assert.equal((await a.take([2], 'a', 3_000)).size, 1);
  one.actsUntilAll = NOW + 2_999;
  assert.deepEqual(await a.renew([2], 'a', 3_000), []);
  assert.equal((await a.take([4], 'a', 3_000)).size, 0);
});

test('ring tenures: promises 2, 4: lost and back: another epoch, and the old one is not renewed', async () => {
  const { ring, one, two, a } = twoNodes();
  const before = (await a.take([2], 'a', 3_000)).get(2) ?? 0;
  ring.give(2, two);
  ring.give(2, one);
  assert.deepEqual(await a.renew([2], 'a', 3_000), []);
  assert.equal(a.isHeld(2), false);
  assert.ok(((await a.take([2], 'a', 3_000)).get(2) ?? 0) > before);
  assert.equal(a.isHeld(2), true);
  const log = { epochOf: (arc: number) => one.epochOf(arc), write: () => assert.fail() };
  assert.equal(a.logOf(log).epochOf(2), 3);
  assert.equal(a.logOf(log).epochOf(4), undefined, 'owned, and not taken');
});

test('ring tenures: arcs stay whole', async () => {
  const { a } = twoNodes();
  await assert.rejects(a.split(), /whole/);
  assert.equal((await a.arcs()).length, 64);
});
