import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Numbered } from './numbered.ts';

test('numbered: found by number, met in order, gone when taken', () => {
  const names = new Numbered<{ name: string }>();
  for (const number of [3, 4, 9]) names.add(number, { name: `n${number}` });
  assert.equal(names.get(4)?.name, 'n4');
  assert.equal(names.take(3)?.name, 'n3');
  assert.equal(names.take(3), undefined);
  assert.equal(names.has(5), false);
  assert.deepEqual(
    [...names.values()].map(({ name }) => name),
    ['n4', 'n9'],
  );
  assert.equal(names.size, 2);
});

test('numbered: what is taken out while they are met is left out, and nothing is met twice', () => {
  const numbers = new Numbered<{ n: number }>();
  for (let n = 0; n < 10; n++) numbers.add(n, { n });
  const met: number[] = [];
  for (const { n } of numbers.values()) {
    met.push(n);
    numbers.take(n);
    numbers.take(n + 1);
  }
  assert.deepEqual(met, [0, 2, 4, 6, 8]);
  assert.equal(numbers.size, 0);
});

test('numbered: does what a Map does, over any history of coming and going', () => {
  const step = fc.record({ gap: fc.nat(3), come: fc.nat(800), go: fc.array(fc.nat(3_000)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const real = new Numbered<{ n: number }>();
      const model = new Map<number, { n: number }>();
      let last = 0;
      for (const { gap, come, go } of steps) {
        last += gap;
        for (let i = 0; i < come; i++) {
          const n = ++last;
          real.add(n, { n });
          model.set(n, { n });
        }
        for (const back of [...go, ...Array.from({ length: come }, (_, i) => 4 * i)]) {
          const n = last - back;
          assert.equal(real.take(n)?.n, model.get(n)?.n);
          model.delete(n);
          assert.equal(real.has(n), false);
        }
        assert.equal(real.size, model.size);
        assert.deepEqual([...real.values()], [...model.values()]);
      }
    }),
    { numRuns: 60 },
  );
});

test('numbered: a value that was taken out, and its neighbours that stay, cost no more room', () => {
  const numbers = new Numbered<{ n: number }>();
  numbers.add(0, { n: 0 });
  for (let n = 1; n <= 100_000; n++) {
    numbers.add(n, { n });
    if (n > 1) numbers.take(n - 1);
  }
  assert.deepEqual(
    [...numbers.values()].map(({ n }) => n),
    [0, 100_000],
  );
  numbers.take(0);
  numbers.add(100_001, { n: 100_001 });
  assert.deepEqual(
    [...numbers.values()].map(({ n }) => n),
    [100_000, 100_001],
  );
});
