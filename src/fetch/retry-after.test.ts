import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(1999, 11, 31, 23, 59, 29);

test('RFC 9110, 10.2.3: the two examples', () => {
  assert.equal(parseRetryAfter('Fri, 31 Dec 1999 23:59:59 GMT', NOW), 30_000);
  assert.equal(parseRetryAfter('120', NOW), 120_000);
});

test('a date gone by: now', () => {
  assert.equal(parseRetryAfter('Fri, 31 Dec 1999 23:59:00 GMT', NOW), 0);
});

test('anything else: nothing, so that our own back-off applies', () => {
  for (const text of ['', '-1', '+1', '1.5', '1e3', '0x10', 'soon', '2030-01-01', '1, 2']) {
    assert.equal(parseRetryAfter(text, NOW), undefined, text);
  }
});

test('property: never negative, never beyond what a number holds', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(
      fc.oneof(
        digits.map((all) => all.join('')),
        fc.string(),
      ),
      (text) => {
        const wait = parseRetryAfter(text, NOW);
        assert.ok(wait === undefined || (wait >= 0 && wait <= Number.MAX_SAFE_INTEGER));
      },
    ),
  );
});
