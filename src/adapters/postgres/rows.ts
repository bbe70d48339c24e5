/** Rows as the server hands them out, and what they say. The URL and the next visit are columns. */
import {
  decodeUrlRecord,
  decodeWaiting,
  queuedRecord,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';

export interface WaitRow {
  readonly key: Buffer;
  readonly url: string;
  readonly rank: number;
  readonly waiting: Buffer;
}

export interface UrlRow {
  readonly key: Buffer;
  readonly url: string;
  readonly record: Buffer | null;
  readonly next_at: number | null;
  readonly rank: number | null;
  readonly waiting: Buffer | null;
}

/** What a UrlRow needs. */
export const URL_COLUMNS = 'url.key, url.url, record, next_at, rank, waiting';

export function waitIn({ key, url, rank, waiting }: WaitRow): Waiting {
  return { ...decodeWaiting(key, rank, waiting), url };
}

export const shelfIn = waitIn;

export function recordIn(url: string, record: Buffer, nextCrawlAt: number): UrlRecord {
  return { ...decodeUrlRecord(record), url, nextCrawlAt };
}

/** A visited URL by its record; one that has only been queued by how it waits. */
export function urlIn(row: UrlRow): UrlRecord | undefined {
  const { key, url, record, next_at, rank, waiting } = row;
  if (record !== null) return recordIn(url, record, next_at ?? 0);
  if (waiting === null || rank === null) return undefined;
  return queuedRecord(waitIn({ key, url, rank, waiting }));
}
