/**
 * What is known about one URL (B2), and the life it leads (F9):
 *
 *   queued → checking ─┬→ skipped
 *                      └→ fetching ─┬→ storing → parsing → indexed
 *                                   └→ retrying | dead | failed
 *
 * The states between `queued` and the end exist only in the memory of the process that
 * visits; a crash puts the URL back to `queued`. The reason is a sentence for a person.
 */
import type { Instant } from '../base/instant.ts';

export const URL_STATES = [
  'queued',
  'checking',
  'skipped',
  'fetching',
  'storing',
  'parsing',
  'indexed',
  'retrying',
  'dead',
  'failed',
] as const;
export type UrlState = (typeof URL_STATES)[number];

/** One bit each in `UrlRecord.flags`. */
export const FLAGS = {
  truncated: 1,
  tls_error: 2,
  trap_suspected: 4,
  soft_404: 8,
  near_duplicate: 16,
  rendered: 32,
  alias: 64,
  links_dropped: 128,
  noindex: 256,
  nofollow: 512,
  redirect_loop: 1024,
  noarchive: 2048,
  /** The site says no to what the crawl is for (R5). */
  usage_refused: 4096,
  /** Somebody decided that it is never asked again (G1), and that its content is gone (G2). */
  blocked: 8192,
  erased: 16384,
  /** It shows little without its scripts, and was not rendered (J1). */
  script_only: 32768,
} as const;
export type Flag = keyof typeof FLAGS;

/** What a URL is fetched for. */
export const KINDS = ['page', 'sitemap'] as const;
export type UrlKind = (typeof KINDS)[number];

export interface UrlRecord {
  readonly url: string;
  readonly kind: UrlKind;
  readonly state: UrlState;
  readonly reason: string;
  readonly httpStatus: number;
  readonly flags: number;
  /** In [0,1]. */
  readonly priority: number;
  readonly depth: number;
  /** Redirects followed to get here. */
  readonly hops: number;
  /** Links followed since the scope was left. */
  readonly outside: number;
  /** The url key of the page that named it; empty for a seed. */
  readonly parent: Uint8Array;
  readonly firstSeenAt: Instant;
  readonly lastFetchedAt: Instant;
  readonly lastChangedAt: Instant;
  /** When it is asked again: a retry or a recrawl; 0 means never. */
  readonly nextCrawlAt: Instant;
  readonly intervalMs: number;
  readonly failCount: number;
  /** SHA-256 of the decoded body, also the key of the stored body; empty when there is none. */
  readonly contentHash: Uint8Array;
  readonly simhash: bigint;
  /** A second fingerprint, of pairs of words (kernel/pairs.ts); 0 when there is none. */
  readonly pairs: bigint;
  /** The url key of the page that this one nearly repeats (C2); empty when it is its own. */
  readonly original: Uint8Array;
  /** Answers with a body or with 304 so far, and how many of them brought something new (T1). */
  readonly visits: number;
  readonly changes: number;
  /** What the visits say of its rate of change (recrawl/rate.ts): shape over ms; 0 is nothing. */
  readonly rateShape: number;
  readonly rateMs: number;
  /** What the site allows to be done with the page (R5), as `name=value` pairs; empty when unsaid. */
  readonly usage: string;
  /** Not to be shown after this instant (R3); 0 when unsaid. */
  readonly unavailableAfter: Instant;
  readonly contentType: string;
  readonly bodyBytes: number;
  readonly etag: string;
  readonly lastModified: string;
  readonly redirectTo: string;
  readonly title: string;
  readonly remoteAddress: string;
  readonly firstByteMs: number;
  readonly wholeMs: number;
  /** The job that named it first; 0 is the crawl itself. */
  readonly job: number;
  /** The tag that its body was stored under (G2); empty when there was none. */
  readonly region: string;
}

export const NO_BYTES: Uint8Array = new Uint8Array(0);

/** A record with nothing known yet but its URL; the start of every other record. */
export function blankRecord(url: string, firstSeenAt: Instant): UrlRecord {
  return {
    url,
    kind: 'page',
    state: 'queued',
    reason: '',
    httpStatus: 0,
    flags: 0,
    priority: 0,
    depth: 0,
    hops: 0,
    outside: 0,
    parent: NO_BYTES,
    firstSeenAt,
    lastFetchedAt: 0,
    lastChangedAt: 0,
    nextCrawlAt: 0,
    intervalMs: 0,
    failCount: 0,
    contentHash: NO_BYTES,
    simhash: 0n,
    pairs: 0n,
    original: NO_BYTES,
    visits: 0,
    changes: 0,
    rateShape: 0,
    rateMs: 0,
    usage: '',
    unavailableAfter: 0,
    contentType: '',
    bodyBytes: 0,
    etag: '',
    lastModified: '',
    redirectTo: '',
    title: '',
    remoteAddress: '',
    firstByteMs: 0,
    wholeMs: 0,
    job: 0,
    region: '',
  };
}

export function flagNames(flags: number): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).filter((name) => (flags & FLAGS[name]) !== 0);
}
