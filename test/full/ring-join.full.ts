/**
 * What a node brings to a ring, and what its coming costs (D3).
 *
 *   moves        a ring that has crawled is joined by one node after the other: only arcs that are
 *                the newcomer's by its place change owner; bytes and seconds by the nodes' counters
 *   throughput   four nodes beside one, limited by politeness; and by requests under way
 *
 *   npm run test:full -- ring-join [--pages N --hosts N]
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import { judgeTurns } from '../kit/judged.ts';
import { ARCS, type RingSeen } from '../kit/ring.ts';
import { RingCrawl, stateOf } from '../kit/ring-crawl.ts';
import { choice } from './choice.ts';

const { isSmall, size } = choice;
const NODES_FROM = 3;
const NODES_TO = isSmall ? 5 : 8;
const LOOK_MS = 250;
/** A ring is at rest when so many looks in a row find the same. */
const REST_LOOKS = 20;
const REST_MS_MAX = 120_000;
const KB = 1_000;
const HEAD = [
  'nodes',
  'arcs of 64',
  'kept',
  'URLs',
  'of all',
  '1/n',
  'rows in',
  'rows out',
  'seconds',
];
const COLUMN = 11;

it('ring-join: a newcomer takes its own arcs and no others', async (t) => {
  const pages = Math.min(size.pages, 8_000);
  const crawl = await RingCrawl.begin(t, { ...size, pages, nodes: NODES_FROM, delayMs: 50 });
  await crawl.seed();
  await crawl.finish();
  t.diagnostic(`${crawl.verify(0)}`);
  t.diagnostic(HEAD.map((name) => name.padStart(COLUMN)).join(''));
  const shares: number[] = [];
  while (crawl.ring.nodes.length < NODES_TO) shares.push(await joined(crawl, t.diagnostic.bind(t)));
  const usual = shares.map((_, i) => 1 / (NODES_FROM + 1 + i));
  t.diagnostic(`mean share of URLs ${percent(mean(shares))}, mean of 1/n ${percent(mean(usual))}`);
});

/** One more node; answers with its share of the URLs. */
async function joined(crawl: RingCrawl, say: (line: string) => void): Promise<number> {
  const { seen: before } = await atRest(crawl);
  const began = Date.now();
  await crawl.ring.join();
  const { seen, movedAt } = await atRest(crawl);
  const newcomer = seen.nodes.find(({ id }) => !before.nodes.some((one) => one.id === id));
  assert.ok(newcomer);
  const moved = seen.arcs.filter(({ arc, owner }) => before.arcs[arc]?.owner !== owner);
  const names = moved.map(({ arc }) => arc);
  assert.deepEqual(names, arcsOf(newcomer.place, seen), 'those that are its by its place');
  const all = stateOf(seen).known;
  assert.equal(all, stateOf(before).known, 'no URL is lost or doubled');
  const own = newcomer.totals?.known ?? 0;
  const out = rowBytesOut(seen) - rowBytesOut(before);
  const nodes = seen.nodes.length;
  const cells = [
    ...[nodes, names.length, newcomer.arcs_kept ?? 0, own, percent(own / all), percent(1 / nodes)],
    ...[kb(newcomer.counts?.row_bytes_in ?? 0), kb(out), ((movedAt - began) / 1_000).toFixed(1)],
  ];
  say(cells.map((cell) => String(cell).padStart(COLUMN)).join(''));
  return own / all;
}

/** Until every arc has the owner that it should have, all copies are level, and it stays so. */
async function atRest({ ring }: RingCrawl): Promise<{ seen: RingSeen; movedAt: number }> {
  let [same, last, movedAt] = [0, '', Date.now()];
  for (const from = Date.now(); ; await pass(LOOK_MS)) {
    ring.assertAlive();
    const seen = await ring.seen();
    const now = JSON.stringify(seen.arcs);
    const isThere =
      stateOf(seen).nodes === ring.nodes.length && seen.nodes.length === ring.nodes.length;
    if (isThere && isRight(seen) && now === last) same++;
    else [same, movedAt] = [0, Date.now()];
    last = now;
    if (same >= REST_LOOKS) return { seen, movedAt };
    assert.ok(Date.now() - from < REST_MS_MAX, `no rest: ${now}`);
  }
}

function isRight(seen: RingSeen): boolean {
  const should = seen.nodes.flatMap(({ place }) =>
    arcsOf(place, seen).map((arc) => [arc, place] as const),
  );
  const owners = new Map(should);
  return seen.arcs.every(({ arc, owner, level, seats, is_handing }) => {
    const isLevel = level !== undefined && level >= seats.length;
    return owner === owners.get(arc) && isLevel && !is_handing;
  });
}

/** The arcs that end at or before this place, and after the node before it. */
function arcsOf(place: string, { nodes }: RingSeen): number[] {
  const places = nodes.map((node) => node.place).sort();
  const ownerAt = (end: string) => places.find((one) => one >= end) ?? places[0];
  return Array.from({ length: ARCS }, (_, arc) => arc).filter((arc) => {
    const end = ((BigInt(arc + 1) << 58n) - 1n).toString(16).padStart(16, '0');
    return ownerAt(end) === place;
  });
}

const RATED_NODES = 4;
const DELAY_MS = 1_000;
const WARM_A_HOST = 10;
const WINDOW_MS = isSmall ? 10_000 : 30_000;
const WARM_MS_MAX = 180_000;

interface Rated {
  readonly hosts: number;
  readonly pages: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

/** Forty hosts a node, asked once a second each: more than that politeness does not allow. */
const HOSTS_A_NODE = 40;
const PAGES_A_HOST = 400;
const politelyOn = (nodes: number): Rated => {
  const hosts = HOSTS_A_NODE * nodes;
  return { hosts, pages: hosts * PAGES_A_HOST, concurrency: 64, latencyMs: 20 };
};

it('ring-join: limited by politeness, four nodes crawl three times as fast as one', async (t) => {
  const rates: number[] = [];
  for (const nodes of [1, RATED_NODES]) {
    const rated = politelyOn(nodes);
    const most = (rated.hosts * 1_000) / DELAY_MS;
    const { rate, each, turns } = await rateOf(t, nodes, rated);
    t.diagnostic(
      `${nodes} on ${rated.hosts} hosts: ${rate.toFixed(1)} requests/s, ` +
        `${percent(rate / most)} of the ${most}/s that politeness allows; ${turns}`,
    );
    t.diagnostic(`pages settled by each: ${each}`);
    rates.push(rate);
  }
  const [one, four] = rates as [number, number];
  t.diagnostic(`${(four / one).toFixed(2)} ×`);
  assert.ok(one >= 0.8 * HOSTS_A_NODE, 'politeness is what limits it');
  assert.ok(four >= 3 * one);
});

/** Hosts enough for every node to be busy; servers far away, and few requests under way. */
const FAR = { hosts: 800, pages: 40_000, concurrency: 16, latencyMs: 1_000 };

it('ring-join: on one web of slow servers, four nodes crawl three times as fast as one', async (t) => {
  const { rate: one } = await rateOf(t, 1, FAR);
  const { rate: four, each } = await rateOf(t, RATED_NODES, FAR);
  const most = (FAR.concurrency * 1_000) / FAR.latencyMs;
  t.diagnostic(`${one.toFixed(1)} and ${four.toFixed(1)} requests/s: ${(four / one).toFixed(2)} ×`);
  t.diagnostic(`pages settled by each: ${each}`);
  t.diagnostic(`what is limited: requests under way, ${most}/s a node at most`);
  assert.ok(four >= 3 * one);
});

/** Requests a second of a crawl, from when there is enough to do. */
async function rateOf(
  t: Parameters<typeof RingCrawl.begin>[0],
  nodes: number,
  rated: Rated,
): Promise<{ rate: number; each: string; turns: string }> {
  const ends: (() => unknown)[] = [];
  t.after(() => Promise.all(ends.map((end) => end())));
  const crawl = await RingCrawl.begin(
    { after: (end) => ends.unshift(end) },
    { ...rated, nodes, delayMs: DELAY_MS },
  );
  await crawl.seed();
  for (const from = Date.now(); !(await isBusy(crawl)); await pass(LOOK_MS)) {
    crawl.ring.assertAlive();
    assert.ok(Date.now() - from < WARM_MS_MAX, JSON.stringify(await crawl.ring.seen()));
  }
  const before = await crawl.ring.seen();
  const [began, from] = [Date.now(), crawl.requests];
  await pass(WINDOW_MS);
  const seconds = (Date.now() - began) / 1_000;
  const rate = (crawl.requests - from) / seconds;
  const each = eachOf(before, await crawl.ring.seen(), seconds);
  const turns = judgeTurns(crawl.web, DELAY_MS);
  for (const end of ends.splice(0)) await end();
  return { rate, each, turns };
}

function eachOf(before: RingSeen, after: RingSeen, seconds: number): string {
  const rates = after.nodes.map(({ id, arcs_owned, totals }) => {
    const was = before.nodes.find((one) => one.id === id)?.totals?.fetched ?? 0;
    return `${(((totals?.fetched ?? 0) - was) / seconds).toFixed(1)}/s with ${arcs_owned} arcs`;
  });
  return rates.join(', ');
}

/** All nodes are there, and hosts have enough that waits. A node may have nothing by its place. */
async function isBusy({ ring, plan }: RingCrawl): Promise<boolean> {
  const { nodes, waiting } = stateOf(await ring.seen());
  return nodes === plan.nodes && waiting >= WARM_A_HOST * plan.hosts;
}

function rowBytesOut({ nodes }: RingSeen): number {
  return nodes.reduce((sum, { counts }) => sum + (counts?.row_bytes_out ?? 0), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const kb = (bytes: number): string => `${(bytes / KB).toFixed(0)} kB`;
