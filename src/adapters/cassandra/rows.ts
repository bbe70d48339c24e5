/**
 * Rows as the server hands them out, and what they say of a URL: what it became, when it is due,
 * and whether it waits or lies on the shelf.
 */
import type { Instant } from '../../base/instant.ts';
import {
  decodeUrlRecord,
  decodeWaiting,
  encodeUrlRecord,
  encodeWaiting,
  queuedRecord,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import type { Value } from './link.ts';
import type { UrlColumn } from './statements.ts';

export const PLACE_BYTES = 8;

export function placeOf(key: UrlKey): Buffer {
  return key.subarray(0, PLACE_BYTES);
}

export function hashOf(key: UrlKey): Buffer {
  return key.subarray(PLACE_BYTES);
}

/** What is asked of the table `url`. */
export const URL_ROW =
  'place, hash, url, job, rank, waiting, is_shelved, record, next_at, due_at' as const;

export interface UrlRow {
  readonly place: Buffer;
  readonly hash: Buffer;
  readonly url: string;
  readonly rank: Whole | null;
  readonly waiting: Buffer | null;
  readonly is_shelved: boolean | null;
  readonly record: Buffer | null;
  readonly next_at: number | null;
  readonly due_at: number | null;
}

export interface WaitRow {
  readonly rank: Whole;
  readonly hash: Buffer;
  readonly url: string;
  readonly waiting: Buffer;
}

/** The driver's 64 bits; ours are below 2^53. */
export type Whole = { toNumber(): number };

export interface UrlState {
  readonly key: UrlKey;
  readonly record?: UrlRecord | undefined;
  /** In the table `due`, at this instant. */
  readonly dueAt?: Instant | undefined;
  readonly waiting?: Waiting | undefined;
  readonly shelf?: Waiting | undefined;
}

export function stateIn(row: UrlRow): UrlState {
  const { place, hash, url, record, next_at, due_at } = row;
  const key = Buffer.concat([place, hash]);
  const wait =
    row.waiting === null || row.rank === null
      ? undefined
      : { ...decodeWaiting(key, row.rank.toNumber(), row.waiting), url };
  return {
    key,
    record:
      record === null ? undefined : { ...decodeUrlRecord(record), url, nextCrawlAt: next_at ?? 0 },
    dueAt: due_at ?? undefined,
    ...(row.is_shelved ? { shelf: wait } : { waiting: wait }),
  };
}

/** A visited URL by its record; one that has only been queued by how it waits. */
export function recordOf({ record, waiting, shelf }: UrlState): UrlRecord | undefined {
  const queued = waiting ?? shelf;
  return record ?? (queued && queuedRecord(queued));
}

export function waitIn(place: Uint8Array, { rank, hash, url, waiting }: WaitRow): Waiting {
  const key = Buffer.concat([place.subarray(0, PLACE_BYTES), hash]);
  return { ...decodeWaiting(key, rank.toNumber(), waiting), url };
}

export function waitBytes(waiting: Waiting): Buffer {
  return encodeWaiting({ ...waiting, url: '' });
}

/** Left out is left as it is; null is gone. */
export type Columns = { readonly [name in UrlColumn]?: Value };

export function waitColumns(waiting: Waiting): Columns {
  const { url, job = 0, rank } = waiting;
  return { url, job, rank, waiting: waitBytes(waiting), is_shelved: false };
}

export const NO_WAIT: Columns = { rank: null, waiting: null, is_shelved: null };

export function recordColumns(record: UrlRecord): Columns {
  const { url, state, title, contentType, bodyBytes, lastFetchedAt, nextCrawlAt } = record;
  return {
    ...{ url, state, title, record: encodeUrlRecord({ ...record, url: '' }) },
    ...{ http_status: record.httpStatus, content_type: contentType, body_bytes: bodyBytes },
    ...{ fetched_at: Math.round(lastFetchedAt), next_at: nextCrawlAt },
  };
}
