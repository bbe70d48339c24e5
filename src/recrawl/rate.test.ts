import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../base/instant.ts';
import { seededRandom } from '../base/random.ts';
import { changeMsOf, learn } from './index.ts';
import { priorRate, type Rate } from './rate.ts';

/** What is believed after visits in pauses of `pause` days to a page with `perDay` changes. */
function watched(perDay: number, pause: number, visits: number, seed = 1): number {
  const random = seededRandom(seed);
  let rate: Rate = priorRate(10 * DAY_MS);
  for (let visit = 0; visit < visits; visit++) {
    rate = learn(rate, pause * DAY_MS, random.next() < 1 - Math.exp(-perDay * pause));
  }
  return DAY_MS / changeMsOf(rate);
}

test('rate: a hundred visits find a rate that they could see, quick or slow', () => {
  for (const [perDay, pause] of [
    [1, 0.5],
    [1, 1],
    [0.1, 5],
    [0.01, 60],
    [24, 1 / 48],
  ] as const) {
    const found = watched(perDay, pause, 200);
    assert.ok(Math.abs(Math.log(found / perDay)) < 0.4, `${perDay} a day is taken for ${found}`);
  }
});

test('rate: with few visits a page stays near what its host does', () => {
  const once = changeMsOf(learn(priorRate(10 * DAY_MS), DAY_MS, false));
  assert.ok(once > 10 * DAY_MS && once < 20 * DAY_MS);
  const twice = changeMsOf(learn(priorRate(10 * DAY_MS), DAY_MS, true));
  assert.ok(twice < 10 * DAY_MS && twice > DAY_MS);
});

test('rate: a page that takes up another habit is believed within its next visits', () => {
  let rate: Rate = priorRate(10 * DAY_MS);
  for (let visit = 0; visit < 300; visit++) rate = learn(rate, DAY_MS, false);
  assert.ok(changeMsOf(rate) > 300 * DAY_MS);
  for (let visit = 0; visit < 40; visit++) rate = learn(rate, DAY_MS, true);
  assert.ok(changeMsOf(rate) < 5 * DAY_MS, `${changeMsOf(rate) / DAY_MS} days`);
});

test('rate: a change makes it no slower, none makes it no quicker, and no time says nothing', () => {
  const rates = fc.record({
    shape: fc.double({ min: 0.05, max: 1_000, noNaN: true }),
    ms: fc.double({ min: 1e4, max: 1e12, noNaN: true }),
  });
  const pause = fc.double({ min: 1, max: 1e13, noNaN: true });
  fc.assert(
    fc.property(rates, pause, (rate, elapsed) => {
      const before = changeMsOf(rate);
      assert.ok(changeMsOf(learn(rate, elapsed, true)) <= before * 1.000_001);
      assert.ok(changeMsOf(learn(rate, elapsed, false)) >= before * 0.999_999);
      assert.deepEqual(learn(rate, 0, true), rate);
      assert.deepEqual(learn(rate, -elapsed, false), rate, 'a clock that went backwards');
      assert.deepEqual(learn(rate, Number.NaN, false), rate);
    }),
  );
});
