/** Lending on a ring as bytes (ring-lend-wire.ts, ring-lend-result.ts): whatever others send. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LentRequest } from '../ports/lender.ts';
import { CALL_BYTES_MAX } from '../ports/ring-calls.ts';
import type { FetcherResult } from './lend-result.ts';
import { decodeResult, encodeResult } from './ring-lend-result.ts';
import {
  decodeBatch,
  decodeBrought,
  decodeLendQuestion,
  encodeBatch,
  encodeBrought,
  encodeLendQuestion,
} from './ring-lend-wire.ts';

const LOAN: LentRequest = {
  ...{ id: 'k3-1-abc', shard: 63, url: 'https://example.com/a?b=1', address: '2001:db8::1' },
  headers: { 'user-agent': 'Orbweaver/0.1', 'if-none-match': '"x"' },
  limits: { connectMs: 5_000, firstByteMs: 9_000, wholeMs: 30_000, headerBytes: 9, bodyBytes: 1e7 },
  forMs: 6_543,
};
const ms = fc.double({ min: 0, max: 3_600_000, noNaN: true });
const text = fc.string({ maxLength: 40 });
const PLAIN = { noNullPrototype: true } as const;
const RESULT: fc.Arbitrary<FetcherResult> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('answered' as const),
      status: fc.integer({ min: 100, max: 999 }),
      headers: fc.dictionary(text, text, { noNullPrototype: true, maxKeys: 20 }),
      body: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
      ...{ remoteAddress: text, httpVersion: fc.constantFrom('1.0' as const, '1.1', '2') },
      ...{ connectMs: ms, firstByteMs: ms, wholeMs: ms },
    },
    PLAIN,
  ),
  fc.record(
    {
      kind: fc.constant('failed' as const),
      reason: fc.constantFrom('connect' as const, 'tls', 'whole-timeout', 'closed'),
      ...{ detail: text, wholeMs: ms },
    },
    PLAIN,
  ),
  fc.record({ kind: fc.constant('refused' as const), detail: text }, PLAIN),
  fc.constant({ kind: 'returned' as const }),
);

test('lend wire: what is said is heard as it was said', () => {
  const ask = { kind: 'ask', n: 32, seconds: 40, region: 'eu' } as const;
  assert.deepEqual(decodeLendQuestion(encodeLendQuestion(ask)), ask);
  const bring = {
    kind: 'bring',
    id: 'a-1',
    at: 7,
    total: 12,
    piece: Buffer.from('hello'),
  } as const;
  assert.deepEqual(decodeLendQuestion(encodeLendQuestion(bring)), bring);
  const batch = { requests: [LOAN, { ...LOAN, id: 'other' }], waitMs: 250 };
  assert.deepEqual(decodeBatch(encodeBatch(batch).bytes), batch);
  const brought = { end: 'more', have: 9_000_000 } as const;
  assert.deepEqual(decodeBrought(encodeBrought(brought)), brought);
});

test('lend wire: any result is heard as it was said', () => {
  fc.assert(
    fc.property(RESULT, (result) => {
      assert.deepEqual(decodeResult(encodeResult(result)), result);
    }),
  );
});

test('lend wire: loans that do not fit into a message are left out, and counted so', () => {
  const long = { ...LOAN, url: `https://example.com/${'a'.repeat(10_000)}` };
  const { bytes, told } = encodeBatch({ requests: Array(9).fill(long), waitMs: 1 });
  assert.ok(bytes.length <= CALL_BYTES_MAX);
  assert.equal(told, 4);
  assert.equal(decodeBatch(bytes)?.requests.length, 4);
});

test('lend wire: bytes of others are a message or nothing, without a throw', () => {
  const good = [
    encodeBatch({ requests: [LOAN], waitMs: 9 }).bytes,
    encodeLendQuestion({ kind: 'bring', id: 'a', at: 0, total: 3, piece: Buffer.from('abc') }),
    encodeResult({ kind: 'refused', detail: 'no' }),
  ];
  const changed = fc
    .tuple(fc.constantFrom(...good), fc.nat(), fc.nat(255), fc.nat())
    .map(([bytes, at, value, end]) => {
      const copy = Buffer.from(bytes).subarray(0, 1 + (end % bytes.length));
      copy[at % copy.length] = value;
      return copy;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), changed), (bytes) => {
      for (const read of [decodeLendQuestion, decodeBatch, decodeBrought, decodeResult])
        read(bytes);
    }),
    { numRuns: 2_000 },
  );
});

test('lend wire: a loan that nobody should ask for is none', () => {
  const wrong: Partial<LentRequest>[] = [
    ...[{ url: 'file:///etc/passwd' }, { url: 'http://a:b@example.com/' }, { url: 'nonsense' }],
    ...[{ address: 'example.com' }, { shard: 64 }, { forMs: 1e9 }, { id: 'x'.repeat(101) }],
    ...[{ headers: { 'x-a': 'b\r\nc: d' } }, { headers: { 'x a': 'b' } }],
  ];
  for (const one of wrong) {
    const { bytes } = encodeBatch({ requests: [{ ...LOAN, ...one }], waitMs: 1 });
    assert.equal(decodeBatch(bytes), undefined, JSON.stringify(one));
  }
});
