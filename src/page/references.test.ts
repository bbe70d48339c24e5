import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedReferences } from './entities.ts';
import { decodeAttribute, readReference } from './references.ts';

test('references: the table holds the standard’s 2,125 names, 106 of them also bare', () => {
  const { withSemicolon, bare } = namedReferences();
  assert.equal(withSemicolon.size, 2125);
  assert.equal(bare.size, 106);
  assert.equal(withSemicolon.get('NotEqualTilde'), '\u2242\u0338');
  assert.equal(withSemicolon.get('CounterClockwiseContourIntegral'), '\u2233');
});

test('references: in an attribute an old name before a letter or = stays what it is', () => {
  assert.equal(decodeAttribute('?a=1&copy=2&copy;&copyx&copy '), '?a=1&copy=2©&copyx© ');
  assert.equal(decodeAttribute('&noti;&amp&lt'), '&noti;&<');
});

test('references: in text the longest old name counts', () => {
  const read = (text: string): [string, number] => {
    const { text: found, length } = readReference(text, 0, text.length, false);
    return [found, length];
  };
  assert.deepEqual(read('&notit;'), ['¬', 4]);
  assert.deepEqual(read('&notin;'), ['∉', 7]);
  assert.deepEqual(read('&#x80;'), ['€', 6]);
  assert.deepEqual(read('&#xD800'), ['\ufffd', 7]);
  assert.deepEqual(read('&#99999999999999999999;'), ['\ufffd', 23]);
});

test('references: a value without ampersands comes back as it is, and none throws', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const decoded = decodeAttribute(value);
      if (!value.includes('&')) assert.equal(decoded, value);
    }),
  );
});
