import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { CONTENT_CODINGS, decodeBody } from './decode.ts';

const TEXT = Buffer.from('<p>all work and no play</p>\n'.repeat(2_000));
const LIMIT = 10_000_000;

function quickBrotli(input: Uint8Array): Buffer {
  return zlib.brotliCompressSync(input, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } });
}

type Encoder = (input: Uint8Array) => Buffer;
const ENCODERS: Record<string, Encoder> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: quickBrotli,
  ...(CONTENT_CODINGS.includes('zstd') && { zstd: zlib.zstdCompressSync }),
};

/** The others cannot tell a changed letter from the one that was sent. */
const HAS_CHECKSUM = new Set(['gzip', 'deflate']);

/** Bytes that hardly compress, so that half the input holds about half the output. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = 32 + ((state >>> 16) % 64);
  }
  return bytes;
}

it('every coding that we ask for: can be undone', () => {
  assert.deepEqual(Object.keys(ENCODERS), [...CONTENT_CODINGS]);
});

for (const [coding, encode] of Object.entries(ENCODERS)) {
  it(`${coding}: gives back what was sent, and says nothing more`, () => {
    const decoded = decodeBody(encode(TEXT), coding, LIMIT);
    assert.deepEqual(decoded, { body: TEXT });
  });

  it(`${coding}: a bomb gives its first bytes and the flag`, () => {
    const bomb = encode(Buffer.alloc(50_000_000, 'a'));
    const { body, truncated } = decodeBody(bomb, coding, 1_000_001);
    assert.equal(truncated, 'decoded-limit');
    assert.equal(body.length, 1_000_001);
    assert.ok(body.every((byte) => byte === 97));
  });

  it(`${coding}: exactly the limit is whole, one byte more is not`, () => {
    assert.equal(decodeBody(encode(TEXT), coding, TEXT.length).truncated, undefined);
    const cut = decodeBody(encode(TEXT), coding, TEXT.length - 1);
    assert.equal(cut.truncated, 'decoded-limit');
    assert.deepEqual(Buffer.from(cut.body), TEXT.subarray(0, -1));
  });

  it(`${coding}: a stream cut short gives what it held`, () => {
    const long = noise(600_000);
    const sent = encode(long);
    const { body } = decodeBody(sent.subarray(0, Math.floor(sent.length * 0.8)), coding, LIMIT);
    assert.ok(body.length > 250_000, `${body.length} bytes`);
    assert.deepEqual(Buffer.from(body), long.subarray(0, body.length));
  });

  it(`${coding}: damage in the middle gives what came before it, and is told if it can be`, () => {
    const long = noise(600_000);
    const sent = encode(long);
    const half = sent.length >> 1;
    sent.fill(0xff, half, half + 64);
    const { body, error } = decodeBody(sent, coding, LIMIT);
    if (HAS_CHECKSUM.has(coding)) assert.match(error ?? '', /damaged/);
    const same = Math.min(body.length, 100_000);
    assert.deepEqual(Buffer.from(body.subarray(0, same)), long.subarray(0, same));
  });

  it(`${coding} announced, text sent: the text as it is, and an error`, () => {
    const decoded = decodeBody(TEXT, coding, LIMIT);
    assert.deepEqual(Buffer.from(decoded.body), TEXT);
    assert.match(decoded.error ?? '', /although announced/);
  });

  it(`${coding} twice: undone twice; announced twice and done once: undone once`, () => {
    const twice = decodeBody(encode(encode(TEXT)), `${coding}, ${coding}`, LIMIT);
    assert.deepEqual(Buffer.from(twice.body), TEXT);
    const once = decodeBody(encode(TEXT), `${coding},${coding}`, LIMIT);
    assert.deepEqual(Buffer.from(once.body), TEXT);
  });
}

it('gzip: several members are one body; rubbish after the last is dropped', () => {
  const members = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]);
  assert.equal(Buffer.from(decodeBody(members, 'x-gzip', LIMIT).body).toString(), 'one two');
  const trailing = Buffer.concat([zlib.gzipSync('page'), Buffer.from('rubbish')]);
  assert.equal(Buffer.from(decodeBody(trailing, 'GZIP', LIMIT).body).toString(), 'page');
});

it('deflate without the zlib wrapper: understood', () => {
  assert.deepEqual(Buffer.from(decodeBody(zlib.deflateRawSync(TEXT), 'deflate', LIMIT).body), TEXT);
});

it('codings are undone in reverse order', () => {
  const sent = zlib.gzipSync(zlib.brotliCompressSync(TEXT));
  assert.deepEqual(Buffer.from(decodeBody(sent, 'br, gzip', LIMIT).body), TEXT);
});

it('no coding, identity, unknown or too many: the bytes as they are, within the limit', () => {
  assert.equal(decodeBody(TEXT, undefined, LIMIT).body, TEXT);
  assert.equal(decodeBody(TEXT, 'identity', LIMIT).body, TEXT);
  assert.equal(decodeBody(TEXT, undefined, 10).truncated, 'decoded-limit');
  assert.match(decodeBody(TEXT, 'compress', LIMIT).error ?? '', /unknown coding compress/);
  assert.match(decodeBody(TEXT, 'gzip,gzip,gzip,gzip', LIMIT).error ?? '', /4 codings/);
});

it('any bytes under any label: an answer within the limit, never an exception', () => {
  const labels = fc.array(fc.constantFrom(...CONTENT_CODINGS, 'identity', 'x'), { maxLength: 5 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), labels, (bytes, coding) => {
      const { body, truncated } = decodeBody(bytes, coding.join(','), 200);
      assert.ok(body.length <= 200);
      assert.ok(truncated === undefined || body.length === 200);
    }),
  );
});
