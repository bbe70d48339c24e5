/**
 * The crawls of bench/ring.ts: in a folder, and by a ring of `orb ring` processes on the same core.
 * When a ring is done the web's own log says: no request more for a while.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ARCS, TestRing } from '../test/kit/ring.ts';
import type { CrawlFigures, CrawlTask } from './crawl-work.ts';
import { inChild } from './in-child.ts';
import { cpuSecOf, pin } from './processes.ts';
import type { TestWeb } from './test-web.ts';

const CRAWLER_CORE = '0';
const COPIES = '2';
const LOOK_MS = 300;
/** Looks in a row that find no request more. */
const QUIET_LOOKS = 10;
const OWNERS_MS_MAX = 60_000;

export interface RingOptions {
  readonly pages: string;
  readonly hosts: string;
  readonly rounds: string;
  readonly concurrency: string;
}

export interface Round {
  readonly pages: number;
  readonly wallSec: number;
  readonly cpuSec: number;
  readonly messages: number;
  readonly bytes: number;
  readonly missing: number;
  readonly twice: number;
}

export async function crawlLocal(web: TestWeb, options: RingOptions): Promise<Round> {
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

/** By so many nodes. */
export async function crawlRing(nodes: number, web: TestWeb, options: RingOptions): Promise<Round> {
  const ends: (() => unknown)[] = [];
  try {
    const flags = [...flagsOf(web, options), '--copies', COPIES];
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
  const seeds = { urls: [web.start], scope: 'any', crawl_depth: 100 };
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

function flagsOf(web: TestWeb, { concurrency }: RingOptions): string[] {
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
