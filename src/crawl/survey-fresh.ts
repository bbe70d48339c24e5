/**
 * How fresh the stored pages are (T1–T5): how many are due and for how long, how many will be,
 * and in a sample spread over the whole circle how many were visited as often as they should.
 */
import { DAY_MS, HOUR_MS, type Instant } from '../base/instant.ts';
import {
  blankHost,
  type HostClass,
  type HostRecord,
  hostKeyOf,
  URL_KEY_BYTES,
  type UrlKey,
  type UrlRecord,
} from '../record/index.ts';
import { changeMsOf, importanceOf, type Tier, tierOf } from '../recrawl/index.ts';
import { hostOf } from '../url/index.ts';
import type { AnswerSources } from './ask-sources.ts';

/** Due URLs are counted up to here. */
export const DUE_COUNTED = 10_000;
const LATEST_SHOWN = 20;
/** The sample: so many rows from each of so many places, evenly spread. */
const SAMPLE_PLACES = 64;
const SAMPLE_ROWS = 32;
const PLACE_BYTES = 256 / SAMPLE_PLACES;

export interface Freshness {
  readonly now: Instant;
  /** Up to DUE_COUNTED each. */
  readonly due: number;
  readonly soon: { readonly hour: number; readonly day: number; readonly week: number };
  /** The longest overdue ones, the first being the lag of the scheduler. */
  readonly latest: readonly UrlRecord[];
  /** Pages of the sample that are visited again. */
  readonly sampled: number;
  readonly inTime: number;
  readonly groups: readonly FreshGroup[];
}

export interface FreshGroup {
  readonly tier: Tier;
  readonly hostClass: HostClass;
  readonly pages: number;
  readonly inTime: number;
  /** The middle one of their intervals. */
  readonly intervalMs: number;
  readonly lateMsMax: number;
}

type Sources = Pick<AnswerSources, 'store' | 'records' | 'clock'>;

export async function freshnessOf(sources: Sources): Promise<Freshness> {
  const { store, clock } = sources;
  const now = clock.now();
  const [due, ahead, sample] = await Promise.all([
    store.due(now, DUE_COUNTED),
    store.due(now + 7 * DAY_MS, DUE_COUNTED, now),
    sampleOf(sources),
  ]);
  const within = (ms: number) => ahead.filter(({ at }) => at <= now + ms).length;
  const soon = { hour: within(HOUR_MS), day: within(DAY_MS), week: ahead.length };
  const latest = await store.urls(due.slice(0, LATEST_SHOWN).map(({ key }) => key));
  const pages = sample.filter(isRevisited);
  const groups = await groupsOf(sources, pages, now);
  return {
    ...{ now, due: due.length, soon, groups, sampled: pages.length },
    latest: latest.filter((record) => record !== undefined),
    inTime: pages.filter((page) => isInTime(page, now)).length,
  };
}

function isRevisited({ visits, intervalMs, nextCrawlAt }: UrlRecord): boolean {
  return visits > 0 && intervalMs > 0 && nextCrawlAt > 0;
}

function isInTime({ nextCrawlAt }: UrlRecord, now: Instant): boolean {
  return nextCrawlAt >= now;
}

/** All looks at once: one after the other would wait for a busy crawl 64 times. */
async function sampleOf({ store, records }: Sources): Promise<UrlRecord[]> {
  const looks = Array.from({ length: SAMPLE_PLACES }, (_, nth) => {
    const place = Buffer.alloc(URL_KEY_BYTES);
    place[0] = nth * PLACE_BYTES;
    return records.keys(nth === 0 ? undefined : place, SAMPLE_ROWS);
  });
  const keys = (await Promise.all(looks)).flatMap(keysNear);
  return (await store.urls(keys)).filter((record) => record !== undefined);
}

/** Where few hosts are, a look goes far: what the next one finds as well is left to it. */
function keysNear(flat: Buffer, nth: number): UrlKey[] {
  const keys: UrlKey[] = [];
  for (let at = 0; at < flat.length; at += URL_KEY_BYTES) {
    if ((flat[at] as number) >= (nth + 1) * PLACE_BYTES) break;
    keys.push(flat.subarray(at, at + URL_KEY_BYTES));
  }
  return keys;
}

async function groupsOf(
  { store }: Sources,
  pages: readonly UrlRecord[],
  now: Instant,
): Promise<FreshGroup[]> {
  const names = [...new Set(pages.map(({ url }) => hostOf(url)))];
  const stored = await Promise.all(names.map((name) => store.host(hostKeyOf(name))));
  const hosts = new Map(names.map((name, i) => [name, stored[i]?.record ?? blankHost(name)]));
  const groups = new Map<string, UrlRecord[]>();
  for (const page of pages) {
    const host = hosts.get(hostOf(page.url)) as HostRecord;
    const importance = importanceOf(page.priority, host.quality);
    const tier = tierOf(importance, changeMs(page, host));
    const group = `${tier} ${host.hostClass}`;
    groups.set(group, [...(groups.get(group) ?? []), page]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, rows]) => groupOf(name, rows, now));
}

/** What its own visits say, or its host's pages; for ever where nobody knows. */
function changeMs({ rateShape: shape, rateMs: ms }: UrlRecord, host: HostRecord): number {
  if (shape > 0) return changeMsOf({ shape, ms });
  return host.changeMs > 0 ? host.changeMs : Number.POSITIVE_INFINITY;
}

function groupOf(name: string, rows: readonly UrlRecord[], now: Instant): FreshGroup {
  const [tier, hostClass] = name.split(' ') as [string, HostClass];
  const intervals = rows.map(({ intervalMs }) => intervalMs).sort((a, b) => a - b);
  return {
    ...{ tier: Number(tier) as Tier, hostClass, pages: rows.length },
    inTime: rows.filter((row) => isInTime(row, now)).length,
    intervalMs: intervals[intervals.length >> 1] as number,
    lateMsMax: Math.max(0, ...rows.map(({ nextCrawlAt }) => now - nextCrawlAt)),
  };
}
