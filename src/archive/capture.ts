/**
 * A capture: what a crawl folder still has of the last answer to a URL, and what can be said
 * of it in an archive.
 *
 *   whole      headers and body are there                           → response
 *   repeated   its body is that of a page archived before           → revisit
 *   head       the status says it all, the body was never kept      → response, truncated
 *              (redirects, errors)
 *   absent     a body came and is not there to be given             → metadata only
 *              (near-duplicates, noarchive, unwanted types)
 *   nothing    the URL was never answered                           → nothing
 */
import type { Instant } from '../base/instant.ts';
import { FLAGS, NO_BYTES, type UrlRecord } from '../record/index.ts';
import type { Fields } from './http-head.ts';
import type { Outlinks } from './outlinks.ts';

export interface Capture {
  readonly record: UrlRecord;
  /** The page that it nearly repeats. */
  readonly originalUrl?: string;
  /** The answer's own; those of an earlier answer, or none, where its own were not kept. */
  readonly headers?: Fields;
  /** What every request of the crawl says, without secrets. */
  readonly asked: Fields;
  /** The page that named it first. */
  readonly via?: string;
  /** What it links to. */
  readonly links?: Outlinks['links'];
  /** There is a picture of it. */
  readonly hasPicture?: boolean;
}

export type CaptureKind = 'whole' | 'repeated' | 'head' | 'absent' | 'nothing';

/** Whether the body may be given away: a page can ask not to be archived (R3, R5). */
export function mayArchive({ flags }: UrlRecord): boolean {
  return (flags & (FLAGS.noarchive | FLAGS.usage_refused)) === 0;
}

/** Whether a body is worth asking for. */
export function hasPayload({ record }: Capture): boolean {
  return record.httpStatus > 0 && record.contentHash.length > 0 && mayArchive(record);
}

/**
 * The record of one answer. What failed later leaves the page as it was in the record, under the
 * status of the failure: of a page that is gone that failure is the last answer, without a body;
 * else the page still is, and it came with 200.
 */
export function lastAnswerIn(record: UrlRecord): UrlRecord {
  const { httpStatus, contentHash, state } = record;
  if (contentHash.length === 0 || httpStatus === 0) return record;
  if (Math.floor(httpStatus / 100) === 2) return record;
  if (state !== 'dead') return { ...record, httpStatus: 200, redirectTo: '' };
  const none = { contentHash: NO_BYTES, bodyBytes: 0, title: '' };
  return { ...record, ...none, contentType: '', etag: '', lastModified: '' };
}

/** When the answer was begun, as far as the record tells. */
export function capturedAt({ state, ...record }: UrlRecord): Instant {
  // A try that failed later moves `lastFetchedAt` and leaves the answer before it.
  const isOlder = state !== 'indexed' && record.contentHash.length > 0;
  const ended = isOlder ? record.lastChangedAt : record.lastFetchedAt;
  return Math.max(0, Math.floor((ended || record.firstSeenAt) - record.wholeMs));
}

/** The stored headers, where they belong to this answer; else what the record says of it. */
export function headersOf({ record, headers }: Capture): Fields {
  if (headers !== undefined && isOfThisAnswer(record)) return headers;
  const { contentType, etag, lastModified, redirectTo } = record;
  const said = {
    'content-type': contentType,
    etag,
    'last-modified': lastModified,
    location: redirectTo,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''));
}

/** Only a page that was read leaves headers; another answer leaves those of the one before. */
function isOfThisAnswer(record: UrlRecord): boolean {
  return record.contentHash.length > 0 || isEmptyPage(record);
}

/** A page whose body came and was empty. */
export function isEmptyPage({ state, redirectTo, flags }: UrlRecord): boolean {
  return state === 'indexed' && redirectTo === '' && (flags & FLAGS.truncated) === 0;
}

/** As `WARC-Truncated` names it; undefined for a body that is whole. */
export function truncation({ flags, reason }: UrlRecord): string | undefined {
  if ((flags & FLAGS.truncated) === 0) return undefined;
  if (/--max-body|--max-decoded/.test(reason)) return 'length';
  if (/--timeout/.test(reason)) return 'time';
  if (/closed the connection|fewer bytes/.test(reason)) return 'disconnect';
  return 'unspecified';
}
