import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from './random.ts';

function first(seed: number | string, count: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.next());
}

it('one seed: the same numbers, for ever', () => {
  assert.deepEqual(first('orb', 100), first('orb', 100));
  assert.deepEqual(first(7, 3), first('7', 3));
});

it('two seeds: different numbers, however alike the seeds', () => {
  assert.notDeepEqual(first(1, 3), first(2, 3));
  assert.notDeepEqual(first('ab', 3), first('ba', 3));
});

it('many numbers: in [0, 1) and evenly spread', () => {
  const buckets = new Array<number>(16).fill(0);
  for (const value of first('spread', 160_000)) {
    assert.ok(value >= 0 && value < 1);
    buckets[Math.floor(value * 16)]!++;
  }
  for (const count of buckets) assert.ok(Math.abs(count - 10_000) < 500, buckets.join(' '));
});
