import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { URL_KEY_BYTES } from '../../record/index.ts';
import { RecentKeys } from './recent-keys.ts';
import { ARCS, arcOf, arcRange, blockOf, rateOf, SeenPlan, writeProbes } from './seen-plan.ts';

const keys = fc.uint8Array({ minLength: URL_KEY_BYTES, maxLength: URL_KEY_BYTES });

it('seen plan: every key: one arc of 64, in whose range it is', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const arc = arcOf(key);
      const { from, to } = arcRange(arc);
      assert.ok(arc >= 0 && arc < ARCS);
      assert.ok((key[0] as number) >= from && (key[0] as number) <= to);
    }),
  );
});

it('seen plan: any key, any generation: its block and its probes are inside the bitmap', () => {
  const plan = new SeenPlan(100_000, 0.001);
  fc.assert(
    fc.property(keys, fc.nat(8), (bytes, nth) => {
      const { blocks, bytes: size, probes } = plan.generation(nth);
      const [first, last] = blockOf(Buffer.from(bytes), 0, blocks).map(Number) as [number, number];
      assert.ok(first >= 0 && first % 64 === 0 && last === first + 63 && last < size);
      const into = Buffer.alloc(probes * 2);
      writeProbes(Buffer.from(bytes), 0, probes, into, 0);
      for (let i = 0; i < probes; i++) {
        assert.ok((into[i * 2] as number) >= 1 && (into[i * 2] as number) <= 64);
        assert.ok([1, 2, 4, 8, 16, 32, 64, 128].includes(into[i * 2 + 1] as number));
      }
    }),
  );
});

it('seen plan: generations: double until a string of Redis would be too long, never beyond', () => {
  const plan = new SeenPlan(64 * 1_000_000, 0.01);
  for (let nth = 0; nth < 16; nth++) assert.ok(plan.generation(nth).bytes < 512 << 20, `${nth}`);
  assert.equal(plan.generation(1).capacity, 2 * plan.generation(0).capacity);
  assert.equal(plan.generation(15).capacity, plan.generation(14).capacity);
});

it('seen plan: the rate from set bits: none when empty, one when full', () => {
  assert.equal(rateOf([0, 0], 7), 0);
  assert.equal(rateOf([512, 512], 7), 1);
  assert.equal(rateOf([256, 256], 2), 0.25);
});

it('recent keys: the last ones by arc, between two places, and where they begin', () => {
  const recent = new RecentKeys(4);
  const key = (arc: number, nth: number) => Buffer.alloc(URL_KEY_BYTES, nth).fill(arc * 4, 0, 1);
  for (const [nth, arc] of [0, 1, 0, 1, 0, 0].entries()) recent.add(key(arc, nth));
  assert.deepEqual([recent.start, recent.end], [2, 6]);
  assert.deepEqual(recent.of(0, 0, 6), [key(0, 2), key(0, 4), key(0, 5)]);
  assert.deepEqual(recent.of(1, 3, 6), [key(1, 3)]);
  assert.deepEqual(recent.of(0, 0, 5), [key(0, 2), key(0, 4)]);
});
