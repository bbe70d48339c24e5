/** Whatever goes in, zlib unfolds it to the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { packedMember } from './gzip-member.ts';
import { quickDeflate } from './quick-deflate.ts';

function packed(...pieces: readonly Uint8Array[]): Buffer {
  return Buffer.from(quickDeflate(pieces));
}

test('quick deflate: any bytes, any repeats at any distance: inflate gives them back', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.nat(40_000))
      .map(([bytes, length]) => Buffer.alloc(length, bytes)),
  );
  const cases = fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
    const bytes = Buffer.concat([...pieces, ...pieces.slice(0, 2)]);
    assert.ok(inflateRawSync(packed(...pieces, ...pieces.slice(0, 2))).equals(bytes));
    assert.ok(gunzipSync(packedMember([bytes])).equals(bytes));
  });
  fc.assert(cases, { numRuns: 150 });
});

test('quick deflate: every length of a match and distances up to the window', () => {
  for (let length = 0; length < 600; length++) {
    const noise = Buffer.from(Array.from({ length }, (_, i) => (i * i * 31 + i * 7) & 255));
    const far = Buffer.alloc((length * 113) % 33_000, 0);
    const bytes = Buffer.concat([noise, far, noise]);
    assert.ok(inflateRawSync(packed(bytes)).equals(bytes), `${length}`);
  }
});

test('quick deflate: text becomes smaller, noise hardly larger', () => {
  const text = readFileSync(new URL('./exchange.ts', import.meta.url));
  assert.ok(packed(text).length < 0.6 * text.length);
  assert.ok(packed(Buffer.alloc(100_000, 'x')).length < 1_000);
});
