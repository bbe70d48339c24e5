import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frequencyOf, freshnessOf, optimalFrequencies, priceOf } from './index.ts';

const FREE = { floor: 0, top: Number.POSITIVE_INFINITY } as const;

const pages = fc.array(
  fc.record({
    count: fc.constant(1),
    changesPerMs: fc.double({ min: 1e-3, max: 1e2, noNaN: true }),
    weight: fc.double({ min: 1e-3, max: 1, noNaN: true }),
    floor: fc.constant(0),
  }),
  { minLength: 2, maxLength: 20 },
);

function worth(all: readonly { changesPerMs: number; weight: number }[], visits: Float64Array) {
  return all.reduce(
    (sum, { changesPerMs, weight }, i) =>
      sum + weight * freshnessOf(changesPerMs, visits[i] as number),
    0,
  );
}

test('optimum: keeps to the budget, and no move of a visit from page to page gains anything', () => {
  const budgets = fc.double({ min: 1e-1, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(pages, budgets, fc.nat(), fc.nat(), (all, budget, from, to) => {
      const best = optimalFrequencies(all, { budget, ...FREE });
      const spent = best.reduce((sum, f) => sum + f, 0);
      assert.ok(spent <= budget * 1.000_1, `${spent} of ${budget}`);
      const [i, j] = [from % all.length, to % all.length];
      const other = Float64Array.from(best);
      const moved = Math.min(other[i] as number, budget / 100);
      other[i] = (other[i] as number) - moved;
      other[j] = (other[j] as number) + moved;
      assert.ok(worth(all, other) <= worth(all, best) * 1.001 + 1e-9);
    }),
  );
});

test('optimum: equal pages are visited equally, and a page that changes too fast not at all', () => {
  const page = { count: 1, changesPerMs: 1, weight: 1, floor: 0 };
  const [a, b] = optimalFrequencies([page, page], { budget: 2, ...FREE });
  assert.ok(Math.abs((a as number) - 1) < 1e-3 && Math.abs((b as number) - 1) < 1e-3);
  const hopeless = { ...page, changesPerMs: 1_000, weight: 0.1 };
  const [, none] = optimalFrequencies([page, hopeless], { budget: 2, ...FREE });
  assert.equal(none, 0);
  const [, some] = optimalFrequencies([page, hopeless], { budget: 2, ...FREE, floor: 0.1 });
  assert.equal(some, 0.1, 'but no page starves');
});

test('optimum: a promise to a page is kept, and the rest is shared by what is left', () => {
  const page = { count: 1, changesPerMs: 1e-3, weight: 1, floor: 0 };
  const promised = { ...page, floor: 5 };
  const [kept, rest] = optimalFrequencies([promised, page], { budget: 6, ...FREE });
  assert.equal(kept, 5);
  assert.ok(Math.abs((rest as number) - 1) < 1e-2);
});

test('optimum: a price is found from any guess', () => {
  const page = { count: 100, changesPerMs: 0.3, weight: 0.4, floor: 0 };
  const limits = { budget: 20, ...FREE };
  const price = priceOf([page], limits);
  for (const near of [1e-9, price / 3, price, price * 50, 1e9]) {
    assert.ok(Math.abs(priceOf([page], limits, near) / price - 1) < 1e-3, `from ${near}`);
  }
});

test('optimum: the frequency at a price has that price', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-9, max: 10, noNaN: true }),
      fc.double({ min: 1e-3, max: 1, noNaN: true }),
      fc.double({ min: 1e-9, max: 0.999, noNaN: true }),
      (rate, weight, share) => {
        const price = (share * weight) / rate;
        const r = rate / frequencyOf(rate, weight, price);
        const found = (weight / rate) * (1 - Math.exp(-r) * (1 + r));
        assert.ok(Math.abs(found / price - 1) < 1e-4, `${found} for ${price}`);
      },
    ),
  );
});
