/** Whole arcs, halves and quarters: one numbering of the circle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as arcs from './arcs.ts';
import { arcOf, hostKey } from './index.ts';

const ALL = Array.from({ length: arcs.ARCS }, (_, arc) => arc);
const EVERY = ALL.flatMap(arcs.withPartsOf);

test('arcs: every key is covered by one whole arc, one half, one quarter, each in the other', () => {
  fc.assert(
    fc.property(fc.domain(), (host) => {
      const key = hostKey(host);
      const quarter = arcs.quarterOf(key);
      const around = EVERY.filter((arc) => arcs.covers(arc, key));
      assert.deepEqual(
        around,
        [...arcs.formerOf(quarter), quarter].sort((a, b) => a - b),
      );
      assert.equal(arcs.wholeOf(quarter), arcOf(key));
      assert.equal(around[0], arcOf(key));
    }),
    { numRuns: 200 },
  );
});

test('arcs: split in halves: both together cover the same, and nothing twice', () => {
  for (const arc of EVERY.filter((one) => arcs.halvesOf(one).length > 0)) {
    const { from, to } = arcs.firstBytesOf(arc);
    const [one, two] = arcs.halvesOf(arc).map(arcs.firstBytesOf);
    assert.deepEqual([one?.from, two?.to], [from, to]);
    assert.equal((one?.to ?? 0) + 1, two?.from);
    for (const half of arcs.halvesOf(arc)) {
      assert.equal(arcs.formerOf(half)[0], arc);
      assert.ok(arcs.overlap(arc, half));
    }
    assert.ok(!arcs.overlap(...(arcs.halvesOf(arc) as [number, number])));
  }
});

test('arcs: numbers that are none', () => {
  assert.equal(new Set(EVERY).size, 64 * 7);
  for (const arc of EVERY) assert.ok(arcs.isArc(arc));
  for (const arc of [-1, 64, 127, 512, 1.5, Number.NaN]) assert.ok(!arcs.isArc(arc));
});
