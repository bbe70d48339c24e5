/**
 * A sitemap or feed says that a known page has changed since (T3): the page's next visit comes
 * sooner, but never sooner than its tier allows. So a sitemap that always says 'now' costs what
 * the tier costs and no more, while one that tells the truth raises the page's tier by the
 * changes that are found.
 */
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';
import { type Tier, tierMsOf } from './tiers.ts';

/** Clocks differ, and a date without a zone may be tomorrow's; beyond that it is no date. */
const AHEAD_MS_MAX = DAY_MS;

/** When to visit instead; undefined when the hint changes nothing. */
export function pulledForward(
  known: Pick<UrlRecord, 'lastFetchedAt' | 'nextCrawlAt'>,
  lastmod: Instant,
  tier: Tier,
  now: Instant,
): Instant | undefined {
  const { lastFetchedAt, nextCrawlAt } = known;
  if (nextCrawlAt <= now || lastFetchedAt <= 0) return undefined;
  if (!(lastmod > lastFetchedAt) || lastmod > now + AHEAD_MS_MAX) return undefined;
  const at = Math.max(now, lastFetchedAt + tierMsOf(tier));
  return at < nextCrawlAt ? at : undefined;
}
