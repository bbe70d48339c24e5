import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHttpDate } from './http-date.ts';

const NOW = Date.UTC(2026, 0, 1);

test('RFC 9110, 5.6.7: the three examples are one instant', () => {
  const instant = Date.UTC(1994, 10, 6, 8, 49, 37);
  assert.equal(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT'), instant);
  assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', NOW), instant);
  assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT'), instant);
  assert.equal(parseHttpDate('Sun Nov  6 08:49:37 1994'), instant);
});

test('two-digit year: at most 50 years ahead, else in the past', () => {
  assert.equal(parseHttpDate('Tuesday, 01-Jan-75 00:00:00 GMT', NOW), Date.UTC(2075, 0, 1));
  assert.equal(parseHttpDate('Friday, 01-Jan-77 00:00:00 GMT', NOW), Date.UTC(1977, 0, 1));
  const late = Date.UTC(2099, 0, 1);
  assert.equal(parseHttpDate('Saturday, 01-Jan-01 00:00:00 GMT', late), Date.UTC(2101, 0, 1));
});

test('no such day, other zones, other spacing: no date', () => {
  const wrong = [
    'Sat, 29 Feb 2025 00:00:00 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    '1994-11-06T08:49:37Z',
    '',
  ];
  for (const text of wrong) assert.equal(parseHttpDate(text, NOW), undefined, text);
});

test('property: a usual date with some characters changed is read by its pattern, or not at all', () => {
  const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
  const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
  const usual = new RegExp(
    `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d\\d) ${months} (\\d{4}) ${clock} GMT$`,
  );
  const change = fc.tuple(fc.nat(28), fc.constantFrom(...'0123456789 :,/TueJanGM\uff11'));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e9 }), fc.array(change, { maxLength: 3 }), (at, to) => {
      const letters = [...new Date(at * 1_000).toUTCString()];
      for (const [nth, letter] of to) letters[nth] = letter;
      const text = letters.join('');
      const [, day = '0', year = '0'] = usual.exec(text) ?? [];
      const read = parseHttpDate(text);
      if (Number(day) < 1 || Number(day) > 28 || Number(year) < 100) return;
      assert.equal(read, Date.parse(text), text);
    }),
    { numRuns: 2_000 },
  );
  assert.equal(parseHttpDate('Sun, 06 Nov 1994 24:49:37 GMT'), undefined);
  assert.equal(parseHttpDate('Sun, 06 Nov 19:4 08:49:37 GMT'), undefined);
});

test('property: what Date prints is read back to the second', () => {
  const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
  fc.assert(
    fc.property(date, (at) => {
      const second = Math.floor(at.getTime() / 1_000) * 1_000;
      assert.equal(parseHttpDate(at.toUTCString()), second);
    }),
  );
});
