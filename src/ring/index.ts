/**
 * The ring: many nodes, no centre (D1 to D8).
 *
 *   id.ts             places on the circle, and ranges of it
 *   chord.ts          one node of the ring: step(state, input, now) → [state, effects]
 *   ├ chord-message   what nodes say to each other
 *   ├ chord-state     what a node knows
 *   ├ chord-stabilise stabilise and rectify: what keeps the ring a ring
 *   ├ chord-join      joins, leaves, fingers, greetings
 *   ├ chord-lookup    the lookups of a node, and recent owners
 *   ├ chord-route     who is nearer to a key
 *   └ lookup          one lookup, as its asker walks it
 *   wire.ts           messages as bytes, with limits
 *   talk.ts           … and those about arcs, many in one: talk-arc, talk-fields
 *   line.ts           who stands in line for a place, as far as a node sees
 *   identity.ts       who a node is, and why it may be in this ring
 *   handshake.ts      the first words of two nodes
 *
 *   arc-step.ts       one arc at one node: stepArc(state, event, now) → [state, effects]
 *   ├ arc-log         stamps, entries, charters, the end of the log that an owner keeps
 *   ├ arc-messages    what nodes say about an arc, and what a step asks for
 *   ├ arc-state       what a node knows about it; terms
 *   ├ epoch           who becomes its owner, and who learns that it is not any more
 *   ├ owner           write, ship, count who has it
 *   ├ replica         keep a copy, refuse the stale
 *   ├ hand-over       seats come and go, the arc moves
 *   └ owner-lend      turns of a hot host for helpers
 */
export {
  BODY_BYTES_MAX,
  type Charter,
  type Entry,
  isBefore,
  type NodeId,
  type Stamp,
  seatsFor,
} from './arc-log.ts';
export type { ArcEffect, ArcEvent, ArcMessage } from './arc-messages.ts';
export {
  type ArcRules,
  type ArcState,
  type Awaited,
  isActing,
  leaseUntil,
  memberAgain,
  RING_RULES,
  withoutCopy,
} from './arc-state.ts';
export { foundArc, joinArc, stepArc } from './arc-step.ts';
export { type Step, step } from './chord.ts';
export type {
  ChordEffect,
  ChordInput,
  ChordMessage,
  Found,
  Peer,
} from './chord-message.ts';
export {
  CHORD_RULES,
  type Chord,
  type ChordRules,
  chordMember,
  chordOut,
  memberTimers,
  ownRange,
} from './chord-state.ts';
export { isReadyFor } from './hand-over.ts';
export {
  ANSWERS,
  HELLO_BYTES_MAX,
  type Heard,
  type HelloAnswer,
  heardHello,
  helloOf,
  type Introduction,
  type Refusal,
} from './handshake.ts';
export {
  distance,
  HIGHEST,
  isBetween,
  isInRange,
  isPosition,
  isRangeWithin,
  LOWEST,
  next,
  POSITION_BITS,
  POSITION_BYTES,
  type Position,
  placeOf,
  plusPower,
  positionBytes,
  positionFrom,
  type Range,
  type Span,
  spansOf,
} from './id.ts';
export {
  type Certified,
  certifiedBy,
  certify,
  isSignedBy,
  type Membership,
  SECRET_BYTES_MIN,
  selfAt,
  sharedKeyOf,
} from './identity.ts';
export { lineFrom, type Standing } from './line.ts';
export { type LendRules, type Loan, lend, windowOf } from './owner-lend.ts';
export {
  decodeTalk,
  encodePart,
  encodeTalk,
  isTalk,
  PART_BYTES_MAX,
  type RowsPiece,
  TALK_BLOB_BYTES_MAX,
  type Talk,
  type TalkPart,
  type Topic,
} from './talk.ts';
export type { ArcTalk } from './talk-arc.ts';
export {
  decodeMessage,
  encodeMessage,
  MESSAGE_BYTES_MAX,
  PEERS_MAX,
  peerFrom,
  RING_VERSION,
} from './wire.ts';
