/** Places and ranges: the circle closes, and a range is cut without losing a key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostKey } from '../url/index.ts';
import {
  distance,
  HIGHEST,
  isBetween,
  isInRange,
  isPosition,
  isRangeWithin,
  LOWEST,
  next,
  type Position,
  placeOf,
  plusPower,
  positionBytes,
  positionFrom,
  spansOf,
} from './id.ts';

const at = (n: number) => n.toString(16).padStart(16, '0') as Position;
/** Few points, so that equal ones meet. */
const point = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map(at),
  fc.integer({ min: 0, max: 3 }).map((n) => `fffffffffffffff${(15 - n).toString(16)}` as Position),
);

test('place: a host key and its position are the same 8 bytes', () => {
  const key = hostKey('example.com');
  assert.deepEqual(positionBytes(positionFrom(key)), key);
  assert.equal(placeOf(Buffer.from('example.com')), positionFrom(key));
});

test('place: only 16 lower-case digits are one', () => {
  assert.ok(isPosition(at(5)));
  for (const wrong of ['', '5', 5, undefined, at(5).toUpperCase().replace('5', 'F'), `${at(5)}0`]) {
    assert.equal(isPosition(wrong), false, String(wrong));
  }
});

test('between: the order is that of the distance clockwise', () => {
  fc.assert(
    fc.property(point, point, point, (a, it, b) => {
      const whole = a === b ? 1n << 64n : distance(a, b);
      const way = distance(a, it);
      assert.equal(isBetween(a, it, b), way > 0n && way < whole);
    }),
  );
});

test('range: its spans hold its keys, each once, and no others', () => {
  fc.assert(
    fc.property(point, point, point, (after, upTo, it) => {
      const spans = spansOf({ after, upTo }).filter(({ first, last }) => first <= it && it <= last);
      assert.equal(spans.length, isInRange(it, { after, upTo }) ? 1 : 0);
    }),
  );
});

test('range: one within another has no key outside it', () => {
  fc.assert(
    fc.property(point, point, point, point, point, (a, b, c, d, it) => {
      const [inner, outer] = [
        { after: a, upTo: b },
        { after: c, upTo: d },
      ];
      fc.pre(isRangeWithin(inner, outer));
      assert.ok(!isInRange(it, inner) || isInRange(it, outer));
    }),
  );
  assert.ok(isRangeWithin({ after: at(2), upTo: at(3) }, { after: at(1), upTo: at(3) }));
  assert.ok(!isRangeWithin({ after: at(3), upTo: at(2) }, { after: at(1), upTo: at(4) }));
});

test('circle: after the highest point comes zero, and 2^64 steps lead home', () => {
  assert.equal(next(HIGHEST), LOWEST);
  assert.equal(plusPower(HIGHEST, 0), LOWEST);
  assert.equal(plusPower(plusPower(at(7), 63), 63), at(7));
});
