/** Whatever goes in, zlib unfolds it to the same. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { denseMember, packedMember } from './gzip-member.ts';
import { denseDeflate, quickDeflate } from './quick-deflate.ts';

const WAYS = { quick: quickDeflate, dense: denseDeflate };

for (const [name, deflate] of Object.entries(WAYS)) {
  // A copy: the next call overwrites it.
  const packed = (...pieces: readonly Uint8Array[]) => Buffer.from(deflate(pieces));

  test(`${name} deflate: any bytes, any repeats at any distance: inflate gives them back`, () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.nat(40_000))
        .map(([bytes, length]) => Buffer.alloc(length, bytes)),
    );
    const cases = fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const all = [...pieces, ...pieces.slice(0, 2)];
      assert.ok(inflateRawSync(packed(...all)).equals(Buffer.concat(all)));
    });
    fc.assert(cases, { numRuns: 150 });
  });

  test(`${name} deflate: every length of a match and distances up to the window`, () => {
    for (let length = 0; length < 600; length++) {
      const noise = Buffer.from(Array.from({ length }, (_, i) => (i * i * 31 + i * 7) & 255));
      const far = Buffer.alloc((length * 113) % 33_000, 0);
      const bytes = Buffer.concat([noise, far, noise]);
      assert.ok(inflateRawSync(packed(bytes)).equals(bytes), `${length}`);
    }
  });

  test(`${name} deflate: noise of many blocks is hardly larger`, () => {
    const noise = randomBytes(300_000);
    const small = packed(noise);
    assert.ok(inflateRawSync(small).equals(noise));
    assert.ok(small.length < 1.13 * noise.length);
  });
}

test('quick deflate: text becomes smaller; dense: as small as by zlib', () => {
  const text = readFileSync(new URL('./exchange.ts', import.meta.url));
  assert.ok(quickDeflate([text]).length < 0.6 * text.length);
  assert.ok(denseDeflate([text]).length < 1.1 * deflateRawSync(text, { level: 1 }).length);
  assert.ok(denseDeflate([Buffer.alloc(100_000, 'x')]).length < 1_000);
});

test('members of both are gzip', () => {
  const pieces = [Buffer.from('a page, a page, '), Buffer.from('a page')];
  for (const member of [packedMember(pieces), denseMember(pieces)]) {
    assert.equal(gunzipSync(member).toString(), 'a page, a page, a page');
  }
});
