/** The policies of src/recrawl/ against each other and against the best there is (T5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FULL_SIZE, numericalOptimum, runPolicy } from './fresh.ts';

const SIZE = { ...FULL_SIZE, pages: 1_000, hosts: 20, visits: 200_000, budgetPerDay: 200 };

test('freshness: optimal reaches 99% of the optimum, and beats halving and uniform', (t) => {
  const best = numericalOptimum(SIZE, false).freshness;
  const [uniform, halving, optimal] = (['uniform', 'halving', 'optimal'] as const).map((name) =>
    runPolicy(name, SIZE),
  );
  assert.ok(uniform && halving && optimal);
  t.diagnostic(
    [uniform, halving, optimal].map((row) => `${row.policy} ${row.freshness / best}`).join(', '),
  );
  assert.ok(optimal.freshness >= 0.99 * best, `${optimal.freshness / best} of the optimum`);
  assert.ok(optimal.freshness > uniform.freshness && optimal.freshness > halving.freshness);
  assert.ok(uniform.freshness <= best && halving.freshness <= best && optimal.freshness <= best);
  for (const row of [halving, optimal]) {
    assert.ok(row.topPauseMax <= 24, `${row.policy}: a top page waited ${row.topPauseMax} h`);
    assert.ok(row.visitsPerDay <= SIZE.budgetPerDay * 1.001);
    assert.ok(row.visitsPerDay >= SIZE.budgetPerDay * 0.9, 'the budget is used');
  }
  assert.ok(optimal.longestPauseDays <= 61, 'no page starves');
});

test('freshness: the same seed gives the same figures', () => {
  const small = { ...SIZE, pages: 200, visits: 10_000, budgetPerDay: 50 };
  assert.deepEqual(runPolicy('optimal', small), runPolicy('optimal', small));
});
