/** Turns that are lent (owner-lend.ts): within the owner's bucket, whatever messages take. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lend, windowOf } from './owner-lend.ts';

const RULES = { lastsMs: 400, marginMs: 100 };

test('lend: whatever messages take and clocks say, two requests are a pause apart', () => {
  const delay = fc.integer({ min: 0, max: 600 });
  const skew = fc.integer({ min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(delay, delay, skew, delay, (there, back, wrong, readyIn) => {
      const pauseMs = 1_000;
      const owner = { now: 10_000, leaseUntil: 20_000 };
      const lent = lend(owner.now + readyIn, pauseMs, owner, RULES);
      assert.ok(lent);
      const mine = windowOf(lent.loan, owner.now - there + wrong, owner.now + back + wrong);
      if (mine === undefined) return;
      assert.ok(mine.from - wrong >= owner.now + readyIn, 'not before the host is ready');
      const arrivesBy = mine.to - wrong + RULES.marginMs;
      assert.ok(lent.readyAt - arrivesBy >= pauseMs, 'and a pause before the next');
    }),
  );
});

test('lend: a helper whose messages took longer than the turn asks nothing', () => {
  assert.equal(windowOf({ opensInMs: 0, lastsMs: 400 }, 1_000, 1_400), undefined);
});

test('lend: no turn is lent that could outlast the term of its owner', () => {
  assert.equal(lend(0, 1_000, { now: 1_000, leaseUntil: 1_500 }, RULES), undefined);
  assert.ok(lend(0, 1_000, { now: 1_000, leaseUntil: 1_501 }, RULES));
});
