/**
 * Whole crawls, politeness off, everything on and everything stored.
 *
 *   npm run bench -- crawl [--pages 20000] [--hosts 200]     the test web, a process of its own
 *   npm run bench -- crawl --docs [--hosts 12]               real pages (docs-web.ts), then wget2
 *   npm run bench -- crawl --url URL … [--hosts H,H,…]       servers that are there already
 *
 *   --cores 1|2      the crawler on core 0 alone with no threads (default), or on both with one;
 *                    the server is on core 1
 *   --concurrency N  requests at a time          --no-wget2   without the yardstick
 *   --dir D          keep the crawl's folder     --cpu-prof D write a profile there
 *   --warc           write an archive as the crawl goes
 *
 * With --url each of the hosts is a seed, too, with the path of the first URL; a number N in
 * place of names means N consecutive addresses, beginning with the first URL's.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CrawlFigures, CrawlTask } from './crawl-work.ts';
import { type DocsTruth, docsTruth } from './docs-truth.ts';
import { type DocsRequest, type DocsWeb, openDocsWeb } from './docs-web.ts';
import { type ChildEnd, inChild } from './in-child.ts';
import { type Emit, folderBytes, mib, type Say, sayFor } from './measure.ts';
import { openTestWeb } from './test-web.ts';
import { hasWget2, runWget2 } from './wget2.ts';

const WGET2_SECONDS_MAX = 120;
const WGET2_THREADS = 5;
const WGET2_THREADS_MORE = 16;
const MEMORY = join('/dev', 'shm');

/** What testweb/control.ts answers to /judge.json. */
interface Judged {
  readonly expected: number;
  readonly fetched: number;
  readonly counts: { readonly missing: number; readonly duplicates: number };
}

type Options = ReturnType<typeof optionsOf>;

function optionsOf(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      docs: { type: 'boolean', default: false },
      url: { type: 'string', multiple: true, default: [] },
      hosts: { type: 'string' },
      pages: { type: 'string', default: '20000' },
      cores: { type: 'string', default: '1' },
      concurrency: { type: 'string', default: '64' },
      wget2: { type: 'boolean', default: true },
      warc: { type: 'boolean', default: false },
      dir: { type: 'string' },
      'cpu-prof': { type: 'string' },
    },
  });
  const isUrl = (text: string) => text.includes('://');
  const named = [values.hosts ?? [], positionals.filter((p) => !isUrl(p))].flat();
  const urls = [...values.url, ...positionals.filter(isUrl)];
  return { ...values, urls, named: named.flatMap((hosts) => hosts.split(',')) };
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const options = optionsOf(args);
  const say = sayFor('crawl', emit);
  if (options.docs) await crawlDocs(options, say);
  else if (options.urls.length > 0) await crawlUrls(options, say);
  else await crawlTestWeb(options, say);
}

async function crawlDocs(options: Options, say: Say): Promise<void> {
  const web = await openDocsWeb(Number(options.named[0] ?? 12), '1');
  try {
    const truth = docsTruth(web);
    say('web_pages', truth.pages, 'pages');
    say('web_mean_page', truth.bytes / truth.pages / 1_000, 'KB');
    say('web_mean_anchors', truth.anchors / truth.pages, 'anchors');
    const { result } = await crawl(['--scope', 'host', ...web.seeds], options, say);
    const rate = sayDocs('', web.takeLog(), truth, result.wallSec, say);
    if (options.wget2 && hasWget2()) await besideWget2(web, truth, rate, options, say);
  } finally {
    await web.close();
  }
}

/**
 * On the disk that our own folder is on, and once in memory: ext4 passes over every file that was
 * deleted in the last minutes when a new one is made, and wget2 makes one for each page. So no
 * folder is deleted before the last run has ended.
 */
async function besideWget2(
  web: DocsWeb,
  truth: DocsTruth,
  rate: number,
  options: Options,
  say: Say,
): Promise<void> {
  const common = { seeds: web.seeds, cores: coresOf(options), secondsMax: WGET2_SECONDS_MAX };
  const folders: string[] = [];
  const measure = async (name: string, lean: boolean, threads: number, disk: string) => {
    const folder = mkdtempSync(join(disk, 'orb-wget2-'));
    folders.push(folder);
    const theirs = await runWget2({ ...common, lean, threads, folder });
    const theirRate = sayDocs(`${name}_`, web.takeLog(), truth, theirs.wallSec, say);
    say(`${name}_cpu`, theirs.cpuSec, 's');
    say(`${name}_peak_rss`, mib(theirs.peakRssBytes), 'MiB');
    say(`rate_over_${name}`, rate / theirRate, 'times');
    const syncedRate = (theirRate * theirs.wallSec) / theirs.syncedSec;
    say(`${name}_synced_rate`, syncedRate, 'pages/s');
    say(`rate_over_${name}_synced`, rate / syncedRate, 'times');
  };
  try {
    await measure('wget2', false, WGET2_THREADS, tmpdir());
    await measure('wget2_lean', true, WGET2_THREADS, tmpdir());
    await measure('wget2_lean_16_threads', true, WGET2_THREADS_MORE, tmpdir());
    if (existsSync(MEMORY)) await measure('wget2_lean_in_memory', true, WGET2_THREADS, MEMORY);
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** What the server saw; answers the rate of documents. */
function sayDocs(
  prefix: string,
  log: readonly DocsRequest[],
  truth: DocsTruth,
  wallSec: number,
  say: Say,
): number {
  const times = new Map<string, number>();
  let bytes = 0;
  for (const { url, status, type, bytes: size } of log) {
    bytes += size;
    if (status === 200 && (type === 'text/html' || type === 'text/plain')) {
      times.set(url, (times.get(url) ?? 0) + 1);
    }
  }
  const missing = [...truth.urls].filter((url) => !times.has(url));
  say(`${prefix}server_requests`, log.length, 'requests');
  say(`${prefix}documents`, times.size, 'documents');
  say(`${prefix}documents_expected`, truth.urls.size, 'documents');
  say(`${prefix}documents_missing`, missing.length, 'documents');
  say(`${prefix}documents_twice`, [...times.values()].filter((n) => n > 1).length, 'documents');
  say(`${prefix}rate`, times.size / wallSec, 'pages/s');
  say(`${prefix}throughput`, bytes / 1e6 / wallSec, 'MB/s');
  return times.size / wallSec;
}

async function crawlUrls(options: Options, say: Say): Promise<void> {
  const seeds = [...new Set([...options.urls, ...otherSeeds(options.urls[0] as string, options)])];
  say('seeds', seeds.length, 'urls');
  const { result } = await crawl(['--scope', 'host', ...seeds], options, say);
  say('rate', result.pages / result.wallSec, 'pages/s');
}

/** The first URL on the other hosts. */
function otherSeeds(first: string, { named }: Options): string[] {
  const count = Number(named[0]);
  const url = new URL(first);
  const name = url.hostname.split('.');
  const hosts = Number.isInteger(count)
    ? Array.from({ length: count }, (_, i) =>
        [...name.slice(0, -1), Number(name.at(-1)) + i].join('.'),
      )
    : named;
  return hosts.map((host) => {
    const port = host.includes(':') ? '' : url.port;
    return `${url.protocol}//${host}${port && `:${port}`}${url.pathname}${url.search}`;
  });
}

async function crawlTestWeb(options: Options, say: Say): Promise<void> {
  const hosts = options.named[0] ?? '200';
  const flags = ['--hosts', hosts, '--pages', options.pages, '--features', 'plain'];
  const web = await openTestWeb(flags, '1');
  try {
    const dns = `127.0.0.1:${web.dnsPort}`;
    const { result } = await crawl(['--scope', 'any', '--dns', dns, web.start], options, say);
    const query = `scope=any&seed=${encodeURIComponent(web.start)}`;
    const judged = (await (await web.ask(`/judge.json?${query}`)).json()) as Judged;
    say('pages_expected', judged.expected, 'pages');
    say('pages_fetched', judged.fetched, 'pages');
    say('pages_missing', judged.counts.missing, 'pages');
    say('pages_twice', judged.counts.duplicates, 'pages');
    say('rate', result.pages / result.wallSec, 'pages/s');
  } finally {
    await web.close();
  }
}

/** Crawls in a child, and says what it cost. */
async function crawl(
  argv: readonly string[],
  options: Options,
  say: Say,
): Promise<ChildEnd<CrawlFigures>> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'orb-crawl-'));
  const workers = options.cores === '1' ? '0' : '1';
  const free = ['--rate', 'max', '--allow-private', '--depth', '100'];
  const archive = options.warc ? ['--warc'] : [];
  const usual = ['--workers', workers, '--concurrency', options.concurrency, ...free, ...archive];
  const profile = options['cpu-prof'];
  try {
    const end = await inChild<CrawlTask, CrawlFigures>(
      { dir, argv: [...usual, ...argv] },
      {
        module: new URL('./crawl-work.ts', import.meta.url).href,
        cores: coresOf(options),
        ...(profile && { nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${profile}`] }),
      },
    );
    if (end === undefined) throw new Error('the crawl was killed');
    sayCrawl(end, dir, say);
    return end;
  } finally {
    if (options.dir === undefined && existsSync(dir)) rmSync(dir, { recursive: true });
  }
}

function sayCrawl({ result, usage }: ChildEnd<CrawlFigures>, dir: string, say: Say): void {
  const { pages, bytes, wallSec, cpuSec, failures } = result;
  if (result.end !== 'done') throw new Error(`the crawl ended with '${result.end}'`);
  say('pages', pages, 'pages');
  say('wall', wallSec, 's');
  say('cpu_per_1000_pages', (cpuSec / pages) * 1_000, 's');
  say('peak_rss', mib(usage.peakRssBytes), 'MiB');
  say('received', bytes / 1e6, 'MB');
  say('received_rate', bytes / 1e6 / wallSec, 'MB/s');
  say('folder', folderBytes(dir) / 1e6, 'MB');
  for (const [name, count] of Object.entries(failures)) say(`failed_${name}`, count, 'pages');
}

function coresOf({ cores }: Options): string {
  return cores === '1' ? '0' : '0,1';
}
