import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownCopy } from './own-copy.ts';

test('own copy: any text stays what it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(ownCopy(text), text)),
  );
});
