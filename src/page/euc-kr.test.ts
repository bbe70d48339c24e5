import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from './decode.ts';

const read = (hex: string) => decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), 'EUC-KR');

test('EUC-KR: syllables of KS X 1001 and those between them', () => {
  assert.equal(read('b0a1 c8fe'), '가힝');
  assert.equal(read('8141 8c63 c164 c652'), '갂똠햏힣');
  assert.equal(read('a2e6 a2e7'), '€®');
});

test('EUC-KR: what is no pair is nothing, and ASCII behind it is itself', () => {
  assert.equal(read('41 c65a 42'), 'A\ufffdZB');
  assert.equal(read('41 80 42 ff 43'), 'A\ufffdB\ufffdC');
  assert.equal(read('fefe b0'), '\ufffd\ufffd');
  assert.equal(read('b030 b0a1'), '\ufffd0가');
});
