import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget, type BudgetLimits, type Spent } from './budget.ts';

const NO_LIMITS: BudgetLimits = { pagesMax: 0, bytesMax: 0, until: 0, publicPagesMax: 0 };

function budget(limits: Partial<BudgetLimits>, spent: Partial<Spent> = {}): Budget {
  return new Budget({ ...NO_LIMITS, ...limits }, () => ({
    ...{ asked: 0, askedPublic: 0, bytes: 0 },
    ...spent,
  }));
}

test('budget: without limits there is always room', () => {
  const free = budget({}, { asked: 1e9, askedPublic: 1e9, bytes: 1e15 });
  assert.equal(free.pagesLeft(1_000, 5), Number.POSITIVE_INFINITY);
  assert.equal(free.exhausted(Number.MAX_SAFE_INTEGER), undefined);
});

test('budget: pages that are open count, so that a limit holds exactly', () => {
  const tight = budget({ pagesMax: 15 }, { asked: 10 });
  assert.deepEqual(
    [0, 4, 5, 9].map((open) => tight.pagesLeft(open, 0)),
    [5, 1, 0, 0],
  );
  assert.equal(tight.exhausted(0), undefined);
  assert.equal(budget({ pagesMax: 15 }, { asked: 15 }).exhausted(0), 'pages');
});

test('budget: the smaller of two limits on pages holds', () => {
  const both = budget({ pagesMax: 100, publicPagesMax: 20 }, { asked: 50, askedPublic: 15 });
  assert.equal(both.pagesLeft(2, 0), 3);
  assert.equal(budget({ publicPagesMax: 20 }, { askedPublic: 20 }).exhausted(0), 'contact');
});

test('budget: bytes and time end it, and nothing more is asked then', () => {
  const full = budget({ bytesMax: 1_000 }, { bytes: 1_000 });
  assert.deepEqual([full.exhausted(0), full.pagesLeft(0, 0)], ['bytes', 0]);
  const timed = budget({ until: 500 });
  assert.deepEqual([timed.exhausted(499), timed.exhausted(500)], [undefined, 'time']);
  assert.equal(timed.pagesLeft(0, 500), 0);
});
