/**
 * The tables of the embedded store: one key space, a letter each, then the place on the circle.
 * Within a table an arc is one range.
 *
 *   h hostKey(8) port(2)                            a host
 *   r hostKey(8) port(2)                            its robots.txt
 *   q hostKey(8) port(2)                            what was noticed about its pages
 *   u hostKey(8) urlHash(16)                        a known URL, and where it first waited
 *   v hostKey(8) urlHash(16)                        a visited URL's record
 *   w hostKey(8) port(2) rank(4) urlHash(8)         a URL that waits, best first
 *   s hostKey(8) urlHash(16)                        a URL on the shelf: its job is paused
 *   d arc(1) instant(6) hostKey(8) urlHash(16)      a URL that is due at an instant
 *   b sha256(32)                                    where a body lies
 *   a sha256(24)                                    where the archive has a payload
 *   n 0 high(4), n 1 low(4)                         originals, by a half of their fingerprints
 *   c kind(1) …                                     denials, holds, what is under way (G1)
 *   o hostKey(8) urlHash(16) file(4) at(6) from(4)  where an earlier visit's trace lies
 *   p part(1) file(4) at(6)                         a record of the packs that has moved
 *   j job(4)                                        what a job has come to
 *   m name                                          counts of the whole crawl
 *
 * On a ring (../ring) a node holds rows of several arcs, its own and copies, and:
 *
 *   i arc(1) …                                      mentions on their way to an arc
 *   k arc(1) …                                      the book of jobs
 *   t arc(1) [job(4)]                               what the arc's commits have come to
 *   x arc(1)                                        how far its log is, and who has a seat
 */
import type { Instant } from '../../base/instant.ts';
import type { Side } from '../../content/index.ts';
import { HOST_KEY_BYTES, type HostKey, URL_KEY_BYTES, type UrlKey } from '../../record/index.ts';
import type { PiecePlace } from '../folder/blocks.ts';

export const TABLE = {
  host: 0x68,
  robots: 0x72,
  sketch: 0x71,
  url: 0x75,
  visited: 0x76,
  waiting: 0x77,
  shelf: 0x73,
  due: 0x64,
  body: 0x62,
  payload: 0x61,
  near: 0x6e,
  comply: 0x63,
  job: 0x6a,
  moved: 0x70,
  oldTrace: 0x6f,
  inbox: 0x69,
  book: 0x6b,
  counts: 0x74,
  saved: 0x78,
} as const;
export const TOTALS_KEY = Buffer.from('mtotals');
export const SYNC_KEY = Buffer.from('msync');

/** Due rows are kept by arc, so that handing an arc over is a range here, too. */
export const DUE_ARCS = 64;
const DUE_SHIFT = 2;
const RANK_AT = 1 + HOST_KEY_BYTES;
const HASH_AT = RANK_AT + 4;
const WAITING_KEY_BYTES = HASH_AT + 8;
const DUE_KEY_AT = 8;
const NEAR_KEY_BYTES = 6;
const NOTHING = Buffer.alloc(0);
/** The last instant that six bytes hold is in the year 10889. */
const DUE_AT_MAX = 2 ** 48 - 1;

export function tableKey(table: number, key: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(1 + key.length);
  row[0] = table;
  row.set(key, 1);
  return row;
}

export function waitingKey(host: HostKey, rank: number, url: UrlKey): Buffer {
  const row = Buffer.allocUnsafe(WAITING_KEY_BYTES);
  row[0] = TABLE.waiting;
  row.set(host, 1);
  row.writeUInt32BE(rank, RANK_AT);
  url.copy(row, HASH_AT, 8, 16);
  return row;
}

export function waitingRange(): { gte: Buffer; lt: Buffer } {
  const gte = Buffer.from([TABLE.waiting]);
  return { gte, lt: after(gte) };
}

export function rankIn(waitingRow: Buffer): number {
  return waitingRow.readUInt32BE(RANK_AT);
}

export function dueKey(at: Instant, key: UrlKey): Buffer {
  const row = Buffer.allocUnsafe(DUE_KEY_AT + URL_KEY_BYTES);
  row[0] = TABLE.due;
  row[1] = (key[0] as number) >> DUE_SHIFT;
  row.writeUIntBE(Math.min(DUE_AT_MAX, Math.max(0, Math.round(at))), 2, 6);
  row.set(key, DUE_KEY_AT);
  return row;
}

export function dueFrom(row: Buffer): { at: Instant; key: UrlKey } {
  return { at: row.readUIntBE(2, 6), key: row.subarray(DUE_KEY_AT) };
}

/** An arc's due rows from one instant to another, both included. */
export function dueRange(arc: number, from: Instant, until: Instant): { gte: Buffer; lt: Buffer } {
  return { gte: duePlace(arc, Math.ceil(from)), lt: duePlace(arc, Math.floor(until) + 1) };
}

function duePlace(arc: number, at: Instant): Buffer {
  const place = Buffer.alloc(DUE_KEY_AT);
  place[0] = TABLE.due;
  place[1] = arc;
  place.writeUIntBE(Math.min(DUE_AT_MAX, Math.max(0, at)), 2, 6);
  return place;
}

/** The first key after every key that starts with `prefix`. */
export function after(prefix: Uint8Array): Buffer {
  const next = Buffer.from(prefix);
  for (let i = next.length - 1; i >= 0; i--) {
    if (next[i] !== 0xff) {
      next[i] = (next[i] as number) + 1;
      return next.subarray(0, i + 1);
    }
  }
  return Buffer.alloc(64, 0xff);
}

/** A trace that a later visit took the place of: it is garbage, and must be found to be erased. */
export function oldTraceKey(key: UrlKey, place: PiecePlace): Buffer {
  const row = Buffer.alloc(1 + URL_KEY_BYTES + 14);
  row[0] = TABLE.oldTrace;
  row.set(key, 1);
  row.writeUInt32BE(place.file, 1 + URL_KEY_BYTES);
  row.writeUIntBE(place.at, 5 + URL_KEY_BYTES, 6);
  row.writeUInt32BE(place.from, 11 + URL_KEY_BYTES);
  return row;
}

/** The position of a waiting row's host: what a near parent's key starts with. */
export function hostPartOf(waitingRow: Buffer): Buffer {
  return waitingRow.subarray(1, 9);
}

/** The row of the originals that have this half on this side: 0 is the upper, 1 the lower. */
export function nearKey(side: Side, half: number): Buffer {
  const row = Buffer.allocUnsafe(NEAR_KEY_BYTES);
  row[0] = TABLE.near;
  row[1] = side;
  row.writeInt32BE(half | 0, 2);
  return row;
}

export function nearHalf(row: Buffer): number {
  return row.readUInt32BE(2);
}

export function nearRange(side: Side): { gte: Buffer; lt: Buffer } {
  const gte = Buffer.from([TABLE.near, side]);
  return { gte, lt: after(gte) };
}

export function jobKey(job: number): Buffer {
  const row = Buffer.allocUnsafe(5);
  row[0] = TABLE.job;
  row.writeUInt32BE(job, 1);
  return row;
}

export function jobIn(row: Buffer): number {
  return row.readUInt32BE(1);
}

/** A row of a table that is kept by arc. */
export function arcKey(table: number, arc: number, name: Uint8Array = NOTHING): Buffer {
  const row = Buffer.allocUnsafe(2 + name.length);
  row[0] = table;
  row[1] = arc;
  row.set(name, 2);
  return row;
}

/** The rows that hold what a URL's visits brought. */
export function contentRows(
  urls: readonly UrlKey[],
  hosts: readonly HostKey[] = [],
): readonly Buffer[] {
  const tables = [TABLE.host, TABLE.robots, TABLE.sketch];
  return [
    ...urls.map((key) => tableKey(TABLE.visited, key)),
    ...tables.flatMap((table) => hosts.map((key) => tableKey(table, key))),
  ];
}
