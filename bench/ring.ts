/**
 * What a ring costs: a crawl in a folder, a ring of one node and a ring of three with two copies,
 * in one run on the same test web.
 *
 *   npm run bench -- ring [--pages 5000] [--hosts 200] [--rounds 2] [--concurrency 128]
 *
 * Politeness off, everything on, turn by turn. All nodes are real `orb ring` processes on core 0
 * with no threads, so three share what the crawl in a folder has alone; the web is on core 1.
 *
 *   rate     pages a second, from the seed until the last answer
 *   cpu      of all nodes together for 1,000 pages; ratio: how often that of the folder
 *   per page messages and bytes that the nodes sent each other, of all rounds
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TestRing } from '../test/kit/ring.ts';
import type { CrawlFigures, CrawlTask } from './crawl-work.ts';
import { inChild } from './in-child.ts';
import { type Emit, type Say, sayFor } from './measure.ts';
import { cpuSecOf, pin } from './processes.ts';
import { openTestWeb, type TestWeb } from './test-web.ts';

const [CRAWLER_CORE, WEB_CORE] = ['0', '1'];
const COPIES = '2';
const KINDS = { local: 0, one: 1, three: 3 } as const;
type Kind = keyof typeof KINDS;

const LOOK_MS = 300;
/** Looks in a row that find no request more. */
const QUIET_LOOKS = 10;
const ARCS = 64;
const OWNERS_MS_MAX = 60_000;

interface Options {
  readonly pages: string;
  readonly hosts: string;
  readonly rounds: string;
  readonly concurrency: string;
}

interface Round {
  readonly pages: number;
  readonly wallSec: number;
  readonly cpuSec: number;
  readonly messages: number;
  readonly bytes: number;
  readonly missing: number;
  readonly twice: number;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values: options } = parseArgs({
    args,
    options: {
      ...{ pages: text('5000'), hosts: text('200'), rounds: text('2') },
      concurrency: text('128'),
    },
  });
  const flags = ['--hosts', options.hosts, '--pages', options.pages, '--features', 'plain'];
  const web = await openTestWeb(flags, WEB_CORE);
  try {
    await measure(web, options, sayFor('ring', emit));
  } finally {
    await web.close();
  }
}

async function measure(web: TestWeb, options: Options, say: Say): Promise<void> {
  const rounds: Record<Kind, Round[]> = { local: [], one: [], three: [] };
  const kinds = Object.keys(KINDS) as Kind[];
  for (let nth = 1; nth <= Number(options.rounds); nth++) {
    for (const kind of kinds) {
      await web.ask('/reset');
      const round = await (kind === 'local'
        ? crawlLocal(web, options)
        : crawlRing(kind, web, options));
      rounds[kind].push(round);
      say(`${kind}_${nth}_rate`, rateOf([round]), 'pages/s');
      say(`${kind}_${nth}_cpu_per_1000_pages`, cpuOf([round]), 's');
    }
  }
  for (const kind of kinds) sayKind(kind, rounds, say);
}

function sayKind(kind: Kind, rounds: Record<Kind, Round[]>, say: Say): void {
  const all = rounds[kind];
  say(`${kind}_pages_missing`, sumOf(all, 'missing'), 'pages');
  say(`${kind}_pages_twice`, sumOf(all, 'twice'), 'pages');
  say(`${kind}_rate`, rateOf(all), 'pages/s');
  say(`${kind}_cpu_per_1000_pages`, cpuOf(all), 's');
  if (kind === 'local') return;
  say(`${kind}_rate_ratio`, rateOf(all) / rateOf(rounds.local), 'of local');
  say(`${kind}_cpu_ratio`, cpuOf(all) / cpuOf(rounds.local), 'of local');
  say(`${kind}_messages`, sumOf(all, 'messages') / sumOf(all, 'pages'), 'per page');
  say(`${kind}_bytes`, sumOf(all, 'bytes') / sumOf(all, 'pages'), 'bytes/page');
}

async function crawlLocal(web: TestWeb, options: Options): Promise<Round> {
  const dir = mkdtempSync(join(tmpdir(), 'orb-ring-'));
  try {
    const end = await inChild<CrawlTask, CrawlFigures>(
      { dir, argv: [...flagsOf(web, options), web.start] },
      { module: new URL('./crawl-work.ts', import.meta.url).href, cores: CRAWLER_CORE },
    );
    if (end === undefined) throw new Error('the crawl was killed');
    const { wallSec, cpuSec } = end.result;
    return { ...(await judgedOf(web)), wallSec, cpuSec, messages: 0, bytes: 0 };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function crawlRing(kind: 'one' | 'three', web: TestWeb, options: Options): Promise<Round> {
  const ends: (() => unknown)[] = [];
  try {
    const flags = [...flagsOf(web, options), '--copies', COPIES];
    const nodes = KINDS[kind];
    const place = { after: (end: () => unknown) => ends.unshift(end) };
    const ring = await TestRing.open(place, { nodes, flags, isDirect: true });
    for (const { pid } of ring.nodes) pin(pid, CRAWLER_CORE);
    return await crawlBy(ring, web);
  } finally {
    for (const end of ends) await end();
  }
}

async function crawlBy(ring: TestRing, web: TestWeb): Promise<Round> {
  await allOwned(ring);
  const pids = ring.nodes.map(({ pid }) => pid);
  const before = { sent: await sentBy(ring), cpuSec: cpuSecOf(pids), at: Date.now() };
  const seeds = { urls: [web.start], scope: 'any', depth: 100 };
  await ring.nodes[0]?.ask('/crawl/seeds', seeds);
  let [last, cpuSec] = [0, 0];
  for (let looks = 0; looks < QUIET_LOOKS; looks++) {
    await pause(LOOK_MS);
    const { requests } = (await (await web.ask('/log.json')).json()) as { requests: number };
    if (requests === last && requests > 0) continue;
    [looks, last, cpuSec] = [0, requests, cpuSecOf(pids) - before.cpuSec];
  }
  ring.assertAlive();
  const sent = await sentBy(ring);
  const [messages, bytes] = [sent[0] - before.sent[0], sent[1] - before.sent[1]];
  const wallSec = ((await lastEndAt(web)) - before.at) / 1e3;
  return { ...(await judgedOf(web)), wallSec, cpuSec, messages, bytes };
}

/** Until every arc has an owner, and its copies are level. */
async function allOwned(ring: TestRing): Promise<void> {
  for (const from = Date.now(); ; await pause(LOOK_MS)) {
    const { arcs } = await ring.seen();
    const owned = arcs.filter(({ level = 0, seats }) => level > 0 && level >= seats.length);
    if (owned.length === ARCS) return;
    if (Date.now() - from > OWNERS_MS_MAX) throw new Error(`${owned.length} arcs have owners`);
  }
}

/** Messages and bytes that all nodes have sent so far. */
async function sentBy(ring: TestRing): Promise<[number, number]> {
  const { nodes } = await ring.seen();
  const sum = (name: string) => nodes.reduce((all, { counts }) => all + (counts?.[name] ?? 0), 0);
  return [sum('messages_out'), sum('bytes_out')];
}

function flagsOf(web: TestWeb, { concurrency }: Options): string[] {
  const free = ['--rate', 'max', '--allow-private', '--depth', '100', '--scope', 'any'];
  const usual = ['--workers', '0', '--concurrency', concurrency];
  return [...usual, ...free, '--dns', `127.0.0.1:${web.dnsPort}`];
}

/** What testweb/control.ts answers to /judge.json. */
interface Judged {
  readonly fetched: number;
  readonly counts: { readonly missing: number; readonly duplicates: number };
}

async function judgedOf(web: TestWeb): Promise<Pick<Round, 'pages' | 'missing' | 'twice'>> {
  const query = `scope=any&seed=${encodeURIComponent(web.start)}`;
  const { fetched, counts } = (await (await web.ask(`/judge.json?${query}`)).json()) as Judged;
  return { pages: fetched, missing: counts.missing, twice: counts.duplicates };
}

async function lastEndAt(web: TestWeb): Promise<number> {
  const rows = (await (await web.ask('/requests.jsonl')).text()).trimEnd().split('\n');
  const ends = rows.map((row) => (JSON.parse(row) as [number, number])[1]);
  return ends.reduce((latest, end) => Math.max(latest, end), 0);
}

function sumOf(rounds: readonly Round[], name: keyof Round): number {
  return rounds.reduce((sum, round) => sum + round[name], 0);
}

function rateOf(rounds: readonly Round[]): number {
  return sumOf(rounds, 'pages') / sumOf(rounds, 'wallSec');
}

function cpuOf(rounds: readonly Round[]): number {
  return (sumOf(rounds, 'cpuSec') * 1e3) / sumOf(rounds, 'pages');
}
