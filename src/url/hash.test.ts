import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ARCS_MAX,
  arcOf,
  formatUrlHash,
  hostKey,
  parseUrlHash,
  urlHash,
  writeUrlHash,
  writtenUrlHash,
} from './hash.ts';

test('urlHash: is SHA-256 of the URL, written sha256:<hex> and read back', () => {
  const url = 'http://h.example/';
  const hex = createHash('sha256').update(url).digest('hex');
  assert.equal(formatUrlHash(urlHash(url)), `sha256:${hex}`);
  assert.deepEqual([...parseUrlHash(`sha256:${hex}`)!], [...urlHash(url)]);
});

test('writtenUrlHash: any text: the same as its bytes, written', () => {
  for (const url of ['', 'http://h.example/', 'http://h.example/ä?ж=😀']) {
    assert.equal(writtenUrlHash(url), formatUrlHash(urlHash(url)));
  }
});

test('writeUrlHash: writes the hash where it is told, and nothing else', () => {
  const row = new Uint8Array(40).fill(7);
  writeUrlHash('http://h.example/', row, 4);
  assert.deepEqual([...row], [7, 7, 7, 7, ...urlHash('http://h.example/'), 7, 7, 7, 7]);
});

test('parseUrlHash: text of another form gives nothing', () => {
  const hex = 'a'.repeat(64);
  for (const text of ['', hex, `sha1:${hex}`, `sha256:${hex}0`, `sha256:${hex.slice(1)}g`]) {
    assert.equal(parseUrlHash(text), undefined, text);
  }
});

test('hostKey: the first 8 bytes of SHA-256 of the host name', () => {
  const digest = createHash('sha256').update('h.example').digest();
  assert.deepEqual([...hostKey('h.example')], [...digest.subarray(0, 8)]);
});

test('arcOf: arc i holds the keys from i/n of the circle to (i+1)/n', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.integer({ min: 0, max: 16 }), (point, bits) => {
      const key = new Uint8Array(8);
      new DataView(key.buffer).setBigUint64(0, point);
      assert.equal(arcOf(key, 2 ** bits), Number((point * 2n ** BigInt(bits)) >> 64n));
    }),
  );
});

test('arcOf: 64 arcs unless told otherwise, and only powers of two up to 65536', () => {
  const last = new Uint8Array(8).fill(255);
  assert.equal(arcOf(last), 63);
  assert.equal(arcOf(last, ARCS_MAX), 65_535);
  for (const arcs of [0, 3, -64, 100, 131_072, 0.5]) assert.throws(() => arcOf(last, arcs));
});
