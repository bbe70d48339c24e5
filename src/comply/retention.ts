/**
 * Retention (G2): how long each class of what is kept is kept, counted from the last fetch.
 *
 *   bodies    the pages themselves; those of a region as long as that says (content/region.ts)
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
  /** Bodies that are stored in a region, in place of `bodiesMs`. */
  readonly regionsMs?: ReadonlyMap<string, number>;
}

/** What is older than this is due; 0 means that nothing is. */
export interface Cutoffs {
  readonly bodies: Instant;
  readonly headers: Instant;
  readonly events: Instant;
  /** By region, where that has its own. */
  readonly regions: ReadonlyMap<string, Instant>;
}

export function cutoffsOf(policy: RetentionPolicy, now: Instant): Cutoffs {
  const before = (ms: number) => (ms > 0 ? now - ms : 0);
  const { bodiesMs, headersMs, eventsMs, regionsMs = new Map() } = policy;
  const regions = new Map([...regionsMs].map(([region, ms]) => [region, before(ms)]));
  return {
    bodies: before(bodiesMs),
    headers: before(headersMs),
    events: before(eventsMs),
    regions,
  };
}

export function keepsAll({ bodiesMs, headersMs, eventsMs, regionsMs }: RetentionPolicy): boolean {
  return ![bodiesMs, headersMs, eventsMs, ...(regionsMs?.values() ?? [])].some((ms) => ms > 0);
}

/** The cutoff of bodies that are stored there; without a region, of all others. */
export function bodyCutoff({ bodies, regions }: Cutoffs, region = ''): Instant {
  return regions.get(region) ?? bodies;
}

/** Something of that instant, which is 0 for what never was. */
export function isPast(at: Instant, cutoff: Instant): boolean {
  return at > 0 && at < cutoff;
}

/** What of a page is due. */
export function dueOf(
  { lastFetchedAt, contentHash, region }: UrlRecord,
  cutoffs: Cutoffs,
): { readonly body: boolean; readonly headers: boolean } {
  return {
    body: contentHash.length > 0 && isPast(lastFetchedAt, bodyCutoff(cutoffs, region)),
    headers: isPast(lastFetchedAt, cutoffs.headers),
  };
}
