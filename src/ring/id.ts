/**
 * Places on the circle of 2^64 points: of nodes, by their public keys, and of hosts, by their names.
 *
 *        after ──●━━━━━━━━━━━━━━━━━━━●── upTo          a range: (after, upTo], clockwise
 *                 the keys that the node at `upTo` owns
 *
 * A place is written as 16 hex digits, everywhere: as text it compares like the number it is, is
 * its own key in a Map, travels in JSON, and costs no allocation to compare. Arithmetic is rare
 * (the targets of fingers) and goes the long way round.
 *
 * A range whose ends are the same is the whole circle: what a node owns that is alone.
 */
import { hash } from 'node:crypto';
import { assert } from '../base/index.ts';

declare const position: unique symbol;
/** A point on the circle: 16 lower-case hex digits. */
export type Position = string & { readonly [position]: true };

export const POSITION_BYTES = 8;
/** Points are 64 bits: so many fingers could a node have. */
export const POSITION_BITS = 64;

const WRITTEN = /^[0-9a-f]{16}$/;
const POINTS = 1n << 64n;

/** The keys after one point, up to and with another, clockwise. */
export interface Range {
  readonly after: Position;
  readonly upTo: Position;
}

/** A stretch that does not cross zero, with both its ends. */
export interface Span {
  readonly first: Position;
  readonly last: Position;
}

/** Where a node stands: nobody chooses a place, it follows from the key that proves the node. */
export function placeOf(publicKey: Uint8Array): Position {
  // A string of its own: a part of a longer one is slower to compare, and is kept for ever.
  return hash('sha256', publicKey, 'buffer').toString('hex', 0, POSITION_BYTES) as Position;
}

/** A host's key (`hostKey` of ../url) or the first 8 bytes of any row's key. */
export function positionFrom(bytes: Uint8Array): Position {
  assert(bytes.length >= POSITION_BYTES, 'a position has 8 bytes');
  const { buffer, byteOffset } = bytes;
  return Buffer.from(buffer, byteOffset, POSITION_BYTES).toString('hex') as Position;
}

export function positionBytes(position: Position): Uint8Array {
  return new Uint8Array(Buffer.from(position, 'hex'));
}

export function isPosition(value: unknown): value is Position {
  return typeof value === 'string' && WRITTEN.test(value);
}

/** Strictly between two points, going clockwise; between a point and itself lies all the rest. */
export function isBetween(from: Position, it: Position, to: Position): boolean {
  return from < to ? from < it && it < to : from < it || it < to;
}

export function isInRange(it: Position, { after, upTo }: Range): boolean {
  return it === upTo || isBetween(after, it, upTo);
}

/** True when every key of the first is in the second. */
export function isRangeWithin(inner: Range, outer: Range): boolean {
  if (outer.after === outer.upTo) return true;
  return distance(outer.after, inner.after) + lengthOf(inner) <= lengthOf(outer);
}

function lengthOf({ after, upTo }: Range): bigint {
  return after === upTo ? POINTS : distance(after, upTo);
}

/** A range as one or two stretches, for stores whose rows are sorted by key. */
export function spansOf({ after, upTo }: Range): Span[] {
  const first = next(after);
  if (first <= upTo) return [{ first, last: upTo }];
  const low = { first: LOWEST, last: upTo };
  return after === HIGHEST ? [low] : [{ first, last: HIGHEST }, low];
}

export const LOWEST = '0000000000000000' as Position;
export const HIGHEST = 'ffffffffffffffff' as Position;

/** The next point clockwise. */
export function next(position: Position): Position {
  return moved(position, 1n);
}

/** The point 2^power further on: where a finger wants to point. */
export function plusPower(position: Position, power: number): Position {
  return moved(position, 1n << BigInt(power));
}

/** How far it is from one point to another, clockwise; 0 to itself. */
export function distance(from: Position, to: Position): bigint {
  return (POINTS + BigInt(`0x${to}`) - BigInt(`0x${from}`)) % POINTS;
}

function moved(position: Position, by: bigint): Position {
  const sum = (BigInt(`0x${position}`) + by) % POINTS;
  return sum.toString(16).padStart(16, '0') as Position;
}
