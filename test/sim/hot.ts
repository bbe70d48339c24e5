/**
 * A hot host beside small ones, crawled by three nodes of a cluster in virtual time, and its arc
 * split in halves and quarters meanwhile (K4, F8):
 *
 *   npm run sim -- hot [--hot 50000] [--small 400] [--seed N] [--json]
 *
 * The same small hosts are crawled without it first. What must hold is asserted: no small host takes
 * longer for a page, or is found much later, than without; the whole crawl has every page once, and
 * no host is asked before its turn.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { arcOf, hostKey } from '../../src/url/index.ts';
import { openWeb } from '../../testweb/index.ts';
import { Cluster } from './cluster.ts';
import { assertClean, verdictOf } from './cluster-verdict.ts';
import type { SimRow } from './run.ts';

export interface HotSize {
  readonly hot: number;
  readonly small: number;
  readonly seed: number;
}

/** Of the small hosts: the longest time for a page, and when the last of them was found and done. */
interface Paces {
  readonly slowestMs: number;
  readonly foundMs: number;
  readonly doneMs: number;
}

const PAGES_EACH = 20;
/** Of the crawl of the hot host, when its arc is split. */
const SPLIT_AFTER_MS = 60_000;
const SLOWER_MAX = 1.1;
/** In other crawls others are found first: a few of a host's turns. */
const LATER_MS_MAX = 5_000;

export async function hotBeside({ hot, small, seed }: HotSize) {
  const plain = { seed, bodyBytes: 800, features: 'plain', skew: 0 } as const;
  const web = { ...plain, hosts: small + 1, pages: PAGES_EACH * (small + 1) };
  const without = await started(openWeb(web), seed);
  await without.finish();
  const alone = pacesOf(without);
  const cluster = await started(openWeb({ ...web, hot }), seed);
  await cluster.pass(SPLIT_AFTER_MS);
  const arc = arcOf(hostKey(cluster.web.hosts[0]?.name ?? ''));
  const halves = await cluster.split(arc);
  await cluster.pass(SPLIT_AFTER_MS / 2);
  const quarters = (await Promise.all(halves.map((half) => cluster.split(half)))).flat();
  await cluster.finish();
  const seen = await verdictOf(cluster);
  assertClean(seen, cluster);
  assert.equal(seen.duplicates, 0);
  const beside = pacesOf(cluster);
  assert.ok(beside.slowestMs <= SLOWER_MAX * alone.slowestMs, `${beside.slowestMs} ms for a page`);
  assert.ok(beside.foundMs <= alone.foundMs + LATER_MS_MAX, `found after ${beside.foundMs} ms`);
  return { alone, beside, split: [...halves, ...quarters], requests: cluster.http.log.length };
}

async function started(web: ReturnType<typeof openWeb>, seed: number): Promise<Cluster> {
  const cluster = new Cluster(web, seed);
  for (let n = 0; n < 3; n++) await cluster.join();
  return cluster;
}

function pacesOf({ web, http }: Cluster): Paces {
  const asked = new Map<number, number[]>();
  const { host, at, count } = http.log.columns();
  for (let row = 0; row < count; row++) {
    const [name, when] = [host[row] as number, (at[row] as number) - (at[0] as number)];
    const times = asked.get(name);
    if (times === undefined) asked.set(name, [when]);
    else times.push(when);
  }
  const paces = { slowestMs: 0, foundMs: 0, doneMs: 0 };
  for (const { index } of web.hosts.slice(1)) {
    const times = asked.get(index) ?? [];
    const [from = 0, to = 0] = [times[0], times.at(-1)];
    if (times.length > 1) {
      paces.slowestMs = Math.max(paces.slowestMs, (to - from) / (times.length - 1));
    }
    paces.foundMs = Math.max(paces.foundMs, from);
    paces.doneMs = Math.max(paces.doneMs, to);
  }
  return paces;
}

export async function* run(args: readonly string[]): AsyncIterable<SimRow> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hot: { type: 'string', default: '50000' },
      small: { type: 'string', default: '400' },
      seed: { type: 'string', default: '1' },
    },
  });
  const size = { hot: Number(values.hot), small: Number(values.small), seed: Number(values.seed) };
  const { alone, beside, split, requests } = await hotBeside(size);
  yield { 'small hosts': 'without a hot host', ...alone };
  yield { 'small hosts': `beside one of ${size.hot}`, ...beside };
  yield { crawl: 'whole, each once, in turn', requests, parts: split.length };
}
