/** Who has a place for a request, and who waits for a commit without one (K5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease } from '../frontier/index.ts';
import { Places } from './places.ts';

const MIB = 1 << 20;

function leases(count: number): Lease[] {
  return Array.from({ length: count }, (_, id) => ({ id }) as Lease);
}

/** Two places, and credit for two pages. */
function full(creditPages = 2) {
  const places = new Places(2, creditPages);
  const [a, b, c, d, e] = leases(5) as [Lease, Lease, Lease, Lease, Lease];
  places.take(a);
  places.take(b);
  return { places, a, b, c, d, e };
}

test('a page that was read: its place is free, and the visit is still under way', () => {
  const { places, a } = full();
  assert.equal(places.free, 0);
  assert.ok(places.read(a, 100));
  assert.deepEqual([places.free, places.open], [1, 2]);
  places.end(a);
  assert.deepEqual([places.free, places.open], [1, 1]);
});

test('no credit left: a page keeps its place until it is durable, also when others end', () => {
  const { places, a, b, c, d } = full();
  for (const lease of [a, b]) places.read(lease, 100);
  places.take(c);
  places.take(d);
  assert.ok(!places.read(c, 100));
  assert.equal(places.free, 0);
  places.end(a);
  assert.equal(places.free, 0, 'what ended had given its place on');
  places.end(c);
  assert.equal(places.free, 1);
});

test('large bodies: what waits without a place holds so many bytes at most', () => {
  const { places, a, b, c } = full(64);
  assert.ok(places.read(a, 20 * MIB));
  assert.ok(!places.read(b, 20 * MIB));
  places.end(a);
  places.take(c);
  assert.ok(places.read(c, 20 * MIB));
});

test('nothing goes ahead: every visit keeps its place to the end', () => {
  const { places, a, b } = full(0);
  assert.ok(!places.read(a, 0));
  assert.ok(!places.read(b, 0));
  assert.equal(places.free, 0);
});

test('somebody else made the request: it had no place, and gives none on', () => {
  const { places, c } = full();
  assert.ok(!places.read(c, 100));
  assert.deepEqual([places.free, places.open], [0, 2]);
});

test('read twice: one place', () => {
  const { places, a } = full();
  assert.ok(places.read(a, 100));
  assert.ok(!places.read(a, 100));
  assert.equal(places.free, 1);
});
