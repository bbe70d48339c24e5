/** Messages as bytes: what was written is read again, and nothing else is believed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { step } from './chord.ts';
import type { ChordMessage, Peer } from './chord-message.ts';
import { chordMember } from './chord-state.ts';
import { placeOf } from './id.ts';
import { decodeMessage, encodeMessage, MESSAGE_BYTES_MAX, PEERS_MAX, peerFrom } from './wire.ts';

const peer = (n: number): Peer => {
  const key = Buffer.alloc(32, n);
  return { id: key.toString('base64url'), place: placeOf(key), at: `10.0.0.${n}:7000` };
};
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const wired = ({ id, at }: Peer) => ({ id, at });

const MESSAGES: readonly ChordMessage[] = [
  { kind: 'ask', n: 1 },
  { kind: 'list', n: 2, before: peer(1), list: [peer(2), peer(3)] },
  { kind: 'list', n: 2, list: [] },
  { kind: 'find', n: 3, key: peer(4).place },
  { kind: 'way', n: 4, owns: false, before: peer(1), owners: [peer(5)], nearer: [peer(6)] },
  { kind: 'ping', n: 5 },
  { kind: 'pong', n: Number.MAX_SAFE_INTEGER },
  { kind: 'notify' },
  { kind: 'leaving', before: peer(7) },
];

test('wire: every message is read as it was written, and no place is sent', () => {
  for (const message of MESSAGES) {
    const bytes = encodeMessage(message);
    assert.deepEqual(decodeMessage(bytes), message);
    assert.ok(!Buffer.from(bytes).includes('"place"'));
  }
});

test('wire: a place that a peer claims is computed, not read', () => {
  const claimed = { ...wired(peer(1)), place: '0000000000000000' };
  assert.equal(peerFrom(claimed)?.place, peer(1).place);
});

test('wire: another version, a missing field, a wrong one or one too many peers is no message', () => {
  const list = { v: 1, kind: 'list', n: 1, list: [wired(peer(1))] };
  assert.ok(decodeMessage(bytesOf(list)));
  const wrong = [
    { ...list, v: 2 },
    { ...list, v: '1' },
    { ...list, kind: 'lists' },
    { ...list, kind: '__proto__' },
    { ...list, n: -1 },
    { ...list, n: 1.5 },
    { ...list, n: '1' },
    { ...list, n: 2 ** 60 },
    { ...list, list: {} },
    { ...list, list: [null] },
    { ...list, list: [{ ...wired(peer(1)), id: 'short' }] },
    { ...list, list: [{ ...wired(peer(1)), id: `${peer(1).id.slice(0, 42)}B` }] },
    { ...list, list: [{ ...wired(peer(1)), at: 'no port' }] },
    { ...list, list: [{ ...wired(peer(1)), at: `${'a'.repeat(300)}:1` }] },
    { ...list, list: Array.from({ length: PEERS_MAX + 1 }, () => wired(peer(1))) },
    { ...list, before: 'nobody' },
    { v: 1, kind: 'find', n: 1, key: 'FFFFFFFFFFFFFFFF' },
    { v: 1, kind: 'way', n: 1, owns: 1, owners: [], nearer: [] },
    [list],
  ];
  for (const value of wrong) {
    assert.equal(decodeMessage(bytesOf(value)), undefined, JSON.stringify(value).slice(0, 200));
  }
  const long = Buffer.concat([bytesOf(list), Buffer.alloc(MESSAGE_BYTES_MAX, ' ')]);
  assert.equal(decodeMessage(long), undefined);
});

test('wire: no bytes throw, and what they are read as does not make a node throw', () => {
  const cut = fc
    .tuple(fc.constantFrom(...MESSAGES), fc.nat(400), fc.nat(255))
    .map(([message, at, byte]) => {
      const bytes = encodeMessage(message);
      bytes[at % bytes.length] = byte;
      return bytes;
    });
  const json = fc.json().map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), json, cut), fc.nat(9), (bytes, n) => {
      const message = decodeMessage(bytes);
      if (message === undefined) return;
      const chord = chordMember(peer(20), [1, 2, 3, 4].map(peer));
      step(chord, { kind: 'got', from: peer(n), message }, 0);
      assert.deepEqual(decodeMessage(encodeMessage(message)), message);
    }),
    { numRuns: 2_000 },
  );
});
