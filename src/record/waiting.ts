/**
 * A URL that waits for its turn, and the order in which it waits (F2, F3).
 *
 * A waiting URL gains 0.01 of priority a day. All gain at the same rate, so the order between
 * two of them never changes, and one number fixed on the day of admission orders them for
 * ever: `rankOf`, smaller is sooner. Equal priorities go first come, first served.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import { smallBytes, URL_HASH_BYTES, URL_KEY_BYTES, type UrlKey } from './keys.ts';
import { blankRecord, KINDS, NO_BYTES, type UrlKind, type UrlRecord } from './url-record.ts';

export interface Waiting {
  readonly key: UrlKey;
  readonly url: string;
  readonly kind: UrlKind;
  readonly rank: number;
  readonly priority: number;
  readonly depth: number;
  readonly hops: number;
  readonly outside: number;
  /** The url key of the page that named it; empty for a seed. */
  readonly parent: Uint8Array;
  /** Failed tries so far. */
  readonly fails: number;
  /** Fetched before: its record has validators and a body to compare with. */
  readonly again: boolean;
}

export const GAIN_PER_DAY = 0.01;
const EPOCH = Date.UTC(2020, 0, 1);
/** Steps of rank a day: two URLs of one priority 0.4 s apart still keep their order. */
const STEPS_PER_DAY = 262_144;
/** Room below zero for the best priority on the first day. */
const OFFSET_DAYS = 1 / GAIN_PER_DAY;
/** Ranks fit 32 bits until 2063. */
export const RANK_MAX = 2 ** 32 - 1;
/** Priorities are kept in steps of 0.004, so that rank and priority give back the day. */
const PRIORITY_STEPS = 250;

export function quantised(priority: number): number {
  return Math.round(Math.min(1, Math.max(0, priority)) * PRIORITY_STEPS) / PRIORITY_STEPS;
}

export function rankOf(priority: number, admittedAt: Instant): number {
  const days = (admittedAt - EPOCH) / DAY_MS + OFFSET_DAYS - quantised(priority) / GAIN_PER_DAY;
  return Math.min(RANK_MAX, Math.max(0, Math.round(days * STEPS_PER_DAY)));
}

/** The instant of admission, to within half a step. */
export function admittedAtOf(w: Pick<Waiting, 'rank' | 'priority'>): Instant {
  const days = w.rank / STEPS_PER_DAY - OFFSET_DAYS + quantised(w.priority) / GAIN_PER_DAY;
  return Math.round(EPOCH + days * DAY_MS);
}

/** What is known of a URL that has only been queued. */
export function queuedRecord(waiting: Waiting): UrlRecord {
  const { url, kind, priority, depth, hops, outside, parent } = waiting;
  return {
    ...blankRecord(url, admittedAtOf(waiting)),
    kind,
    priority,
    depth,
    hops,
    outside,
    parent,
  };
}

const writer = new ByteWriter();
const AGAIN = 0x80;
const PARENT_NEAR = 0x40;
const PARENT_FAR = 0x20;
const KIND_BITS = 0x0f;

/** Everything but key and rank, which the engine keeps in the row's own key. */
export function encodeWaiting(w: Waiting): Buffer {
  const near = w.parent.length > 0 && w.key.compare(w.parent, 0, 8, 0, 8) === 0;
  const parentBit = w.parent.length === 0 ? 0 : near ? PARENT_NEAR : PARENT_FAR;
  return writer
    .byte(KINDS.indexOf(w.kind) | (w.again ? AGAIN : 0) | parentBit)
    .byte(Math.round(w.priority * PRIORITY_STEPS))
    .varint(w.depth)
    .varint(w.hops)
    .varint(w.outside)
    .varint(w.fails)
    .raw(near ? w.parent.subarray(8) : w.parent)
    .text(w.url)
    .take();
}

export function decodeWaiting(key: UrlKey, rank: number, row: Uint8Array): Waiting {
  const r = new ByteReader(row);
  const head = r.byte();
  return {
    key,
    rank,
    kind: KINDS[head & KIND_BITS] ?? 'page',
    again: (head & AGAIN) !== 0,
    priority: r.byte() / PRIORITY_STEPS,
    depth: r.varint(),
    hops: r.varint(),
    outside: r.varint(),
    fails: r.varint(),
    parent: parentFrom(r, head, key),
    url: r.text(),
  };
}

function parentFrom(r: ByteReader, head: number, key: UrlKey): Uint8Array {
  if ((head & (PARENT_NEAR | PARENT_FAR)) === 0) return NO_BYTES;
  const parent = smallBytes(URL_KEY_BYTES);
  const isNear = (head & PARENT_NEAR) !== 0;
  if (isNear) parent.set(key.subarray(0, 8), 0);
  parent.set(r.raw(isNear ? URL_HASH_BYTES : URL_KEY_BYTES), isNear ? 8 : 0);
  return parent;
}

/**
 * A waiting URL as one string of bytes: a quarter of the memory of the object, for the many
 * that are kept for later. Its first 24 characters are the url key.
 */
export function packWaiting(w: Waiting): string {
  return w.key.toString('latin1') + encodeWaiting(w).toString('latin1');
}

export function unpackWaiting(packed: string, rank: number): Waiting {
  const bytes = Buffer.from(packed, 'latin1');
  const key = smallBytes(URL_KEY_BYTES);
  key.set(bytes.subarray(0, URL_KEY_BYTES), 0);
  return decodeWaiting(key, rank, bytes.subarray(URL_KEY_BYTES));
}
