import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestBlockedRate, bestRate, fewestBits } from './bloom-rate.ts';
import { sayFigure } from './figure.ts';
import { planCapacity } from './plan.ts';
import { PRESET_NAMES, type PresetName, presetOf } from './presets.ts';
import { compareQuoted, type FigureKey, figureOf } from './quoted.ts';
import { sayBytes, sayCount, sayShare, sayTime } from './say.ts';

function said(name: PresetName, keys: readonly FigureKey[]): string[] {
  const plan = planCapacity(presetOf(name).inputs);
  return keys.map((key) => sayFigure(figureOf(plan, key)));
}

function doNotFollow(name: PresetName): Record<string, string> {
  const { inputs, quotes } = presetOf(name);
  const wrong = compareQuoted(planCapacity(inputs), quotes).filter((one) => !one.follows);
  return Object.fromEntries(wrong.map(({ key, why }) => [key, why]));
}

test('a billion pages a day: the quoted load, storage and 53 GB at 14 bits are reproduced', () => {
  const keys = ['load.pagesPerSecond', 'storage.storedPerDay', 'storage.retained'] as const;
  const values = said('billion-a-day', [...keys, 'filter.filterMemory']);
  assert.deepEqual(values, ['11,574 pages/s', '100 TB', '3 PB', '52.5 GB']);
});

test('a billion pages a day: 0.01% does not follow from 14 bits, nor 11.6 GB/s from the pages', () => {
  assert.deepEqual(doNotFollow('billion-a-day'), {
    'load.bandwidth': '11,574 pages/s × 100 KB',
    'filter.falsePositive':
      '14 bits a URL give 0.12% at best (10 hashes); 0.01% takes 19.2 bits, 71.9 GB',
  });
});

test('five billion pages a day: 58,000 pages/s, 500 TB and 60 GB are reproduced', () => {
  const keys = ['load.pagesPerSecond', 'load.bytesPerDay', 'filter.filterMemory'] as const;
  assert.deepEqual(said('five-billion-a-day', keys), ['57,870 pages/s', '500 TB', '60 GB']);
  const { inputs, quotes } = presetOf('five-billion-a-day');
  const follow = compareQuoted(planCapacity(inputs), quotes).filter((one) => one.follows);
  for (const key of keys)
    assert.ok(
      follow.some((one) => one.key === key),
      key,
    );
});

test('five billion pages a day: 450 fetchers do not follow from 500 pages/s each', () => {
  assert.deepEqual(Object.keys(doNotFollow('five-billion-a-day')), ['fleet.fetchers']);
});

test('the two other estimates: one follows throughout, one has too few bits for its rate', () => {
  assert.deepEqual(doNotFollow('billion-a-month'), {});
  const wrong = doNotFollow('thousand-a-second');
  assert.deepEqual(Object.keys(wrong), ['storage.storedPerMonth', 'filter.falsePositive']);
  assert.match(wrong['filter.falsePositive'] ?? '', /^8 bits .* 2\.16% .* 14\.4 bits, 18 GB$/);
});

test('quotes: one that is off by a tenth does not follow, a filter better than quoted does', () => {
  const plan = planCapacity(presetOf('billion-a-day').inputs);
  const follows = (figure: FigureKey, value: number) =>
    compareQuoted(plan, [{ figure, value }])[0]?.follows;
  assert.equal(follows('load.pagesPerSecond', 12_750), false);
  assert.equal(follows('load.pagesPerSecond', 10_500), false);
  assert.equal(follows('load.pagesPerSecond', 11_900), true);
  assert.equal(follows('filter.falsePositive', 0.01), true);
  assert.equal(follows('filter.falsePositive', 0.001), false);
});

test('presets: every quoted figure exists', () => {
  for (const name of PRESET_NAMES) {
    const { inputs, quotes, what } = presetOf(name);
    const plan = planCapacity(inputs);
    for (const { figure } of quotes) assert.ok(figureOf(plan, figure).value > 0, figure);
    assert.notEqual(what, '');
  }
});

/** Bits and rates as tables of Bloom filters print them. */
const TABLE: readonly (readonly [bits: number, percent: string, hashes: number])[] = [
  [4, '14.7%', 3],
  [8, '2.16%', 6],
  [10, '0.819%', 7],
  [14, '0.12%', 10],
  [16, '0.0459%', 11],
  [20, '0.00671%', 14],
];

for (const [bits, percent, hashes] of TABLE) {
  test(`bloom: ${bits} bits a key give ${percent} with ${hashes} hashes, and no number gives less`, () => {
    const best = bestRate(bits);
    assert.equal(sayShare(best.rate), percent);
    assert.equal(best.hashes, hashes);
    assert.ok(bestBlockedRate(bits).rate > best.rate);
    const back = fewestBits(best.rate).bits;
    assert.ok(Math.abs(back - bits) < 1e-6, String(back));
  });
}

test('bloom: 1.44 bits for each halving of the rate, rounded up by whole hashes', () => {
  for (const rate of [0.01, 0.001, 0.0001]) {
    const least = Math.LOG2E * Math.log2(1 / rate);
    const { bits } = fewestBits(rate);
    assert.ok(bits >= least * 0.9999 && bits < least * 1.01, `${rate}: ${bits}`);
  }
});

test('bloom: sizes of single nodes as quoted: 100 million, 1 billion, 10 billion URLs', () => {
  const bytes = (urls: number, rate: number) => sayBytes((urls * fewestBits(rate).bits) / 8);
  assert.equal(bytes(100e6, 0.01), '120 MB');
  assert.equal(bytes(1e9, 0.01), '1.2 GB');
  assert.equal(bytes(10e9, 0.001), '18 GB');
});

test('amounts in words: three figures that matter, decimal units', () => {
  const counts = [0, 0.5, 99.96, 250, 11_574.07, 9_999_999, 86.4e6, 30e9, 5e12, 1e16];
  const words = ['0', '0.5', '100', '250', '11,574', '9,999,999', '86.4M', '30B', '5T', '10,000T'];
  assert.deepEqual(counts.map(sayCount), words);
  const sizes = [0, 999, 1_000, 999_600, 52.5e9, 1e14, 3e15, 1e24];
  const said = ['0 B', '999 B', '1 KB', '1 MB', '52.5 GB', '100 TB', '3 PB', '1,000 ZB'];
  assert.deepEqual(sizes.map(sayBytes), said);
  assert.deepEqual([1, 0.3, 0.0012, 1e-9].map(sayShare), ['100%', '30%', '0.12%', '1.00e-7%']);
  assert.deepEqual([0, 500, 1_000, 90_000, 2_592e6].map(sayTime), [
    '0 ms',
    '500 ms',
    '1 s',
    '1.5 min',
    '30 d',
  ]);
});
