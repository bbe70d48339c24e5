/**
 * Pages that an operator wants again at once (T4): by URL, by host, by pattern, or all.
 *
 *   https://example.com/a      that page             example.com       the host, whatever the port
 *   https://example.com/a*     all that begin so     *                 everything
 *
 * They become due now; the crawl that runs takes them first, and so does the next that is run.
 */
import type { Due } from '../ports/shard-store.ts';
import { type UrlRecord, urlKeyOf } from '../record/index.ts';
import { scanPages } from './ask-pages.ts';
import { type AnswerSources, canonicalOf, recordOf } from './ask-sources.ts';

export interface RecrawlQuery {
  /** URLs, hosts and patterns. */
  readonly what: readonly string[];
  readonly all?: boolean;
}

export interface RecrawlAnswer {
  /** Pages that are due now. */
  readonly asked: number;
  /** Never visited, and in the queue already. */
  readonly waiting: number;
  /** Pages that may not be asked any more (G1); left out when there is none. */
  readonly denied?: number;
  /** What of the question nothing was found for. */
  readonly unknown: readonly string[];
  /** A crawl runs, and takes them up by itself. */
  readonly isRunning: boolean;
}

const DUES_PER_COMMIT = 1_000;

export async function askAgain(
  sources: AnswerSources,
  { what, all = false }: RecrawlQuery,
): Promise<RecrawlAnswer> {
  const counts = { asked: 0, waiting: 0, denied: 0 };
  const unknown: string[] = [];
  for (const one of all ? ['*'] : what) {
    const found = await askFor(sources, pagesFor(sources, one));
    counts.asked += found.asked;
    counts.waiting += found.waiting;
    counts.denied += found.denied;
    if (found.asked + found.waiting + found.denied === 0) unknown.push(one);
  }
  const { asked, waiting, denied } = counts;
  const refused = denied > 0 && { denied };
  return { asked, waiting, ...refused, unknown, isRunning: sources.isRunning() };
}

async function askFor(
  sources: AnswerSources,
  pages: AsyncIterable<UrlRecord>,
): Promise<{ asked: number; waiting: number; denied: number }> {
  let [asked, waiting, denied] = [0, 0, 0];
  let dues: Due[] = [];
  for await (const record of pages) {
    if (sources.denials?.meets(record.url) !== undefined) denied++;
    else if (record.state === 'queued') waiting++;
    else dues.push({ at: record.nextCrawlAt, key: urlKeyOf(record.url) });
    if (dues.length < DUES_PER_COMMIT) continue;
    await sources.askAgain(dues);
    asked += dues.length;
    dues = [];
  }
  if (dues.length > 0) await sources.askAgain(dues);
  return { asked: asked + dues.length, waiting, denied };
}

async function* pagesFor(sources: AnswerSources, one: string): AsyncIterable<UrlRecord> {
  const { records, store, clock } = sources;
  const now = clock.now();
  if (one.includes('*')) {
    const fits = patternOf(one);
    for await (const record of scanPages(records, {}, now)) if (fits.test(record.url)) yield record;
    return;
  }
  if (!one.includes('/')) {
    yield* scanPages(records, { host: one.toLowerCase() }, now);
    return;
  }
  const url = canonicalOf(sources, one);
  const record = url === undefined ? undefined : await recordOf(store, url);
  if (record !== undefined) yield record;
}

/** `*` stands for anything; a pattern without a scheme fits both. */
function patternOf(pattern: string): RegExp {
  const whole = pattern.includes('://') || pattern.startsWith('*') ? pattern : `*://${pattern}`;
  const parts = whole.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
