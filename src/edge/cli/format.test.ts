import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  csvCell,
  etaMs,
  formatBytes,
  formatDuration,
  formatNumber,
  formatRate,
  safeText,
} from './format.ts';
import { fitMiddle, fitText, textWidth } from './format-width.ts';

test('numbers: grouped by thousands, at most one place behind the point', () => {
  const cases = [0, 999, 1_000, 1_234_567, -12_345, 1.25, -0.01, NaN, Infinity];
  assert.deepEqual(cases.map(formatNumber), [
    '0',
    '999',
    '1,000',
    '1,234,567',
    '-12,345',
    '1.3',
    '0',
    '–',
    '–',
  ]);
});

test('rates: the figures that matter', () => {
  assert.deepEqual([0, 0.251, 4.314, 87.24, 1370.4, NaN].map(formatRate), [
    '0',
    '0.25',
    '4.31',
    '87.2',
    '1,370',
    '–',
  ]);
});

test('bytes: the unit changes at 1,024 and never reads 1,024 of the smaller one', () => {
  const cases = [0, 1023, 1024, 1536, 1024 ** 2 - 1, 10 * 1024 ** 2, 5.5 * 1024 ** 3, -1];
  assert.deepEqual(cases.map(formatBytes), [
    '0 B',
    '1,023 B',
    '1 KB',
    '1.5 KB',
    '1 MB',
    '10 MB',
    '5.5 GB',
    '–',
  ]);
});

test('durations: two units at most', () => {
  const cases = [0, 850, 12_000, 59_600, 185_000, 7_800_000, 356_400_000, NaN];
  assert.deepEqual(cases.map(formatDuration), [
    '0 ms',
    '850 ms',
    '12 s',
    '1 m 00 s',
    '3 m 05 s',
    '2 h 10 m',
    '4 d 3 h',
    '–',
  ]);
});

test('eta: there is none without a pace, and nothing left takes no time', () => {
  assert.deepEqual([etaMs(100, 10), etaMs(0, 0), etaMs(5, 0)], [10_000, 0, undefined]);
});

test('safe text: escapes, control characters and turned writing lose their power', () => {
  const hostile = '\u001b[2J\u009b31m\u0007a\u202egnp.exe\u2066\u200b\u2028b\r\nc\u0000\ud800';
  const safe = safeText(hostile);
  assert.doesNotMatch(safe, /[\p{C}\p{Zl}\p{Zp}]/u);
  assert.match(safe, /\[2J/);
  assert.equal(safeText('a\r\n\tb'), 'a b');
  assert.equal(safeText('Grüße, 世界 👍'), 'Grüße, 世界 👍');
});

test('safe text: cut to a number of characters, with a sign that it was', () => {
  assert.equal(safeText('abcdef', 4), 'abc…');
  assert.equal(safeText('abcd', 4), 'abcd');
  assert.equal(safeText('👍👍👍', 2), '👍…');
  assert.equal(safeText('x'.repeat(50_000_000), 10), 'xxxxxxxxx…');
});

test('safe text: whatever is given, one harmless line that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
      const safe = safeText(text, max);
      assert.doesNotMatch(safe, /[\p{C}\p{Zl}\p{Zp}]/u);
      assert.ok(Array.from(safe).length <= max);
    }),
  );
});

test('csv: quotes, separators and line ends are quoted', () => {
  assert.deepEqual(['a', 'a,b', 'a"b', 'a\nb', 'a;b', '', undefined, 3, -3, true].map(csvCell), [
    'a',
    '"a,b"',
    '"a""b"',
    '"a\nb"',
    '"a;b"',
    '',
    '',
    '3',
    '-3',
    'true',
  ]);
});

test('csv: no crawled text is run as a formula', () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '\uff1d1', '\ufeff=1'];
  for (const text of formulas) assert.match(csvCell(text), /^"'/, JSON.stringify(text));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(csvCell(text), /^"?\s*[=+\-@]/);
    }),
  );
});

test('width: colours and marks take no column, wide characters take two', () => {
  assert.equal(textWidth('\u001b[31mabc\u001b[0m'), 3);
  assert.equal(textWidth('世界e\u0301👍'), 7);
});

test('width: a text is cut to its columns and colour does not leak', () => {
  assert.equal(fitText('abcdef', 4), 'abc…');
  assert.equal(fitText('世界世', 4), '世…');
  assert.equal(fitText('\u001b[31mabcdef\u001b[0m', 4), '\u001b[31mabc…\u001b[0m');
  assert.equal(fitMiddle('https://a.example/long/path/page.html', 20), 'https://a…/page.html');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 30 }), (text, width) => {
      assert.ok(textWidth(fitText(text, width)) <= width);
      assert.ok(textWidth(fitMiddle(text, width)) <= width);
    }),
  );
});
