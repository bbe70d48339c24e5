/** The owner's side of lending on a ring: who is lent what, and what it holds of what they bring. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../ports/http.ts';
import type { CallHandler, RingCalls } from '../ports/ring-calls.ts';
import type { Peer } from '../ring/index.ts';
import type { AckEnd, LendRequest, Lent } from './lend.ts';
import type { FetcherResult } from './lend-result.ts';
import { RingLending } from './ring-lend.ts';
import { encodeResult } from './ring-lend-result.ts';
import {
  decodeBatch,
  decodeBrought,
  encodeLendQuestion,
  type LendQuestion,
} from './ring-lend-wire.ts';
import { RingLender } from './ring-lender.ts';
import { peerOf } from './ring-seen.testkit.ts';

const [OWNER, HELPER, OTHER] = [peerOf(0), peerOf(1), peerOf(2)];
const MB = 1024 * 1024;
const LIMITS = {
  ...{ connectMs: 5_000, firstByteMs: 9_000, wholeMs: 30_000, headerBytes: 65_536 },
  bodyBytes: 10 * MB,
};
const REQUEST: HttpRequest = {
  ...{ url: 'http://example.com/', address: '127.0.0.1', headers: {}, limits: LIMITS },
  wants: () => true,
};

/** An owner whose visits end when they are answered. */
function owner() {
  const acked: { readonly id: string; readonly result: FetcherResult }[] = [];
  const ends = new Map<string, () => void>();
  const asked: LendRequest[] = [];
  const made = { isHot: true, shared: new Set([7]), loans: 1 };
  let [handler, ids]: [CallHandler | undefined, number] = [undefined, 0];
  const lent = (): Lent => {
    const id = `loan-${++ids}`;
    const ended = new Promise<void>((end) => ends.set(id, end));
    return { id, shard: 7, isPage: true, request: REQUEST, from: 1_000, until: 7_000, ended };
  };
  const lending = {
    get isHot() {
      return made.isHot;
    },
    lease: async (ask: LendRequest) => {
      asked.push(ask);
      return { leases: Array.from({ length: made.loans }, lent), waitMs: 10 };
    },
    ack: async (_shard: unknown, _helper: unknown, id: string, result: FetcherResult) => {
      acked.push({ id, result });
      ends.get(id)?.();
      return 'settled' as AckEnd;
    },
  };
  const calls: Pick<RingCalls, 'serve' | 'askNode'> = {
    serve: (_topic, answer) => {
      handler = answer;
    },
    askNode: (_to, _topic, question) => (handler as CallHandler)(question, undefined, HELPER),
  };
  const counts = { lent: 0, lentSettled: 0, lentLost: 0 };
  const seats = { owners: () => [], sharedWith: () => made.shared };
  const ring = new RingLending({ lending, calls: calls as RingCalls, seats, counts });
  const say = (question: LendQuestion, from: Peer = HELPER) =>
    (handler as CallHandler)(encodeLendQuestion(question), undefined, from);
  return { ring, made, calls: calls as RingCalls, say, acked, asked, ends, counts };
}

const ASK = { kind: 'ask', n: 8, seconds: 40, region: '' } as const;
const answered = (body: Uint8Array): FetcherResult => ({
  ...{ kind: 'answered', status: 200, headers: {}, body, remoteAddress: '127.0.0.1' },
  ...{ httpVersion: '1.1', firstByteMs: 1, wholeMs: 2 },
});
const pieceOf = (id: string, result: Uint8Array, at: number, length: number): LendQuestion => ({
  ...{ kind: 'bring', id, at, total: result.length, piece: result.subarray(at, at + length) },
});

test('ring lend: an owner with a hand free lends nothing, nor to who keeps no copy of it', async () => {
  const { made, say, asked } = owner();
  made.isHot = false;
  assert.deepEqual(decodeBatch(await say(ASK)), { requests: [], waitMs: 1_000 });
  [made.isHot, made.shared] = [true, new Set()];
  assert.deepEqual(decodeBatch(await say(ASK)), { requests: [], waitMs: 1_000 });
  assert.equal(asked.length, 0, 'no turn was taken for it');
});

test('ring lend: a long answer comes in pieces, and pieces heard twice do not matter', async () => {
  const { ring, calls, acked, counts } = owner();
  const heardTwice: RingCalls = {
    ...calls,
    askNode: async (...asked) => {
      await calls.askNode(...asked);
      return calls.askNode(...asked);
    },
  };
  const borrowed = { borrowed: 0, borrowedSettled: 0, borrowedLost: 0 };
  const lender = new RingLender(OWNER, {
    ...{ calls: heardTwice, counts: borrowed, region: '', limits: LIMITS },
  });
  // The first of the two answers is that of a loan that nobody hears of.
  const { requests } = await lender.lease(4, 40);
  const body = Buffer.alloc(3 * MB + 17, 'abcdefg');
  const timing = { startedAt: 0, firstByteMs: 1, wholeMs: 2 };
  const end = await lender.ack(requests[0] as (typeof requests)[number], {
    ...{ kind: 'answered', status: 200, headers: {}, body, remoteAddress: '127.0.0.1' },
    ...{ httpVersion: '1.1', timing },
  });
  assert.equal(end, 'settled');
  assert.deepEqual(acked.length, 1, 'taken once');
  const { result } = acked[0] as (typeof acked)[number];
  assert.ok(result.kind === 'answered' && body.equals(result.body));
  await new Promise(setImmediate);
  assert.deepEqual(counts, { lent: 2, lentSettled: 1, lentLost: 0 });
  assert.deepEqual(borrowed, { borrowed: 1, borrowedSettled: 1, borrowedLost: 0 });
  assert.equal(ring.gatheredBytes, 0);
});

test('ring lend: pieces of a loan that is not out, or of another helper, are lost', async () => {
  const { say, ring } = owner();
  await say(ASK);
  const result = encodeResult(answered(Buffer.alloc(50)));
  const lost = { end: 'lost', have: 0 };
  assert.deepEqual(decodeBrought(await say(pieceOf('loan-9', result, 0, 10))), lost);
  assert.deepEqual(decodeBrought(await say(pieceOf('loan-1', result, 0, 10), OTHER)), lost);
  assert.equal(ring.gatheredBytes, 0);
});

test('ring lend: what is over its bound goes back to the queue, and nothing of it is held', async () => {
  const { made, say, acked, ring } = owner();
  made.loans = 9;
  await say(ASK);
  const whole = encodeResult(answered(Buffer.alloc(10 * MB)));
  for (let n = 1; n <= 6; n++) await say(pieceOf(`loan-${n}`, whole, 0, 40_000));
  assert.ok(ring.gatheredBytes <= 64 * MB && ring.gatheredBytes > 60 * MB);
  const over = decodeBrought(await say(pieceOf('loan-7', whole, 0, 40_000)));
  assert.equal(over?.end, 'lost');
  const huge = { kind: 'bring', id: 'loan-8', at: 0, total: 20 * MB, piece: whole.subarray(0, 9) };
  assert.equal(decodeBrought(await say(huge as LendQuestion))?.end, 'lost');
  assert.deepEqual(
    acked.map(({ id, result }) => `${id} ${result.kind}`),
    ['loan-7 returned', 'loan-8 returned'],
  );
});

test('ring lend: a loan that ends takes its pieces along; what is no result goes back', async () => {
  const { made, say, acked, ring, ends, counts } = owner();
  made.loans = 2;
  await say(ASK);
  const whole = encodeResult(answered(Buffer.alloc(MB)));
  await say(pieceOf('loan-1', whole, 0, 40_000));
  ends.get('loan-1')?.();
  await new Promise(setImmediate);
  assert.equal(ring.gatheredBytes, 0);
  const nonsense = Buffer.from([9, 9, 9]);
  const told = decodeBrought(await say(pieceOf('loan-2', nonsense, 0, 3)));
  assert.equal(told?.end, 'lost');
  assert.deepEqual(acked, [{ id: 'loan-2', result: { kind: 'returned' } }]);
  await new Promise(setImmediate);
  assert.deepEqual(counts, { lent: 2, lentSettled: 0, lentLost: 2 });
});
