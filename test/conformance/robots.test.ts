/**
 * robots.txt against other projects' cases (../shared/conformance/robots, SOURCE.md there).
 *
 * `must` and `override` are demanded whole: 99% is asked for, and a miss would need a reason in
 * EXPLAINED. `may` cases are choices; those where we chose otherwise are in CHOSEN with the
 * reason. A miss without a reason fails, and so does a reason without a miss.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  governs,
  parseRobots,
  pathToMatch,
  productToken,
  robotsFromStatus,
  robotsUrlFor,
} from '../../src/robots/index.ts';
import { readRecords } from '../../src/robots/lines.ts';

const FOLDER = new URL('../../../shared/conformance/robots/', import.meta.url);
const missing = existsSync(FOLDER) ? false : 'no ../shared/conformance/robots beside the project';
const skip = process.env.CI === 'true' ? false : missing;

const LISTED_AGENTS = 'a list of agents is not one agent; ask for each';
const CHOSEN: Record<string, string> = {
  R0078: 'Google cuts lines at 16 KiB; the RFC has no such limit and the whole pattern is compared',
  R0213: 'digits belong to a name for us, so the group of AB42bot is obeyed by AB42bot',
  R0589: LISTED_AGENTS,
  R0591: LISTED_AGENTS,
  R0593: LISTED_AGENTS,
  R0611: LISTED_AGENTS,
  R0718: 'HTML around rules: `Disallow: /<BR>` is the path it says',
  R0786: '`useg-agent` is a misspelling too far',
  R0852: 'a long Crawl-delay is a delay; how long is too long is for politeness to say',
  R1313: 'a `*` inside a product token has no meaning in the RFC',
  R1328: 'index.html is not its folder in the RFC',
  R1348: 'a last `$` is the end of the path, and is not also a character',
  R1365: 'whole tokens are matched, not prefixes',
  D19: 'HTML around rules, as above',
  D44: 'records before any User-agent line belong to no group',
  S06: 'a bare URL on a line is no record',
  '301 may': 'still redirected after five hops: RFC 9309, 2.3.1.2 lets us take it as unavailable',
};

function read<T>(file: string): T {
  assert.equal(missing, false, String(missing));
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T;
}

interface Outcome {
  readonly name: string;
  readonly tier: string;
  readonly holds: boolean;
  readonly saw: unknown;
}

function demand(outcomes: readonly Outcome[], knownTo: (name: string) => boolean): void {
  assert.ok(outcomes.length > 0, 'no cases were read');
  const misses = outcomes.filter((outcome) => !outcome.holds);
  const unexplained = misses.filter((miss) => miss.tier !== 'may' || !(miss.name in CHOSEN));
  assert.deepEqual(
    unexplained.map((miss) => `${miss.tier} ${miss.name}: ${JSON.stringify(miss.saw)}`),
    [],
  );
  const missed = new Set(misses.map((miss) => miss.name));
  const stale = Object.keys(CHOSEN).filter((name) => knownTo(name) && !missed.has(name));
  assert.deepEqual(stale, [], 'reasons without a miss');
}

interface AllowCase {
  readonly id: string;
  readonly tier: string;
  readonly robots?: string;
  readonly robotsBase64?: string;
  readonly altRobots?: string;
  readonly agent: string;
  readonly altAgent?: string;
  readonly url: string;
  readonly allowed: boolean;
}

test('robots allow: every must and override case holds', { skip }, () => {
  const outcomes = read<AllowCase[]>('allow.json').map((row) => {
    const bytes = Buffer.from(row.robotsBase64 ?? '', 'base64');
    const body = row.altRobots ?? row.robots ?? bytes;
    const saw = parseRobots(body).isAllowed(row.altAgent ?? row.agent, row.url);
    return { name: row.id, tier: row.tier, holds: saw.allowed === row.allowed, saw };
  });
  demand(outcomes, (name) => name.startsWith('R'));
});

test('robots allow: digits in a product token need no stand-in', { skip }, () => {
  const rows = read<AllowCase[]>('allow.json').filter(
    (row) => row.altAgent !== undefined && row.robots !== undefined && row.tier !== 'may',
  );
  assert.ok(rows.length > 0);
  for (const row of rows) {
    const saw = parseRobots(row.robots!).isAllowed(row.agent, row.url);
    assert.equal(saw.allowed, row.allowed, row.id);
  }
});

interface DelayCase extends AllowCase {
  readonly crawlDelaySeconds: number | null;
}

test('robots crawl-delay: every must case holds', { skip }, () => {
  const outcomes = read<DelayCase[]>('crawl-delay.json').map((row) => {
    const saw = parseRobots(row.robots!).crawlDelayMs(row.agent);
    const want = row.crawlDelaySeconds === null ? undefined : row.crawlDelaySeconds * 1_000;
    return { name: row.id, tier: row.tier, holds: saw === want, saw };
  });
  demand(outcomes, (name) => name.startsWith('D'));
});

interface SitemapCase extends AllowCase {
  readonly robotsUrl: string | null;
  readonly sitemaps: string[];
}

test('robots sitemaps: every must case holds', { skip }, () => {
  const outcomes = read<SitemapCase[]>('sitemaps.json').map((row) => {
    const based = URL.canParse(row.robotsUrl ?? '')
      ? row.robotsUrl!
      : 'http://h.example/robots.txt';
    const resolved = (list: string[]) => list.map((href) => new URL(href, based).href).sort();
    const saw = resolved(parseRobots(row.robots!).sitemaps);
    const holds = saw.join() === resolved(row.sitemaps).join();
    return { name: row.id, tier: row.tier, holds, saw };
  });
  demand(outcomes, (name) => name.startsWith('S'));
});

interface StatusCase {
  readonly status: number;
  readonly body?: string;
  readonly allowed: boolean;
  readonly tier: string;
}

test('robots fetch-status: every must and override case holds', { skip }, () => {
  const outcomes = read<StatusCase[]>('fetch-status.json').map((row) => {
    const robots = robotsFromStatus(row.status, row.body ?? '');
    const saw = robots.isAllowed('anybot', 'http://h.example/page');
    const name = `${row.status} ${row.tier}`;
    return { name, tier: row.tier, holds: saw.allowed === row.allowed, saw };
  });
  demand(outcomes, (name) => / (may|must|override)$/.test(name));
});

test('robots scope: a file governs its own origin and no other', { skip }, () => {
  const rows = read<{ robotsUrl: string; url: string; governed: boolean }[]>('scope.json');
  for (const row of rows) {
    assert.equal(governs(row.robotsUrl, row.url), row.governed, `${row.robotsUrl} ${row.url}`);
  }
});

interface Aux {
  readonly validProductToken: { agent: string; valid: boolean }[];
  readonly pathUsedForMatching: { url: string; pathForMatching: string }[];
  readonly parseStats: {
    readonly robotsBase64: string;
    readonly validDirectives: number;
    readonly lastLineSeen?: number;
    readonly unknownDirectives?: number;
  }[];
  readonly robotsTxtUrlFor: { url: string; robotsUrl: string }[];
}

test('robots aux: tokens, paths, line counts and file addresses', { skip }, () => {
  const aux = read<Aux>('aux.json');
  for (const { agent, valid } of aux.validProductToken) {
    assert.equal(agent !== '' && productToken(agent) === agent.toLowerCase(), valid, agent);
  }
  for (const { url, pathForMatching } of aux.pathUsedForMatching) {
    assert.equal(pathToMatch(url), pathForMatching, url);
  }
  for (const { url, robotsUrl } of aux.robotsTxtUrlFor) assert.equal(robotsUrlFor(url), robotsUrl);
  for (const stats of aux.parseStats) {
    let [valid, unknown, last] = [0, 0, 0];
    readRecords(Buffer.from(stats.robotsBase64, 'base64'), (kind, _value, line) => {
      if (kind === undefined) unknown += 1;
      else valid += 1;
      last = line;
    });
    assert.equal(valid, stats.validDirectives, stats.robotsBase64);
    assert.equal(last, stats.lastLineSeen ?? last, stats.robotsBase64);
    assert.equal(unknown, stats.unknownDirectives ?? unknown, stats.robotsBase64);
  }
});
