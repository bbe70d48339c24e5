/**
 * A URL that waits for its turn, and the order in which it waits (F2, F3).
 *
 * A waiting URL gains 0.01 of priority a day. All gain at the same rate, so the order between
 * two of them never changes, and one number fixed on the day of admission orders them for
 * ever: `rankOf`, smaller is sooner. Equal priorities go first come, first served.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import { smallBytes, URL_HASH_BYTES, URL_KEY_BYTES, type UrlKey, urlKeyAt } from './keys.ts';
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
  /** What the link said for it (quality/score.ts); without one its priority stays as it is. */
  readonly claim?: number;
  /** The job that named it (../crawl/jobs.ts); left out for the crawl itself. */
  readonly job?: number;
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
  const { url, kind, priority, depth, hops, outside, parent, job = 0 } = waiting;
  return {
    ...blankRecord(url, admittedAtOf(waiting)),
    kind,
    priority,
    depth,
    hops,
    outside,
    parent,
    job,
  };
}

const writer = new ByteWriter();
const AGAIN = 0x80;
const PARENT_NEAR = 0x40;
const PARENT_FAR = 0x20;
const CLAIMED = 0x10;
/** Left to who writes the row (packed.ts). */
export const SPARE = 0x08;
const JOBBED = 0x04;
const KIND_BITS = 0x03;

/** Everything but key and rank, which the engine keeps in the row's own key. */
export function encodeWaiting(w: Waiting): Buffer {
  writeRow(writer, w, w.url, 0);
  return writer.take();
}

export function writeRow(to: ByteWriter, w: Waiting, url: string, headBits: number): void {
  const near = isNear(w.key, w.parent);
  const parentBit = w.parent.length === 0 ? 0 : near ? PARENT_NEAR : PARENT_FAR;
  const saidBits = (w.claim === undefined ? 0 : CLAIMED) | (w.job ? JOBBED : 0);
  to.byte(KINDS.indexOf(w.kind) | (w.again ? AGAIN : 0) | parentBit | saidBits | headBits)
    .byte(Math.round(w.priority * PRIORITY_STEPS))
    .varint(w.depth)
    .varint(w.hops)
    .varint(w.outside)
    .varint(w.fails);
  if (w.job) to.varint(w.job);
  if (w.claim !== undefined) to.byte(w.claim >> 8).byte(w.claim & 0xff);
  to.from(w.parent, near ? 8 : 0).text(url);
}

/** What a row is read from: bytes, or a string of them. */
export interface RowReader {
  byte(): number;
  varint(): number;
  copyTo(target: Uint8Array, at: number, count: number): void;
  text(): string;
}

export function decodeWaiting(key: UrlKey, rank: number, row: Uint8Array): Waiting {
  return readRow(new ByteReader(row), key, rank);
}

/** The same from a row whose place is known and whose key is not: it is computed. */
export function waitingAt(place: Uint8Array, rank: number, row: Uint8Array): Waiting {
  const key = smallBytes(URL_KEY_BYTES);
  for (let i = 0; i < 8; i++) key[i] = place[i] as number;
  const waiting = readRow(new ByteReader(row), key, rank);
  urlKeyAt(key, waiting.url);
  return waiting;
}

/** One shape for all but few: who reads it again and again is faster for that. */
export function readRow(r: RowReader, key: UrlKey, rank: number): Waiting {
  const head = r.byte();
  const priority = r.byte() / PRIORITY_STEPS;
  const [depth, hops, outside, fails] = [r.varint(), r.varint(), r.varint(), r.varint()];
  const job = (head & JOBBED) !== 0 ? r.varint() : 0;
  const claim = (head & CLAIMED) !== 0 ? (r.byte() << 8) | r.byte() : -1;
  const parent = parentFrom(r, head, key);
  const url = r.text();
  const kind = KINDS[head & KIND_BITS] ?? 'page';
  const again = (head & AGAIN) !== 0;
  const waiting: { -readonly [name in keyof Waiting]: Waiting[name] } = {
    key,
    url,
    kind,
    rank,
    priority,
    depth,
    hops,
    outside,
    parent,
    fails,
    again,
  };
  if (claim >= 0) waiting.claim = claim;
  if (job > 0) waiting.job = job;
  return waiting;
}

function isNear(key: Uint8Array, parent: Uint8Array): boolean {
  if (parent.length === 0) return false;
  for (let i = 0; i < 8; i++) if (key[i] !== parent[i]) return false;
  return true;
}

function parentFrom(r: RowReader, head: number, key: UrlKey): Uint8Array {
  if ((head & (PARENT_NEAR | PARENT_FAR)) === 0) return NO_BYTES;
  const parent = smallBytes(URL_KEY_BYTES);
  const isNear = (head & PARENT_NEAR) !== 0;
  for (let i = 0; isNear && i < 8; i++) parent[i] = key[i] as number;
  r.copyTo(parent, isNear ? 8 : 0, isNear ? URL_HASH_BYTES : URL_KEY_BYTES);
  return parent;
}
