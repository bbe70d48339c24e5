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
 */
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
  decodeMessage,
  encodeMessage,
  MESSAGE_BYTES_MAX,
  PEERS_MAX,
  peerFrom,
  RING_VERSION,
} from './wire.ts';
