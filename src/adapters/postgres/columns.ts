/**
 * Batches as columns, in the order in which statements.ts takes them. A key that a batch names
 * twice is written once, as it is named last: the server refuses to change a row twice.
 */

import type { Settled } from '../../ports/shard-store.ts';
import {
  encodeHost,
  encodeUrlRecord,
  encodeWaiting,
  HOST_KEY_BYTES,
  type HostKey,
  type HostRecord,
  hostKeyIn,
  hostKeyOf,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import { bytesArray, float8Array, int4Array, int8Array, textArray } from './arrays.ts';

const RANK_BYTES = 4;
const HASH_BYTES = 8;
const HOST_BYTES = 8;

export function waitColumns(waits: readonly Waiting[]): Buffer[] {
  return [
    bytesArray(waits.map(({ key }) => key)),
    textArray(waits.map(({ url }) => url)),
    int4Array(waits.map(({ job = 0 }) => job)),
    int8Array(waits.map(({ rank }) => rank)),
    bytesArray(waits.map((wait) => encodeWaiting({ ...wait, url: '' }))),
    bytesArray(waits.map((wait) => placeOf(hostKeyIn(wait.key, wait.url), wait.rank, wait.key))),
  ];
}

/** Which wait is meant: of a key that was forgotten and named again, only the same one. */
export function sameWaitColumns(waits: readonly Waiting[]): Buffer[] {
  return [
    bytesArray(waits.map(({ key }) => key)),
    int8Array(waits.map(({ rank }) => rank)),
    int4Array(waits.map(({ job = 0 }) => job)),
  ];
}

export function placeColumn(waits: readonly Waiting[]): Buffer {
  return bytesArray(waits.map((w) => placeOf(hostKeyIn(w.key, w.url), w.rank, w.key)));
}

/** Where a URL waits, as bytes that sort: its host, its rank, half of its hash. */
export function placeOf(host: HostKey, rank: number, key: UrlKey): Buffer {
  const place = Buffer.allocUnsafe(HOST_KEY_BYTES + RANK_BYTES + HASH_BYTES);
  place.set(host, 0);
  place.writeUInt32BE(rank, HOST_KEY_BYTES);
  key.copy(place, HOST_KEY_BYTES + RANK_BYTES, HOST_BYTES, HOST_BYTES + HASH_BYTES);
  return place;
}

export interface Visit {
  readonly key: UrlKey;
  readonly record: UrlRecord;
  readonly trace?: Uint8Array | undefined;
}

/** Of a URL settled twice, the last record with the last trace; in the order of keys. */
export function visitsOf(settled: readonly Settled[]): Visit[] {
  const visits = new Map<string, Visit>();
  for (const { waiting, record, trace } of settled) {
    const name = waiting.key.toString('latin1');
    visits.set(name, { key: waiting.key, record, trace: trace ?? visits.get(name)?.trace });
  }
  return [...visits].sort(byName).map(([, visit]) => visit);
}

export function visitColumns(visits: readonly Visit[]): Buffer[] {
  const records = visits.map(({ record }) => record);
  return [
    bytesArray(visits.map(({ key }) => key)),
    textArray(records.map(({ url }) => url)),
    bytesArray(records.map((record) => encodeUrlRecord({ ...record, url: '' }))),
    textArray(records.map(({ state }) => state)),
    int4Array(records.map(({ httpStatus }) => httpStatus)),
    textArray(records.map(({ title }) => withoutNul(title))),
    textArray(records.map(({ contentType }) => withoutNul(contentType))),
    int8Array(records.map(({ bodyBytes }) => bodyBytes)),
    int8Array(records.map(({ lastFetchedAt }) => lastFetchedAt)),
    int8Array(records.map(({ nextCrawlAt }) => nextCrawlAt)),
    bytesArray(visits.map(({ trace }) => (trace === undefined ? null : Buffer.from(trace)))),
  ];
}

/** The one character that PostgreSQL's text cannot hold; the record has it all the same. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

export function hostColumns(given: readonly HostRecord[]): Buffer[] {
  const hosts = lastOf(given, ({ host }) => hostKeyOf(host));
  return [
    bytesArray(hosts.map(({ host }) => hostKeyOf(host))),
    textArray(hosts.map(({ host }) => host)),
    bytesArray(hosts.map(encodeHost)),
    int8Array(hosts.map(({ fetched }) => fetched)),
    int8Array(hosts.map(({ failed }) => failed)),
    int8Array(hosts.map(({ bytes }) => bytes)),
    float8Array(hosts.map(({ quality }) => quality)),
    textArray(hosts.map(({ hostClass }) => hostClass)),
    int8Array(hosts.map(({ lastFetchAt }) => lastFetchAt)),
    int8Array(hosts.map(({ turnAt }) => turnAt)),
  ];
}

export function keyColumn(keys: readonly Uint8Array[]): Buffer {
  return bytesArray(keys);
}

/** Each key once, as it was named last; in the order of keys. */
export function lastOf<T>(rows: readonly T[], keyOf: (row: T) => Buffer): T[] {
  const last = new Map(rows.map((row) => [keyOf(row).toString('latin1'), row]));
  return [...last].sort(byName).map(([, row]) => row);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
