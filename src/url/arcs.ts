/**
 * Arcs of the circle by number. 64 of them are whole; one that is hot is split in halves, and
 * those once more (F8). Each number says by itself which keys are meant, so nobody needs a list
 * of splits to know what belongs where:
 *
 *   0 … 63      whole arcs, by the first 6 bits of a key
 *   128 … 255   halves:   128 + its first 7 bits
 *   256 … 511   quarters: 256 + its first 8 bits
 *
 * So every arc is a run of first bytes.
 */
import { assert } from '../base/index.ts';

export const ARCS = 64;
const HALVES_FROM = 128;
const QUARTERS_FROM = 256;
const ARCS_END = 512;

export interface FirstBytes {
  readonly from: number;
  readonly to: number;
}

export function isArc(arc: number): boolean {
  return Number.isInteger(arc) && arc >= 0 && (arc < ARCS || isPart(arc));
}

/** One that is there only when another was split. */
export function isPart(arc: number): boolean {
  return arc >= HALVES_FROM && arc < ARCS_END;
}

/** First bytes of the keys that it covers. */
export function firstBytesOf(arc: number): FirstBytes {
  assert(isArc(arc), 'the number of an arc');
  if (arc >= QUARTERS_FROM) return { from: arc - QUARTERS_FROM, to: arc - QUARTERS_FROM };
  const [first, width] = arc >= HALVES_FROM ? [arc - HALVES_FROM, 2] : [arc, 4];
  return { from: first * width, to: first * width + width - 1 };
}

/** How much of the circle they are, from 0 to 1. */
export function shareOf(arcs: readonly number[]): number {
  return arcs.map(firstBytesOf).reduce((sum, { from, to }) => sum + to - from + 1, 0) / 256;
}

export function covers(arc: number, key: Uint8Array): boolean {
  const { from, to } = firstBytesOf(arc);
  const first = key[0] as number;
  return first >= from && first <= to;
}

/** Is there a key that both of them cover? */
export function overlap(one: number, other: number): boolean {
  const [a, b] = [firstBytesOf(one), firstBytesOf(other)];
  return a.from <= b.to && b.from <= a.to;
}

/** The smallest that can ever cover it. */
export function quarterOf(key: Uint8Array): number {
  return QUARTERS_FROM + (key[0] as number);
}

/** What it is a half of; undefined when it is whole. */
export function splitFrom(arc: number): number | undefined {
  if (!isPart(arc)) return undefined;
  return arc >= QUARTERS_FROM ? arc >> 1 : (arc - HALVES_FROM) >> 1;
}

/** What it is part of, the nearest first. */
export function formerOf(arc: number): number[] {
  const former = splitFrom(arc);
  return former === undefined ? [] : [former, ...formerOf(former)];
}

/** The one of the 64 that it is (part of). */
export function wholeOf(arc: number): number {
  return firstBytesOf(arc).from >> 2;
}

/** What it is split into; nothing when it is as small as they get. */
export function halvesOf(arc: number): number[] {
  if (arc >= QUARTERS_FROM) return [];
  const first = arc >= HALVES_FROM ? 2 * arc : HALVES_FROM + 2 * arc;
  return [first, first + 1];
}

/** It, and every arc that may be left of it. */
export function withPartsOf(arc: number): number[] {
  return [arc, ...halvesOf(arc).flatMap(withPartsOf)];
}
