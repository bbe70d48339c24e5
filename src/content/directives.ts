/**
 * What a page asks for itself, in meta tags and headers, and what is done about it (R3, R5):
 *
 *   noindex            flagged and told: whoever reads the pages leaves it out
 *   nofollow           flagged; its links are recorded, none is followed
 *   noarchive          flagged; its text is not kept
 *   unavailable_after  from that instant on it counts as noindex and is not asked again
 *   usage preferences  recorded; its text is not kept where they say no to the crawl's purpose
 *
 * `none` is the first two. An answer that carries no body can carry headers: they count alike.
 */
import type { Instant } from '../base/instant.ts';
import { FLAGS, type UrlRecord } from '../record/index.ts';
import {
  combineUsage,
  headerUsage,
  parseRobotsDirectives,
  refusedPurpose,
  type Usage,
  usageText,
} from '../robots/index.ts';

export interface Directives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
  /** Not for training models: an older word for a usage preference. */
  readonly noai: boolean;
  /** 0 when unsaid. */
  readonly unavailableAfter: Instant;
}

export const NO_DIRECTIVES: Directives = {
  ...{ noindex: false, nofollow: false, noarchive: false, noai: false, unavailableAfter: 0 },
};

type Headers = Readonly<Record<string, string>>;

/** `metas` as `name: content`. */
export function directivesOf(
  headers: Headers,
  metas: readonly string[],
  agent: string,
): Directives {
  const header = headers['x-robots-tag'];
  if (header === undefined && metas.length === 0) return NO_DIRECTIVES;
  const values = header === undefined ? [...metas] : [header, ...metas];
  const said = parseRobotsDirectives(values, agent);
  const { noindex, nofollow, noarchive, noai, unavailableAfter } = said;
  const at = unavailableAfter === undefined ? 0 : Math.max(1, Date.parse(unavailableAfter));
  return { noindex, nofollow, noarchive, noai, unavailableAfter: at };
}

/** What was said of a page, by whom it may be said. */
export interface Sayings {
  /** Of the answer; undefined when it only said that nothing has changed. */
  readonly page: { readonly headers: Headers; readonly directives: Directives } | undefined;
  /** Of robots.txt. */
  readonly robots: Usage;
  /** What the crawl is for. */
  readonly purposes: readonly string[];
  readonly now: Instant;
}

const DIRECTED = FLAGS.noindex | FLAGS.nofollow | FLAGS.noarchive | FLAGS.usage_refused;

/** The record of an answered visit, with what the page asks for. */
export function directedRecord(record: UrlRecord, sayings: Sayings): UrlRecord {
  const { page, robots, purposes, now } = sayings;
  if (page === undefined) return asOf(record, now);
  const { directives, headers } = page;
  const usage = combineUsage(robots, headerUsage(headers, directives.noai));
  const refused = refusedPurpose(usage, purposes);
  let flags = record.flags & ~DIRECTED;
  if (directives.noindex) flags |= FLAGS.noindex;
  if (directives.nofollow) flags |= FLAGS.nofollow;
  if (directives.noarchive) flags |= FLAGS.noarchive;
  if (refused !== undefined) flags |= FLAGS.usage_refused;
  const why = refused === undefined ? '' : refusedReason(refused.source, refused.purpose);
  const notKept = why || (directives.noarchive ? NOT_ARCHIVED : '');
  const hasText = record.state === 'indexed' && record.contentHash.length > 0;
  const reasons = hasText ? [record.reason, notKept] : [record.reason];
  const reason = reasons.filter((part) => part !== '').join('; ');
  const { unavailableAfter } = directives;
  return asOf({ ...record, flags, reason, usage: usageText(usage), unavailableAfter }, now);
}

const NOT_ARCHIVED = 'noarchive: its text is not kept';

export function refusedReason(source: string, purpose: string): string {
  return `${source} says no to ${purpose}, which this crawl is for: its text is not kept`;
}

/** What time does to a record: a page that has run out is noindex and is left alone. */
export function asOf(record: UrlRecord, now: Instant): UrlRecord {
  const { unavailableAfter, nextCrawlAt, flags } = record;
  if (unavailableAfter === 0) return record;
  if (unavailableAfter <= now) return { ...record, flags: flags | FLAGS.noindex, nextCrawlAt: 0 };
  return nextCrawlAt < unavailableAfter ? record : { ...record, nextCrawlAt: 0 };
}

/** May its text be stored? */
export function keepsBody({ flags }: UrlRecord): boolean {
  return (flags & (FLAGS.noarchive | FLAGS.usage_refused)) === 0;
}
