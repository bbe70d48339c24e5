/**
 * Politeness at its limit (P1): 500 hosts at one request a second allow 500 pages a second.
 * How many of them are reached, and how close do two requests to one host ever come?
 *
 *   npm run bench -- polite [--hosts 500] [--seconds 60] [--warmup 10]
 *
 * The test web on a core of its own: equal hosts, one address each, pages without tricks. Gaps
 * are from the server's log, over every request to a host, robots.txt included.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CrawlFigures, CrawlTask } from './crawl-work.ts';
import { inChild } from './in-child.ts';
import { type Emit, mib, percentile, type Say, sayFor } from './measure.ts';
import { openTestWeb } from './test-web.ts';

/** [atMs, endMs, status, named, url] */
type LogRow = readonly [number, number | null, number, boolean, string];

/** A host has pages for longer than the run, so that none is finished before it ends. */
const SPARE = 1.5;

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      hosts: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '60' },
      warmup: { type: 'string', default: '10' },
    },
  });
  const [hosts, seconds, warmup] = [values.hosts, values.seconds, values.warmup].map(Number) as [
    number,
    number,
    number,
  ];
  const pages = Math.ceil(hosts * (seconds + warmup + 5) * SPARE);
  const flags = ['--hosts', `${hosts}`, '--pages', `${pages}`, '--skew', '0'];
  const web = await openTestWeb([...flags, '--features', 'plain'], '1');
  const dir = await mkdtemp(join(tmpdir(), 'orb-polite-'));
  try {
    const argv = [
      ...['--allow-private', '--scope', 'any', '--dns', `127.0.0.1:${web.dnsPort}`],
      ...['--max-time', `${seconds + warmup + 2}s`, '--concurrency', `${hosts}`, '--workers', '0'],
      web.start,
    ];
    const end = await inChild<CrawlTask, CrawlFigures>(
      { dir, argv },
      { module: new URL('./crawl-work.ts', import.meta.url).href, cores: '0' },
    );
    if (end === undefined) throw new Error('the crawl was killed');
    const lines = (await (await web.ask('/requests.jsonl')).text()).trimEnd().split('\n');
    const log = lines.map((line) => JSON.parse(line) as LogRow);
    const say = sayFor('polite', emit);
    sayRates(log, { hosts, seconds, warmup }, say);
    sayGaps(log, say);
    const { pages: got, cpuSec } = end.result;
    say('pages', got, 'pages');
    say('cpu_per_1000_pages', (cpuSec / got) * 1_000, 's');
    say('cpu_share', cpuSec / end.result.wallSec, 'cores');
    say('peak_rss', mib(end.usage.peakRssBytes), 'MiB');
  } finally {
    await web.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Warm-up lasts until every host has been asked for a page, and at least as long as told. */
function sayRates(
  log: readonly LogRow[],
  asked: { readonly hosts: number; readonly seconds: number; readonly warmup: number },
  say: Say,
): void {
  const firsts = new Map<string, number>();
  const pages = log.filter(([, , , , url]) => !url.endsWith('/robots.txt'));
  for (const [at, , , , url] of pages) {
    const host = hostIn(url);
    if (!firsts.has(host)) firsts.set(host, at);
  }
  const startedAt = log[0]?.[0] ?? 0;
  const allAskedAt = Math.max(...firsts.values());
  const from = Math.max(startedAt + asked.warmup * 1_000, allAskedAt);
  const last = log.at(-1)?.[0] ?? 0;
  const until = Math.min(from + asked.seconds * 1_000, last);
  const within = pages.filter(([at]) => at >= from && at < until).length;
  const rate = (within * 1_000) / (until - from);
  say('hosts', firsts.size, 'hosts');
  say('all_hosts_asked_after', (allAskedAt - startedAt) / 1e3, 's');
  say('seconds_measured', (until - from) / 1e3, 's');
  say('rate', rate, 'pages/s');
  say('rate_allowed', asked.hosts, 'pages/s');
  say('rate_share', rate / asked.hosts, 'ratio');
}

function sayGaps(log: readonly LogRow[], say: Say): void {
  const lastAt = new Map<string, number>();
  const gaps: number[] = [];
  for (const [at, , , , url] of log) {
    const host = hostIn(url);
    const before = lastAt.get(host);
    if (before !== undefined) gaps.push(at - before);
    lastAt.set(host, at);
  }
  gaps.sort((a, b) => a - b);
  say('gap_smallest', gaps[0] ?? Number.NaN, 'ms');
  say('gap_p50', percentile(gaps, 0.5), 'ms');
  say('gap_p99', percentile(gaps, 0.99), 'ms');
}

function hostIn(url: string): string {
  return url.slice(0, url.indexOf('/', 8));
}
