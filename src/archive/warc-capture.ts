/**
 * From a capture to its WARC records, in the order of Common Crawl: request, response (or
 * revisit), metadata. Each names the others by `WARC-Concurrent-To`.
 */
import type { Instant } from '../base/instant.ts';
import { FLAGS, flagNames, type UrlRecord } from '../record/index.ts';
import {
  type Capture,
  type CaptureKind,
  capturedAt,
  headersOf,
  isEmptyPage,
  mayArchive,
  truncation,
} from './capture.ts';
import { requestHead, responseHead } from './http-head.ts';
import { outlinkFields } from './outlinks.ts';
import { recordId, sha256Of, type WarcRecord, warcDate, warcFields } from './warc-record.ts';

/** A response that later ones may repeat. */
export interface Archived {
  readonly uri: string;
  readonly date: Instant;
  readonly id: string;
  /** SHA-256 of its payload, where it is known by another name. */
  readonly payload?: Uint8Array;
}

export interface CaptureRecords {
  readonly kind: CaptureKind;
  readonly records: readonly WarcRecord[];
  /** What an index lists; undefined where there is only metadata. */
  readonly main?: WarcRecord;
  /** What a browser showed of it, which is listed, too. */
  readonly shown?: WarcRecord;
}

const HTTP = 'application/http; msgtype=';
const FIELDS = 'application/warc-fields';
const PROFILE = 'http://netpreserve.org/warc/1.1/revisit/';
export const REVISIT_PROFILES = {
  samePayload: `${PROFILE}identical-payload-digest`,
  notModified: `${PROFILE}server-not-modified`,
};

/** `repeats` is the response with the same body, where one was written before. */
export function captureRecords(
  capture: Capture,
  body: Uint8Array | undefined,
  repeats?: Archived,
  picture?: Uint8Array,
): CaptureRecords {
  const { record } = capture;
  const kind = kindOf(record, body, repeats);
  if (kind === 'nothing') return { kind, records: [] };
  const date = capturedAt(record);
  const main = mainRecord(kind, capture, body, repeats);
  const request = main && requestRecord(capture, main);
  const shown = main && picture && pictureRecord(record.url, date, picture, main.id);
  const metadata = metadataRecord(capture, kind, date, main);
  const records = [request, main, shown, metadata].filter((one) => one !== undefined);
  return { kind, records, ...(main && { main }), ...(shown && { shown }) };
}

/** Under the name that browsertrix gives to pictures. */
export function pictureRecord(
  url: string,
  date: Instant,
  picture: Uint8Array,
  mainId: string,
): WarcRecord {
  return {
    ...{ type: 'resource', uri: `urn:view:${url}`, date, id: recordId('resource', url, date) },
    contentType: 'image/png',
    fields: { 'WARC-Concurrent-To': mainId, 'WARC-Payload-Digest': sha256Of(picture) },
    block: [picture],
  };
}

function kindOf(
  record: UrlRecord,
  body: Uint8Array | undefined,
  repeats: Archived | undefined,
): CaptureKind {
  if (record.httpStatus === 0) return 'nothing';
  if (!mayArchive(record)) return 'absent';
  if (record.contentHash.length === 0) return isTold(record) ? 'head' : 'absent';
  if (repeats !== undefined) return 'repeated';
  return body === undefined ? 'absent' : 'whole';
}

/** Whether the head alone says what there is: not for a page that was never read. */
function isTold(record: UrlRecord): boolean {
  return Math.floor(record.httpStatus / 100) !== 2 || isEmptyPage(record);
}

function mainRecord(
  kind: CaptureKind,
  capture: Capture,
  body: Uint8Array | undefined,
  repeats: Archived | undefined,
): WarcRecord | undefined {
  if (kind === 'whole' && body !== undefined) return response(capture, body);
  if (kind === 'head') return response(capture, new Uint8Array(0));
  if (kind === 'repeated' && repeats !== undefined) return revisit(capture, repeats);
  return undefined;
}

function response(capture: Capture, body: Uint8Array): WarcRecord {
  const { record } = capture;
  const head = responseHead(record.httpStatus, headersOf(capture), body.length);
  const wasLost = body.length === 0 && !isEmptyPage(record);
  return {
    ...common('response', record),
    contentType: `${HTTP}response`,
    fields: {
      'WARC-IP-Address': record.remoteAddress || undefined,
      'WARC-Truncated': wasLost ? 'unspecified' : truncation(record),
      'WARC-Payload-Digest': sha256Of(body),
    },
    block: [head, body],
  };
}

function revisit(capture: Capture, repeats: Archived): WarcRecord {
  const { record } = capture;
  return {
    ...common('revisit', record),
    contentType: `${HTTP}response`,
    fields: {
      'WARC-IP-Address': record.remoteAddress || undefined,
      'WARC-Profile': REVISIT_PROFILES.samePayload,
      'WARC-Refers-To': repeats.id,
      'WARC-Refers-To-Target-URI': repeats.uri,
      'WARC-Refers-To-Date': warcDate(repeats.date),
      'WARC-Payload-Digest': `sha256:${Buffer.from(record.contentHash).toString('hex')}`,
    },
    block: [responseHead(record.httpStatus, headersOf(capture), record.bodyBytes)],
  };
}

function requestRecord({ record, asked }: Capture, main: WarcRecord): WarcRecord {
  return {
    ...common('request', record),
    contentType: `${HTTP}request`,
    fields: {
      'WARC-IP-Address': record.remoteAddress || undefined,
      'WARC-Concurrent-To': main.id,
    },
    block: [requestHead(record.url, asked)],
  };
}

function metadataRecord(
  capture: Capture,
  kind: CaptureKind,
  date: Instant,
  main: WarcRecord | undefined,
): WarcRecord {
  const { record } = capture;
  return {
    ...common('metadata', record, date),
    contentType: FIELDS,
    fields: { 'WARC-Concurrent-To': main?.id },
    block: [warcFields(aboutCapture(capture, kind), linksOf(capture))],
  };
}

/** Of the page that is told of: not of one that is gone, nor of one that must not be kept. */
function linksOf({ record, links }: Capture): string {
  const { redirectTo, contentHash } = record;
  const isIts = contentHash.length > 0 && mayArchive(record);
  return outlinkFields({ redirectTo, ...(isIts && { links }) });
}

function aboutCapture(capture: Capture, kind: CaptureKind): Record<string, string | undefined> {
  const { record, originalUrl, via } = capture;
  return {
    via,
    status: String(record.httpStatus),
    fetchTimeMs: String(record.wholeMs),
    firstByteMs: String(record.firstByteMs),
    ...aboutPage(record),
    body: kind === 'absent' ? absence(record) : undefined,
    nearDuplicateOf: originalUrl,
  };
}

/** What a record says of its page, for a metadata record. */
export function aboutPage(record: UrlRecord): Record<string, string | undefined> {
  return {
    depth: String(record.depth),
    hops: record.hops === 0 ? undefined : String(record.hops),
    title: record.title,
    flags: flagNames(record.flags).join(' '),
    usage: record.usage,
    reason: record.reason,
  };
}

/** Why the page is not to be archived; undefined when it may be. */
export function withheldFor(record: UrlRecord): string | undefined {
  if ((record.flags & FLAGS.noarchive) !== 0) return 'the page asks not to be archived';
  if ((record.flags & FLAGS.usage_refused) !== 0) return 'its site says no to this use';
  return undefined;
}

function absence(record: UrlRecord): string {
  const withheld = withheldFor(record);
  if (withheld !== undefined) return `not kept: ${withheld}`;
  if ((record.flags & FLAGS.near_duplicate) !== 0)
    return 'not kept: it nearly repeats another page';
  if (record.contentHash.length === 0) return 'not read: only the head of the answer was wanted';
  return 'not there: it was not kept, or could not be read';
}

function common(type: WarcRecord['type'], record: UrlRecord, date = capturedAt(record)) {
  return { type, uri: record.url, date, id: recordId(type, record.url, date) };
}
