/**
 * What near-duplicates cost (C2): the fingerprint of a page, and looking one up among many.
 *
 *   npm run bench -- simhash [--fingerprints 10000000] [--pages 400] [--dir D]
 *
 *   fingerprint   real pages of 18 to 22 KB (tools/corpus.ts) on one core: gathering their words
 *                 as bytes, which links alone would not need, and both fingerprints of them
 *   lookup        the embedded index filled with random originals, then asked in batches of 64 as
 *                 a crawl does: new pages, and one in ten 0 to 3 bits away from an original
 *   write         originals added to it, 64 at a time
 *   disk          the folder's files, all that an original costs
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedNearIndex, Lsm } from '../src/adapters/embedded/index.ts';
import * as keys from '../src/adapters/embedded/keys.ts';
import * as rows from '../src/adapters/embedded/near-rows.ts';
import { type SeededRandom, seededRandom } from '../src/base/random.ts';
import { halvesOf, NearFilter, type Side, simhashFrom } from '../src/content/index.ts';
import { printOf } from '../src/content/simhash.ts';
import { type ScanOptions, scanHtml, sniffCharset, toUtf8 } from '../src/page/index.ts';
import type { Fingerprint } from '../src/ports/near-index.ts';
import { URL_KEY_BYTES } from '../src/record/index.ts';
import { corpusPages } from '../tools/corpus.ts';
import { inChild } from './in-child.ts';
import { type Emit, folderBytes, mib, rssBytes, type Say, sayFor, watch } from './measure.ts';

interface Task {
  readonly what: 'pages' | 'index';
  readonly dir: string;
  readonly count: number;
}

type Figure = readonly [metric: string, value: number, unit: string];

const PAGE_BYTES = [18_000, 22_000] as const;
const ROUNDS = 25;
const WRITTEN_AT_ONCE = 10_000;
const WRITTEN = 64 * 1_000;
const ASKED_AT_ONCE = 64;
const ASKED_MAX = 200_000;
const COPIES = 0.1;

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      fingerprints: { type: 'string', default: '10000000' },
      pages: { type: 'string', default: '400' },
      dir: { type: 'string' },
    },
  });
  const say = sayFor('simhash', emit);
  const dir = values.dir ?? (await mkdtemp(join(tmpdir(), 'orb-near-')));
  const options = {
    module: import.meta.url,
    onNote: (note: unknown) => say(...(note as Figure)),
  };
  try {
    const pages: Task = { what: 'pages', dir, count: Number(values.pages) };
    await inChild<Task, void>(pages, { ...options, cores: '0' });
    await inChild<Task, void>({ what: 'index', dir, count: Number(values.fingerprints) }, options);
  } finally {
    if (values.dir === undefined) await rm(dir, { recursive: true, force: true });
  }
}

/** In a child. */
export async function work({ what, dir, count }: Task, tell: (f: Figure) => void): Promise<void> {
  const say: Say = (...figure) => tell(figure);
  if (what === 'pages') measurePages(count, say);
  else await measureIndex(dir, count, say);
}

function measurePages(count: number, say: Say): void {
  const isMeant = ({ length }: Buffer) => length >= PAGE_BYTES[0] && length <= PAGE_BYTES[1];
  const pages = corpusPages(Number.POSITIVE_INFINITY)
    .filter(({ body }) => isMeant(body))
    .slice(0, count);
  if (pages.length === 0) throw new Error('no corpus here: run `npm run corpus` first');
  const bodies = pages.map(({ body, url }) => ({
    url,
    body: toUtf8(body, sniffCharset(body, 'text/html')),
  }));
  const scan = (options: ScanOptions) => () => {
    for (const { body, url } of bodies) scanHtml(body, url, options);
  };
  let words = 0;
  const print = () => {
    words = 0;
    for (const { body, url } of bodies) {
      words += printOf(scanHtml(body, url, { words: true }).words).words;
    }
  };
  const works = [scan({}), scan({ words: true }), print];
  const [linksUs = 0, gatheredUs = 0, printedUs = 0] = best(works, pages.length);
  const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);
  say('pages', pages.length, 'pages');
  say('page_size', bytes / pages.length, 'bytes');
  say('page_words_counted', words / pages.length, 'words');
  say('scan_for_links', linksUs, 'µs/page');
  say('gather_words', gatheredUs - linksUs, 'µs/page');
  say('fingerprint_words', printedUs - gatheredUs, 'µs/page');
  say('gather_and_fingerprint', printedUs - linksUs, 'µs/page');
}

/** CPU a page, the best of rounds that take turns, so that neighbours count little. */
function best(works: readonly (() => void)[], pages: number): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [nth, one] of works.entries()) {
      const from = process.cpuUsage();
      one();
      const { user, system } = process.cpuUsage(from);
      least[nth] = Math.min(least[nth] as number, (user + system) / pages);
    }
  }
  return least;
}

async function measureIndex(dir: string, count: number, say: Say): Promise<void> {
  const lsm = await Lsm.open({ dir: join(dir, 'store'), syncAlways: false });
  const filling = watch();
  for (const side of [0, 1] as const) await fill(lsm, side, count);
  say('originals', count, 'originals');
  say('fill', filling().wallSec, 's');
  const filter = new NearFilter();
  const index = new EmbeddedNearIndex(lsm, filter);
  const recalling = watch();
  await index.recall();
  say('filter_from_rows', recalling().wallSec, 's');
  say('filter_memory', mib(filter.bytes), 'MiB');
  await measureLookups(index, count, say);
  await measureWrites(index, count, say);
  say('rss', mib(rssBytes()), 'MiB');
  await index.close();
  await lsm.close();
  say('disk', folderBytes(dir) / (count + WRITTEN), 'bytes/original');
}

/** The rows of one side in the order of their keys: as they lie after a long crawl, in minutes. */
async function fill(lsm: Lsm, side: Side, count: number): Promise<void> {
  const byHalf = sortedByHalf(side, count);
  let ops = new Map<number, Buffer>();
  for (let at = 0; at < byHalf.length; at += 2) {
    const page = original(byHalf[at] as number);
    const { high, low } = halvesOf(page.simhash);
    const half = side === 0 ? high : low;
    const row = ops.get(half) ?? Buffer.alloc(0);
    ops.set(half, side === 0 ? rows.withOriginal(row, low, page) : rows.withHigh(row, high));
    const isLast = at + 2 === byHalf.length;
    if (!isLast && (ops.size < WRITTEN_AT_ONCE || byHalf[at + 3] === half)) continue;
    await lsm.write(
      [...ops].map(([h, value]) => ({ type: 'put', key: keys.nearKey(side, h), value })),
    );
    ops = new Map();
  }
}

/** Pairs of an original's number and its half, by the half: 64 bits each, the half on top. */
function sortedByHalf(side: Side, count: number): Uint32Array {
  const pairs = new BigUint64Array(count);
  const words = new Uint32Array(pairs.buffer);
  for (let nth = 0; nth < count; nth++) {
    words[2 * nth] = nth;
    words[2 * nth + 1] = side === 0 ? highOf(nth) : lowOf(nth);
  }
  pairs.sort();
  return words;
}

/** Originals as a crawl adds them, 64 at a time, each in two places of its own. */
async function measureWrites(index: EmbeddedNearIndex, count: number, say: Say): Promise<void> {
  const writing = watch();
  for (let from = 0; from < WRITTEN; from += ASKED_AT_ONCE) {
    const length = ASKED_AT_ONCE;
    const added = Array.from({ length }, (_, i) => original(2 * count + from + i));
    await index.write(added, []);
  }
  say('write_rate', WRITTEN / writing().wallSec, 'originals/s');
}

async function measureLookups(index: EmbeddedNearIndex, count: number, say: Say): Promise<void> {
  for (const [name, copies] of [
    ['new_pages', 0],
    ['one_in_ten_copies', COPIES],
    ['copies', 1],
  ] as const) {
    const random = seededRandom(name);
    const looking = watch();
    let wrong = 0;
    let asked = 0;
    while (asked < Math.min(ASKED_MAX, count)) {
      const length = ASKED_AT_ONCE;
      const batch = Array.from({ length }, () => drawn(count, asked++, copies, random));
      const found = await index.find(batch);
      for (const [i, { isCopy }] of batch.entries())
        if ((found[i] !== undefined) !== isCopy) wrong++;
    }
    const { wallSec, cpuSec } = looking();
    say(`lookup_${name}_rate`, asked / wallSec, 'lookups/s');
    say(`lookup_${name}_cpu`, (cpuSec * 1e6) / asked, 'µs');
    say(`lookup_${name}_wrong`, wrong, 'lookups');
  }
}

interface Drawn extends Fingerprint {
  readonly isCopy: boolean;
}

/** A page that is new, or 0 to 3 bits away from one of the originals. */
function drawn(count: number, nth: number, copies: number, random: SeededRandom): Drawn {
  const page = original(count + nth);
  if (random.next() >= copies) return { ...page, isCopy: false };
  const { simhash } = original(Math.floor(random.next() * count));
  const bits = Math.floor(random.next() * 4);
  return { ...page, simhash: flipped(simhash, bits, random), isCopy: true };
}

function highOf(nth: number): number {
  return mix(nth ^ 0x5bd1e995) >>> 0;
}

function lowOf(nth: number): number {
  return mix(highOf(nth) ^ Math.imul(nth, 0x9e3779b1)) >>> 0;
}

/** Random, and the same each time. */
function original(nth: number): Fingerprint {
  const low = lowOf(nth);
  const key = Buffer.allocUnsafe(URL_KEY_BYTES);
  let word = mix(low + 1);
  for (let at = 0; at < URL_KEY_BYTES; at += 4) {
    word = mix(word + 0x9e3779b1);
    key.writeInt32BE(word, at);
  }
  return { key, simhash: simhashFrom(highOf(nth), low), pairs: 0n };
}

function flipped(simhash: bigint, bits: number, random: SeededRandom): bigint {
  let value = simhash;
  for (let i = 0; i < bits; i++) value ^= 1n << BigInt(Math.floor(random.next() * 64));
  return value;
}

function mix(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
