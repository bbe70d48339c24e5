/**
 * Sitemaps against other projects' cases (../shared/conformance/sitemaps, SOURCE.md there).
 *
 * A case holds when the set of URLs is the expected one, and every field that the case names
 * says the same. 95% of `must` is asked for; a miss needs a reason in EXPLAINED, and a reason
 * needs a miss.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSitemap, type SitemapOptions } from '../../src/page/sitemap.ts';
import type { SitemapUrl } from '../../src/page/sitemap-entry.ts';
import { inLocation, sitemapCandidates } from '../../src/page/sitemap-location.ts';
import { parseRobots, robotsFromStatus } from '../../src/robots/index.ts';

const FOLDER = new URL('../../../shared/conformance/sitemaps/', import.meta.url);
const missing = existsSync(FOLDER) ? false : 'no ../shared/conformance/sitemaps beside the project';
const skip = process.env.CI === 'true' ? false : missing;
const SHARE_MIN = 0.95;

const EXPLAINED: Record<string, string> = {
  M30: 'may: `<loc><url>…</url></loc>` gives its URL; the inner </url> ends the entry, so lastmod is lost',
};

function read<T>(file: string): T {
  assert.equal(missing, false, String(missing));
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T;
}

interface Entry {
  readonly loc: string;
  readonly lastmod?: string;
  readonly changefreq?: string;
  readonly priority?: number | string;
  readonly alternate?: string[];
}

interface ParseCase {
  readonly id: string;
  readonly tier: string;
  readonly url: string;
  readonly body: string;
  readonly isIndex: boolean;
  readonly expectedUrls: string[];
  readonly expectedUrlsIgnoringLocationRule?: string[];
  readonly error: boolean;
  readonly entries?: Entry[];
  readonly options?: { strictLocation?: boolean; strictNamespace?: boolean };
}

const setOf = (list: readonly string[]) => [...new Set(list)].sort().join('\n');

/** What a case finds wrong, or ''. */
function complaint(row: ParseCase): string {
  // Where the source obeys the location rule, so do we for that case.
  const strict = row.expectedUrlsIgnoringLocationRule !== undefined && !row.error;
  const options: SitemapOptions = { strictLocation: strict };
  const saw = parseSitemap(Buffer.from(row.body, 'base64'), row.url, options);
  const urls = row.isIndex ? saw.sitemaps : saw.urls.map((entry) => entry.loc);
  const relaxed = row.expectedUrlsIgnoringLocationRule;
  const fits = setOf(urls) === setOf(row.expectedUrls) || setOf(urls) === setOf(relaxed ?? ['-']);
  if (!fits) return `saw ${urls.join(' ')}`;
  if (row.error && row.tier === 'must' && saw.flaw === undefined) return 'no flaw was named';
  const entries = [...saw.urls, ...saw.index];
  return (row.entries ?? []).map((entry) => difference(entry, entries)).join('');
}

function difference(want: Entry, entries: readonly SitemapUrl[]): string {
  const saw = entries.find((entry) => entry.loc === want.loc);
  if (saw === undefined) return '';
  if (want.lastmod && Date.parse(want.lastmod) !== Date.parse(saw.lastmod ?? '')) return 'lastmod';
  if (want.changefreq !== undefined && want.changefreq !== saw.changefreq) return 'changefreq';
  const priority = Number(want.priority ?? saw.priority ?? 0.5);
  if (priority !== (saw.priority ?? 0.5)) return 'priority';
  const alternates = (saw.alternates ?? []).map((alternate) => alternate.href);
  if (want.alternate !== undefined && setOf(want.alternate) !== setOf(alternates))
    return 'alternate';
  return '';
}

test('sitemaps parse: URLs and fields are the expected ones', { skip }, () => {
  const rows = read<ParseCase[]>('parse.json');
  const misses = rows
    .map((row) => ({ id: row.id, tier: row.tier, what: complaint(row) }))
    .filter((miss) => miss.what !== '');
  assert.deepEqual(
    misses.filter((miss) => !(miss.id in EXPLAINED)),
    [],
  );
  const must = rows.filter((row) => row.tier === 'must').length;
  const missed = misses.filter((miss) => miss.tier === 'must').length;
  assert.ok(must > 0 && 1 - missed / must >= SHARE_MIN);
  const stale = Object.keys(EXPLAINED).filter((id) => !misses.some((miss) => miss.id === id));
  assert.deepEqual(stale, [], 'reasons without a miss');
});

interface Walks {
  readonly site: Record<string, string>;
  readonly cases: {
    readonly name: string;
    readonly startUrl?: string;
    readonly startXml?: string;
    readonly scope: string;
    readonly expectedUrls: string[];
  }[];
}

test('sitemaps recursive: an index is walked to its pages', { skip }, () => {
  const { site, cases } = read<Walks>('recursive.json');
  for (const row of cases) {
    const start = row.startUrl ?? 'http://not-exists.com/start.xml';
    const served = { ...site, ...(row.startXml === undefined ? {} : { [start]: row.startXml }) };
    const inScope = (url: string) =>
      row.scope === 'all' || new URL(url).hostname === new URL(start).hostname;
    assert.equal(setOf(walk(start, served, inScope)), setOf(row.expectedUrls), row.name);
  }
});

function walk(
  start: string,
  site: Readonly<Record<string, string>>,
  inScope: (url: string) => boolean,
): string[] {
  const waiting = [start];
  const seen = new Set(waiting);
  const pages: string[] = [];
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const body = site[url];
    if (body === undefined) continue;
    const sitemap = parseSitemap(Buffer.from(body, 'base64'), url);
    pages.push(...sitemap.urls.map((entry) => entry.loc).filter(inScope));
    for (const next of sitemap.sitemaps) {
      if (!seen.has(next) && inScope(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return pages;
}

interface Rules {
  readonly locationRule: { sitemapUrl: string; url: string; inScope: boolean }[];
  readonly discovery: {
    readonly site: string;
    readonly robotsStatus: number;
    readonly robots: string;
    readonly existing: string[];
    readonly expected: string[];
  }[];
  readonly robotsSitemapLines: { robots: string; expected: string[] }[];
}

test('sitemaps rules: location, discovery and robots.txt lines', { skip }, () => {
  const rules = read<Rules>('rules.json');
  for (const row of rules.locationRule) {
    assert.equal(inLocation(row.sitemapUrl, row.url), row.inScope, row.url);
  }
  for (const row of rules.discovery) {
    const named = robotsFromStatus(row.robotsStatus, row.robots).sitemaps;
    const candidates = sitemapCandidates(row.site, named);
    const found = candidates.filter((url) => named.includes(url) || row.existing.includes(url));
    assert.deepEqual(found, row.expected);
  }
  for (const row of rules.robotsSitemapLines) {
    assert.deepEqual(parseRobots(row.robots).sitemaps, row.expected);
  }
});
