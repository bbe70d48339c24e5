/**
 * Counts the pages that are visited again, from their records: what a budget is divided by
 * (../recrawl/census.ts). Every visit keeps the count; ratings and crashes make it drift, so it
 * is taken anew when a crawl that never ends begins, and daily.
 *
 * On the way it mends what a clock did that was once far ahead: pages due in a hundred years.
 */
import type { Frontier } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records, ScannedUrl } from '../ports/records.ts';
import type { Due } from '../ports/shard-store.ts';
import { blankHost, type UrlKey } from '../record/index.ts';
import { Census, PAUSE_MS_MAX, type Recrawl } from '../recrawl/index.ts';
import { hostOf } from '../url/index.ts';
import type { Comeback } from './recrawl.ts';

const ROWS_PER_LOOK = 1_000;
/** A breath after each look, so that the crawl goes on meanwhile. */
const BREATH_MS = 4;

export interface CountedCrawl {
  readonly frontier: Frontier;
  readonly recrawl: Recrawl;
  readonly comeback: Comeback;
}

export async function countPages(
  records: Records,
  { frontier, recrawl, comeback }: CountedCrawl,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const census = new Census();
  for (let after: UrlKey | undefined; !signal.aborted; ) {
    const rows = await records.scan(after, ROWS_PER_LOOK);
    after = rows.at(-1)?.key;
    if (after === undefined) break;
    for (const { record } of rows) {
      if (record.state === 'dead') continue;
      const host = hostOf(record.url);
      recrawl.count(census, record, frontier.ratings.of(host) ?? blankHost(host));
    }
    const far = clock.now() + PAUSE_MS_MAX;
    await comeback.askAgain(rows.flatMap((row) => farAhead(row, far)));
    await clock.sleepUntil(clock.now() + BREATH_MS, signal);
  }
  if (!signal.aborted) recrawl.adopt(census);
}

function farAhead({ key, record }: ScannedUrl, far: number): Due[] {
  return record.nextCrawlAt > far ? [{ at: record.nextCrawlAt, key }] : [];
}
