/**
 * A line of a CDXJ index: key, instant, and as JSON where the record is.
 *
 *   com,example)/ 20260131120000 {"url":"https://example.com/","mime":"text/html","status":"200",…}
 *
 * Lines sort as bytes: everything before the JSON is ASCII.
 */
import type { Instant } from '../base/instant.ts';
import { surtOf } from './surt.ts';
import { timestamp14 } from './warc-record.ts';

export interface IndexedRecord {
  readonly url: string;
  readonly date: Instant;
  /** `text/html`, or `warc/revisit`; undefined when the answer said none. */
  readonly mime: string | undefined;
  /** Undefined for what is no answer: a picture. */
  readonly status: number | undefined;
  readonly digest: string;
  readonly place: RecordPlace;
}

/** Where a gzip member is. */
export interface RecordPlace {
  readonly filename: string;
  readonly offset: number;
  readonly length: number;
}

/** Without its line end. */
export function cdxjLine({ url, date, mime, status, digest, place }: IndexedRecord): string {
  const { filename, offset, length } = place;
  const json = {
    ...{ url, mime, status: status === undefined ? undefined : String(status), digest },
    ...{ length: String(length), offset: String(offset), filename },
  };
  return `${surtOf(url)} ${timestamp14(date)} ${JSON.stringify(json)}`;
}
