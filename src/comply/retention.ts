/**
 * Retention (G2): how long each class of what is kept is kept, counted from the last fetch.
 *
 *   bodies    the pages themselves
 *   headers   what came with them: headers and links of the visit
 *   events    which page a line of the log is about; that a host was asked, and when, stays (P7)
 *
 * Pure arithmetic: crawl/retain.ts applies it. What is held is never due.
 */
import type { Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';

/** 0 is for ever. */
export interface RetentionPolicy {
  readonly bodiesMs: number;
  readonly headersMs: number;
  readonly eventsMs: number;
}

/** What is older than this is due; 0 means that nothing is. */
export interface Cutoffs {
  readonly bodies: Instant;
  readonly headers: Instant;
  readonly events: Instant;
}

export function cutoffsOf(policy: RetentionPolicy, now: Instant): Cutoffs {
  const before = (ms: number) => (ms > 0 ? now - ms : 0);
  const { bodiesMs, headersMs, eventsMs } = policy;
  return { bodies: before(bodiesMs), headers: before(headersMs), events: before(eventsMs) };
}

/** Something of that instant, which is 0 for what never was. */
export function isPast(at: Instant, cutoff: Instant): boolean {
  return at > 0 && at < cutoff;
}

/** What of a page is due. */
export function dueOf(
  { lastFetchedAt, contentHash }: UrlRecord,
  { bodies, headers }: Cutoffs,
): { readonly body: boolean; readonly headers: boolean } {
  return {
    body: contentHash.length > 0 && isPast(lastFetchedAt, bodies),
    headers: isPast(lastFetchedAt, headers),
  };
}
