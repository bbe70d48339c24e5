/**
 * The records as a reader sees them: `orb pages`, `links`, `status`, `why` and the rebuild of
 * a filter. A crawl does not need it to go on; people do.
 *
 * Promises (shard-store.contract.ts):
 *  10. scan() meets every URL known when it began, once, in key order, queued ones included.
 *  11. trace() gives the headers and links of the last visit.
 *  12. visited() meets every visited URL once, in key order, with the links of its last visit.
 */
import type { LinkEdge, Rendering, UrlKey, UrlRecord } from '../record/index.ts';
import type { JobCounts } from './job-counts.ts';
import type { Totals } from './shard-store.ts';

export interface Records {
  totals(): Promise<Totals>;
  /** What each job has come to; 0 is the crawl itself. */
  jobs(): Promise<ReadonlyMap<number, JobCounts>>;
  /** Up to `limit` URLs after a key; an empty answer is the end. */
  scan(after: UrlKey | undefined, limit: number): Promise<readonly ScannedUrl[]>;
  /** Keys only, as one flat buffer of 24-byte keys: for the rebuild of a filter. */
  keys(after: UrlKey | undefined, limit: number): Promise<Buffer>;
  trace(key: UrlKey): Promise<StoredTrace | undefined>;
  /** Up to `limit` visited URLs after a key; an empty answer is the end. For jobs over all of it. */
  visited(after: UrlKey | undefined, limit: number): Promise<readonly VisitedUrl[]>;
}

export interface ScannedUrl {
  readonly key: UrlKey;
  readonly record: UrlRecord;
}

export interface VisitedUrl extends ScannedUrl {
  readonly links: readonly LinkEdge[];
}

export interface StoredTrace {
  readonly headers: Readonly<Record<string, string>>;
  readonly links: readonly LinkEdge[];
  /** Of what is not HTML: what its plugin knows of it (X2). */
  readonly document?: Readonly<Record<string, string>>;
  /** Of a page that was rendered (J1). */
  readonly rendering?: Rendering;
}
