import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Kind } from './kind.ts';
import { amount, count, share } from './kinds-amount.ts';

function takes(kind: Kind<number>, cases: Readonly<Record<string, number>>): void {
  for (const [text, value] of Object.entries(cases)) {
    assert.deepEqual(kind.parse(text), { value }, text);
  }
}

function refuses(kind: Kind<number>, ...texts: readonly string[]): void {
  for (const text of texts) assert.ok('problem' in kind.parse(text), text);
}

test('count: digits, exponents and letters mean the same number', () => {
  takes(count(), { '1e9': 1e9, '1B': 1e9, '1g': 1e9, '1_000_000_000': 1e9, '1E+9': 1e9 });
  takes(count(), { '250': 250, '2.5M': 2.5e6, '20k': 20_000, '3 T': 3e12, '0.5': 0.5 });
  refuses(
    count(),
    '',
    'B',
    '-1',
    '1e-3',
    '1KB',
    '1,000',
    'ten',
    'NaN',
    'Infinity',
    '1e999',
    '1e9x',
  );
});

test('count: bounds are said in the form that one would write', () => {
  const kind = count({ min: 1, max: 1e12 });
  assert.deepEqual(kind.parse('2T'), { problem: 'is above the most, 1T' });
  assert.deepEqual(kind.parse('0'), { problem: 'is below the least, 1' });
});

test('share: per cent or a fraction, within 0 and 1', () => {
  takes(share(), { '30%': 0.3, '0.3': 0.3, '.25': 0.25, '0': 0, '100 %': 1, '1e-4': 0.0001 });
  takes(share(), { '0.01%': 0.0001, '0.1%': 0.001, '1%': 0.01 });
  refuses(share(), '', '%', '30', '101%', '-1%', '1.1', 'half');
  assert.deepEqual(share().parse('30'), { problem: 'is above the most, 100%' });
});

test('amount: 1 KB is 1,000 bytes and 1 KiB is 1,024', () => {
  takes(amount(), { '100KB': 100_000, '100kb': 100_000, '64KiB': 65_536, '20TB': 20e12 });
  takes(amount(), { '3P': 3e15, '1.5 MB': 1_500_000, '512': 512, '512B': 512, '1e5': 100_000 });
  refuses(amount(), '', 'KB', '-1', '10s', '1KBB', '30d', '1EB', '1e400');
});

test('amounts: what is written is read back', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 15 }), (n) => {
      assert.deepEqual(count().parse(count().write(n)), { value: n });
      assert.deepEqual(amount().parse(amount().write(n)), { value: n });
    }),
  );
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1, noNaN: true }), (n) =>
      assert.deepEqual(share().parse(share().write(n)), { value: n }),
    ),
  );
});
