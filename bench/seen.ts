/**
 * How fast a mention is checked and added, up to 20 million URLs (S1–S4, F6).
 *
 *   npm run bench -- seen [--urls 20000000] [--hosts 200000] [--dir D]
 *
 * Through the whole of admission: scope, Recent, hashing, filter, one commit of the embedded
 * store with the URL's row and its place in the waiting order, and the frontier's window.
 * With --dir the folder is left for `frontier` and `restart`. 20 million take some ten minutes
 * and 4 GB of disk.
 *
 *   new        each URL for the first time: the first million, the last, and all between
 *   pages      the same with 64 visited pages in each commit: their records and hosts, too
 *   repeats    99% among the 100,000 URLs named last, at distances drawn log-uniformly (a page
 *              names what its neighbours name), 1% drawn from all
 *   cold       all drawn from all: each costs an exact lookup
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathsOf } from '../src/adapters/folder/crawl-folder.ts';
import { waitingFrom } from '../src/crawl/admit.ts';
import { urlKeyOf } from '../src/record/index.ts';
import { Bloom } from '../src/seen/index.ts';
import { type Arc, noteFilling, openArc, random, readFilling } from './arc.ts';
import { admitNew, NEW_PER_COMMIT, plantHosts, visitPages } from './fill.ts';
import { inChild } from './in-child.ts';
import { type Emit, folderBytes, mib, rssBytes, type Say, sayFor, sayUsage } from './measure.ts';
import { admittedAt, Population } from './population.ts';

interface Task {
  readonly dir: string;
  readonly urls: number;
  readonly hosts: number;
}

type Figure = readonly [metric: string, value: number, unit: string];

const MILLION = 1_000_000;
/** How far back a repeated mention is, at most, when it comes from the last pages. */
const NEAR = 100_000;
const COLD_SHARE = 0.01;
const LINKS_PER_PAGE = 200;

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      urls: { type: 'string', default: '20000000' },
      hosts: { type: 'string', default: '200000' },
      dir: { type: 'string' },
    },
  });
  const dir = values.dir ?? (await mkdtemp(join(tmpdir(), 'orb-seen-')));
  if ((await readFilling(dir)) !== undefined) throw new Error(`${dir} is filled already`);
  const task: Task = { dir, urls: Number(values.urls), hosts: Number(values.hosts) };
  const say = sayFor('seen', emit);
  try {
    const end = await inChild<Task, undefined>(task, {
      module: import.meta.url,
      onNote: (note) => say(...(note as Figure)),
    });
    if (end !== undefined) sayUsage(say, '', end.usage);
  } finally {
    if (values.dir === undefined) await rm(dir, { recursive: true, force: true });
  }
}

/** In a child. */
export async function work(task: Task, tell: (figure: Figure) => void): Promise<void> {
  const say: Say = (...figure) => tell(figure);
  const { dir, urls, hosts } = task;
  const population = new Population(hosts);
  const arc = await openArc(dir);
  say('urls', urls, 'urls');
  say('hosts', hosts, 'hosts');
  await plantHosts(arc, population);
  await measureNew(arc, population, urls, say);
  const textBytes = textBytesOf(population, urls);
  sayDisk('all_wait', arc, urls, textBytes, say);
  await visitPages(arc, population, [hosts, urls]);
  await measureRepeats(arc, population, urls, say);
  sayFalsePositives(arc, population, urls, say);
  const { known, waiting } = await arc.store.totals();
  say('known', known, 'urls');
  say('waiting', waiting, 'urls');
  say('rss_end', mib(rssBytes()), 'MiB');
  await arc.close();
  sayDisk('half_wait', arc, urls, textBytes, say);
  await noteFilling(dir, { urls, hosts, textBytes });
}

/** New URLs: the rate of each million, then with pages in the same commits. */
async function measureNew(arc: Arc, population: Population, urls: number, say: Say): Promise<void> {
  const { hosts } = population;
  const withPages = Math.min(320 * NEW_PER_COMMIT, Math.floor(urls / 20));
  const to = urls - withPages;
  const step = Math.min(MILLION, Math.ceil((to - hosts) / 2));
  const rates: number[] = [];
  let startedAt = performance.now();
  let mark = hosts;
  const begun = startedAt;
  await admitNew(arc, population, hosts, to, (done) => {
    if (done - mark < step) return;
    const now = performance.now();
    rates.push(((done - mark) * 1e3) / (now - startedAt));
    startedAt = now;
    mark = done;
  });
  const mean = ((to - hosts) * 1e3) / (performance.now() - begun);
  const [first = mean] = rates;
  const last = rates.at(-1) ?? mean;
  say('new_rate_first_million', first, 'urls/s');
  say('new_rate_last_million', last, 'urls/s');
  say('new_rate_last_over_first', last / first, 'ratio');
  say('new_rate_slowest_million', Math.min(...rates, mean), 'urls/s');
  say('new_rate_all', mean, 'urls/s');
  const before = performance.now();
  const { visited } = await visitPages(arc, population, [0, hosts], [to, urls]);
  const seconds = (performance.now() - before) / 1e3;
  say('new_rate_64_page_commits', withPages / seconds, 'urls/s');
  say('page_rate_64_page_commits', visited / seconds, 'pages/s');
}

/** Mentions of URLs that are known, in lots: they are made before the clock runs. */
async function measureRepeats(
  arc: Arc,
  population: Population,
  urls: number,
  say: Say,
): Promise<void> {
  const chance = random(7);
  const near = () => Math.floor(NEAR ** chance());
  const any = () => Math.floor(chance() * urls);
  const lot = Math.min(200_000, urls);
  let last = urls;
  const fromLastPages = () => Math.max(0, last - near());
  const rate = async (lots: number, mentions: number, pick: () => number) => {
    let ms = 0;
    for (let i = 0; i < lots; i++) ms += await timeLot(arc, population, mentions, pick);
    return (lots * mentions * 1e3) / ms;
  };
  // What was named last is in Recent when its repeats come.
  await timeLot(arc, population, Math.min(lot, NEAR), () => Math.max(0, --last));
  last = urls;
  say('repeat_rate_last_pages', await rate(5, lot, fromLastPages), 'urls/s');
  const mixed = () => (chance() < COLD_SHARE ? any() : fromLastPages());
  say('repeat_rate', await rate(5, lot, mixed), 'urls/s');
  say('repeat_rate_cold', await rate(3, Math.ceil(lot / 4), any), 'urls/s');
}

/** Pages of 200 links each, taken in as a visit takes in its page's. */
async function timeLot(
  arc: Arc,
  population: Population,
  count: number,
  pick: () => number,
): Promise<number> {
  const page = waitingFrom(population.mentionOf(0), 0, admittedAt(0));
  const contexts = new Uint8Array(LINKS_PER_PAGE).fill(128);
  const pages = Array.from({ length: Math.ceil(count / LINKS_PER_PAGE) }, () =>
    Array.from({ length: LINKS_PER_PAGE }, () => fresh(population.urlOf(pick()))),
  );
  const startedAt = performance.now();
  let settled: Promise<void>[] = [];
  for (const urls of pages) {
    const { candidates } = arc.admit.links(page, { urls, contexts, sitemaps: 0 }, admittedAt(0));
    if (candidates.length > 0) settled.push(arc.settling.add({ candidates, change: {} }));
    if (settled.length < 64) continue;
    await Promise.all(settled);
    settled = [];
  }
  await Promise.all(settled);
  return performance.now() - startedAt;
}

/** A string of its own, as a parser makes it: flat, and not hashed by anybody before. */
function fresh(url: string): string {
  return Buffer.from(url, 'latin1').toString('latin1');
}

/** URLs that were never added, asked without adding them. */
function sayFalsePositives(arc: Arc, population: Population, urls: number, say: Say): void {
  const { generations } = arc.filter;
  const blooms = generations.states().map(({ size, words }) => new Bloom(size, words));
  const asked = Math.min(MILLION, urls);
  let flagged = 0;
  for (let i = urls; i < urls + asked; i++) {
    const key = urlKeyOf(population.urlOf(i));
    if (blooms.some((bloom) => bloom.has(key, 8))) flagged++;
  }
  say('false_positives_measured', flagged / asked, 'share');
  say('false_positives_estimated', generations.falsePositiveRate(), 'share');
  say('false_positives_target', generations.target, 'share');
  say('filter_memory', mib(generations.bytes), 'MiB');
  say('filter_generations', generations.count, 'filters');
}

function sayDisk(when: string, arc: Arc, urls: number, textBytes: number, say: Say): void {
  const bytes = folderBytes(pathsOf(arc.dir).store);
  say(`disk_${when}`, mib(bytes), 'MiB');
  say(`disk_beyond_text_${when}`, (bytes - textBytes) / urls, 'bytes/url');
}

/** All are ASCII. The mean of a sample of them stands for all. */
function textBytesOf(population: Population, urls: number): number {
  const step = Math.max(1, Math.floor(urls / 100_000));
  let bytes = 0;
  let looked = 0;
  for (let i = 0; i < urls; i += step, looked++) bytes += population.urlOf(i).length;
  return Math.round((bytes / looked) * urls);
}
