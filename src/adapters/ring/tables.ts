/**
 * Which rows belong to an arc, and where in it they are. Copies of an arc are compared bucket by
 * bucket: a bucket is the next bits of the place on the circle after the six of the arc, so it is
 * one range in each table; rows that do not begin with a place are in the last bucket.
 *
 *   h r q u v w s   by the place of their host        d i k t   by their arc
 *
 * All else (bodies, traces of earlier visits, originals, denials …) stays with its node.
 */
import { ARCS } from '../../url/index.ts';
import { after, TABLE } from '../embedded/keys.ts';

export const BUCKETS_MIN = 16;
export const BUCKETS_MAX = 1_024;
/** Rows in a bucket, about: what is sent again when one of them differs. */
const ROWS_PER_BUCKET = 256;
/** Of keys whose length is not told by their table: arc and name (../../ports/arc-table.ts). */
export const NAMED_KEY_BYTES_MAX = 1 + 64;

/** Bytes of a key after its table's letter; 0 where they differ. */
const PLACED: readonly (readonly [table: number, keyBytes: number])[] = [
  [TABLE.host, 10],
  [TABLE.robots, 10],
  [TABLE.sketch, 10],
  [TABLE.url, 24],
  [TABLE.waiting, 22],
  [TABLE.shelf, 24],
  [TABLE.visited, 24],
];
const BY_ARC: readonly (readonly [table: number, keyBytes: number])[] = [
  [TABLE.due, 31],
  [TABLE.inbox, 0],
  [TABLE.book, 0],
  [TABLE.counts, 0],
];

const NOT_OF_AN_ARC = 0xff;
const keyBytes = new Uint8Array(256).fill(NOT_OF_AN_ARC);
const isByPlace = new Uint8Array(256);
for (const [table, bytes] of [...PLACED, ...BY_ARC]) keyBytes[table] = bytes;
for (const [table] of PLACED) isByPlace[table] = 1;

export interface KeySpan {
  readonly gte: Buffer;
  readonly lt: Buffer;
}

/** The arc that a row belongs to; undefined for what stays with its node. */
export function arcIn(key: Uint8Array): number | undefined {
  const table = key[0] as number;
  if (keyBytes[table] === NOT_OF_AN_ARC) return undefined;
  return isByPlace[table] === 1 ? (key[1] as number) >> 2 : (key[1] as number);
}

/** How long keys of the table are; 0 when each says so itself, undefined when it is not an arc's. */
export function keyBytesOf(table: number): number | undefined {
  const bytes = keyBytes[table];
  return bytes === NOT_OF_AN_ARC ? undefined : bytes;
}

export function isBuckets(buckets: number): boolean {
  return buckets >= 1 && buckets <= BUCKETS_MAX && Number.isInteger(Math.log2(buckets));
}

export function bucketsFor(rows: number): number {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, rows / ROWS_PER_BUCKET)));
  return Math.min(BUCKETS_MAX, Math.max(BUCKETS_MIN, wanted));
}

export function bucketIn(key: Uint8Array, buckets: number): number {
  if (isByPlace[key[0] as number] !== 1) return buckets - 1;
  const bits = (((key[1] as number) & 3) << 8) | (key[2] as number);
  return Math.floor((bits * buckets) / BUCKETS_MAX);
}

/** A bucket in each table, hosts first; the whole arc is bucket 0 of 1. */
export function spansOf(arc: number, bucket: number, buckets: number): KeySpan[] {
  const from = (arc * BUCKETS_MAX + (bucket * BUCKETS_MAX) / buckets) & 0xffff;
  const to = from + BUCKETS_MAX / buckets;
  const placed = PLACED.map(([table]) => {
    const gte = Buffer.from([table, from >> 8, from & 0xff]);
    const isLast = to === ARCS * BUCKETS_MAX;
    return {
      gte,
      lt: isLast ? Buffer.from([table + 1]) : Buffer.from([table, to >> 8, to & 0xff]),
    };
  });
  if (bucket < buckets - 1) return placed;
  const byArc = BY_ARC.map(([table]) => {
    const gte = Buffer.from([table, arc]);
    return { gte, lt: after(gte) };
  });
  return [...placed, ...byArc];
}
