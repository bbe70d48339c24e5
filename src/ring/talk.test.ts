/** What nodes say about arcs, as bytes (talk.ts): it comes back as it was, or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BODY_BYTES_MAX } from './arc-log.ts';
import type { Position } from './id.ts';
import {
  decodeTalk,
  encodePart,
  encodeTalk,
  TALK_BLOB_BYTES_MAX,
  type TalkPart,
  TOPICS,
} from './talk.ts';
import type { ArcTalk } from './talk-arc.ts';
import { MESSAGE_BYTES_MAX } from './wire.ts';

/** With a prototype, like what is read. */
function record<T, K extends keyof T>(
  fields: { [F in keyof T]: fc.Arbitrary<T[F]> },
  requiredKeys = Object.keys(fields) as K[],
) {
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

const whole = fc.nat({ max: 2 ** 31 - 1 });
const epoch = fc.oneof(whole, fc.constant(2 ** 50));
const place = fc
  .uint8Array({ minLength: 8, maxLength: 8 })
  .map((bytes) => Buffer.from(bytes).toString('hex') as Position);
const stamp = record({ epoch, index: whole });
const charter = record({ at: stamp, seats: fc.uniqueArray(place, { maxLength: 6 }) });
const sentAt = fc.double({ noNaN: true, noDefaultInfinity: true });
const flag = fc.boolean();
const bytes = fc.uint8Array({ maxLength: 50 }).map((it) => Buffer.from(it));
const kind = <K extends string>(name: K) => fc.constant(name);

const append = fc
  .record({
    ...{ kind: kind('append'), epoch, after: whole, commit: whole, charter, sentAt },
    bodies: fc.array(fc.oneof(bytes, charter), { maxLength: 5 }),
  })
  .map(({ bodies, ...rest }): ArcTalk => {
    const entries = bodies.map((it, i) => {
      const index = rest.after + 1 + i;
      return Buffer.isBuffer(it) ? { index, body: it } : { index, charter: it };
    });
    return { ...rest, entries };
  });
const message: fc.Arbitrary<ArcTalk> = fc.oneof(
  append,
  record({ kind: kind('have'), epoch, index: fc.integer({ min: -1 }), sentAt, isLeaving: flag }),
  record({ kind: kind('refuse'), epoch }),
  record({
    ...{ kind: kind('sums'), epoch, anchor: whole, isCheck: flag, charter },
    sums: fc.array(sentAt, { minLength: 1, maxLength: 64 }),
  }),
  record({
    ...{ kind: kind('want'), epoch, anchor: whole, of: fc.constant(16) },
    buckets: fc.array(fc.nat({ max: 15 }), { maxLength: 16 }),
  }),
  record({ kind: kind('ask'), epoch, at: stamp, isTrial: flag, isBlessed: flag, sentAt }),
  record(
    {
      ...{ kind: kind('vote'), epoch, isTrial: flag, isYes: flag, sentAt, promised: epoch },
      charter,
    },
    ['kind', 'epoch', 'isTrial', 'isYes', 'sentAt', 'promised'],
  ),
  record({ kind: kind('bless'), epoch, at: stamp }),
  record({ kind: kind('dismiss'), epoch }),
);
const arc = fc.nat({ max: 63 });
const part: fc.Arbitrary<TalkPart> = fc.oneof(
  record({ kind: kind('arc'), arc, message }),
  record({
    ...{ kind: kind('piece'), arc, epoch, anchor: whole, of: fc.constant(64) },
    ...{ bucket: fc.nat({ max: 63 }), part: fc.nat({ max: 9 }), isLast: flag, rows: bytes },
  }),
  record({
    ...{ kind: kind('call'), n: whole, topic: fc.constantFrom(...TOPICS) },
    ...{ arc: fc.option(arc, { nil: undefined }), question: bytes },
  }),
  record({ kind: kind('answer'), n: whole, answer: bytes }),
  record({ kind: kind('elsewhere'), n: whole, owner: fc.option(place, { nil: undefined }) }),
);
const talk = record({ isLeaving: flag, seq: whole, heard: whole, parts: fc.array(part) });

test('talk: what was said is heard', () => {
  fc.assert(
    fc.property(talk, ({ parts, ...head }) => {
      const heard = decodeTalk(encodeTalk(head, parts.map(encodePart)));
      assert.deepEqual(heard, { ...head, parts });
    }),
  );
});

test('talk: a message that was cut or changed is another or none, and never throws', () => {
  fc.assert(
    fc.property(talk, fc.nat(), fc.nat({ max: 255 }), ({ parts, ...head }, at, byte) => {
      const bytes = encodeTalk(head, parts.map(encodePart));
      decodeTalk(bytes.subarray(0, at % bytes.length));
      bytes[at % bytes.length] = byte;
      decodeTalk(bytes);
    }),
  );
});

test('talk: any bytes are a message or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      decodeTalk(bytes);
      decodeTalk(Uint8Array.of(1, 0, 0, 0, ...bytes));
    }),
    { numRuns: 2_000 },
  );
});

const HEAD = { isLeaving: false, seq: 1, heard: 0 };
const isHeard = (part: TalkPart) => decodeTalk(encodeTalk(HEAD, [encodePart(part)])) !== undefined;

test('talk: what is too long, too many or out of range is none', () => {
  const answer = (bytes: number): TalkPart => {
    return { kind: 'answer', n: 1, answer: new Uint8Array(bytes) };
  };
  assert.equal(isHeard(answer(TALK_BLOB_BYTES_MAX)), true);
  assert.equal(isHeard(answer(TALK_BLOB_BYTES_MAX + 1)), false);
  const said = (message: ArcTalk, arc = 1) => isHeard({ kind: 'arc', arc, message });
  const seats = (count: number) =>
    Array.from({ length: count }, (_, n) => n.toString(16).padStart(16, '0') as Position);
  const at = { epoch: 1, index: 1 };
  const appended = (bytes: number, charter = { at, seats: seats(5) }): ArcTalk => {
    const entries = [{ index: 4, body: new Uint8Array(bytes) }];
    return { kind: 'append', epoch: 1, after: 3, commit: 0, sentAt: 0, charter, entries };
  };
  assert.equal(said(appended(BODY_BYTES_MAX)), true);
  assert.equal(said(appended(BODY_BYTES_MAX + 1)), false);
  assert.equal(said(appended(1, { at, seats: seats(33) })), false);
  assert.equal(said(appended(1, { at, seats: [...seats(2), ...seats(1)] })), false, 'a seat twice');
  assert.equal(said({ kind: 'dismiss', epoch: 1 }, 64), false, 'an arc that is none');
  const want = { kind: 'want', epoch: 1, anchor: 1 } as const;
  assert.equal(said({ ...want, of: 16, buckets: [16] }), false);
  assert.equal(said({ ...want, of: 2_048, buckets: [] }), false);
  assert.equal(
    said({ kind: 'ask', epoch: 1, at, isTrial: true, isBlessed: true, sentAt: NaN }),
    false,
  );
  assert.equal(decodeTalk(new Uint8Array(MESSAGE_BYTES_MAX + 1).fill(1)), undefined);
  assert.equal(decodeTalk(Uint8Array.of(2, 0, 1, 0)), undefined, 'another version');
  assert.equal(decodeTalk(new Uint8Array()), undefined);
});
