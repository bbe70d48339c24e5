/**
 * A URL that waits for its turn, and the order in which it waits (F2, F3).
 *
 * A waiting URL gains 0.01 of priority a day. All gain at the same rate, so the order between
 * two of them never changes, and one number fixed on the day of admission orders them for
 * ever: `rankOf`, smaller is sooner. Equal priorities go first come, first served.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import { hostKeyOf, smallBytes, URL_HASH_BYTES, URL_KEY_BYTES, type UrlKey } from './keys.ts';
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
/** In packed rows, where the host is known and only the scheme is not. */
const SECURE = 0x08;
const JOBBED = 0x04;
const KIND_BITS = 0x03;
const PLACE_BYTES = 4 + URL_HASH_BYTES;
const placeBytes = Buffer.alloc(PLACE_BYTES);

/** Everything but key and rank, which the engine keeps in the row's own key. */
export function encodeWaiting(w: Waiting): Buffer {
  return writeRow(w, w.url, 0).take();
}

function writeRow(w: Waiting, url: string, headBits: number): ByteWriter {
  const near = w.parent.length > 0 && w.key.compare(w.parent, 0, 8, 0, 8) === 0;
  const parentBit = w.parent.length === 0 ? 0 : near ? PARENT_NEAR : PARENT_FAR;
  const saidBits = (w.claim === undefined ? 0 : CLAIMED) | (w.job ? JOBBED : 0);
  writer
    .byte(KINDS.indexOf(w.kind) | (w.again ? AGAIN : 0) | parentBit | saidBits | headBits)
    .byte(Math.round(w.priority * PRIORITY_STEPS))
    .varint(w.depth)
    .varint(w.hops)
    .varint(w.outside)
    .varint(w.fails);
  if (w.job) writer.varint(w.job);
  if (w.claim !== undefined) writer.byte(w.claim >> 8).byte(w.claim & 0xff);
  return writer.raw(near ? w.parent.subarray(8) : w.parent).text(url);
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
    ...((head & JOBBED) !== 0 && { job: r.varint() }),
    ...((head & CLAIMED) !== 0 && { claim: (r.byte() << 8) | r.byte() }),
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
 * A waiting URL of a known host as one string of bytes, for the many that are kept in memory:
 * rank (4), hash (16), then the row without what the host says already. Two of one host
 * compare as they wait: by rank, then by hash.
 */
export function packWaiting(w: Waiting, host: string): string {
  const secure = w.url.startsWith('https');
  const path = w.url.slice((secure ? 8 : 7) + host.length);
  placeBytes.writeUInt32BE(w.rank, 0);
  w.key.copy(placeBytes, 4, 8, URL_KEY_BYTES);
  writer.raw(placeBytes);
  return writeRow(w, path, secure ? SECURE : 0)
    .take()
    .toString('latin1');
}

export function unpackWaiting(packed: string, host: string): Waiting {
  const bytes = Buffer.from(packed, 'latin1');
  const draft = decodeWaiting(
    packedKey(packed, host),
    rankInPacked(packed),
    bytes.subarray(PLACE_BYTES),
  );
  const secure = ((bytes[PLACE_BYTES] as number) & SECURE) !== 0;
  return { ...draft, url: `${secure ? 'https' : 'http'}://${host}${draft.url}` };
}

export function rankInPacked(packed: string): number {
  const high = (packed.charCodeAt(0) << 8) | packed.charCodeAt(1);
  return high * 65_536 + ((packed.charCodeAt(2) << 8) | packed.charCodeAt(3));
}

/** Rank and hash: what makes two packed URLs the same. */
export function placeInPacked(packed: string): string {
  return packed.slice(0, PLACE_BYTES);
}

export function packedKey(packed: string, host: string): UrlKey {
  const key = smallBytes(URL_KEY_BYTES);
  key.set(hostKeyOf(host).subarray(0, 8), 0);
  key.write(packed.slice(4, PLACE_BYTES), 8, 'latin1');
  return key;
}
