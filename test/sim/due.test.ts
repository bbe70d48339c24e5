/**
 * A cluster that keeps pages fresh, in virtual time, with an index of what is due beside its store
 * (K2, T3): whatever the index forgets, makes up, or however long it is away, every page is visited
 * again when it is due, and none is queued twice.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../src/base/instant.ts';
import type { Due } from '../../src/ports/shard-store.ts';
import { urlKeyOf } from '../../src/record/index.ts';
import { arcOf } from '../../src/url/index.ts';
import { openWeb } from '../../testweb/index.ts';
import { Cluster } from './cluster.ts';
import { joinSoon } from './cluster-history.ts';

const SIZE = { seed: 91, hosts: 6, pages: 60, bodyBytes: 800, features: 'plain' } as const;
/** How late a page may be taken where its node was killed: its term, and a pause of its hosts. */
const LATE_MS = MINUTE_MS;
/** The store is asked this often, whatever the index says. */
const SWEEP_MS = 10 * MINUTE_MS;
const EVER = 8.64e15;

async function started(t: TestContext, seed: number): Promise<Cluster> {
  const cluster = new Cluster(openWeb(SIZE), seed);
  t.after(() => cluster.end());
  cluster.keepsFresh = true;
  for (let n = 0; n < 3; n++) await cluster.join();
  await cluster.pass(2 * MINUTE_MS);
  return cluster;
}

/** Lets time go by; answers by how much a page was late at most, as seen every ten seconds. */
async function pass(cluster: Cluster, minutes: number): Promise<number> {
  let lateMs = 0;
  for (let n = 0; n < minutes * 6; n++) {
    await cluster.pass(10 * SECOND_MS);
    const now = cluster.clock.now();
    const [first] = await cluster.store.due(now, 1);
    lateMs = Math.max(lateMs, now - (first?.at ?? now));
  }
  return lateMs;
}

async function ended(cluster: Cluster): Promise<number> {
  const visits = cluster.http.log.length;
  await Promise.all(cluster.nodes.map((one) => cluster.leave(one)));
  assert.deepEqual(cluster.complaints.slice(0, 5), []);
  const { known, waiting, retrying, fetched, failed, skipped } = await cluster.store.totals();
  assert.equal(waiting + retrying + fetched + failed + skipped, known);
  return visits;
}

test('due index: nothing happens: pages come again, and the store is not asked what is due', async (t) => {
  const cluster = await started(t, 1);
  const [asked = 0, before] = [cluster.asked.get('due'), cluster.http.log.length];
  const lateMs = await pass(cluster, 14);
  const [more, visits] = [
    (cluster.asked.get('due') ?? 0) - asked,
    cluster.http.log.length - before,
  ];
  t.diagnostic(`${visits} visits, ${lateMs} ms late, the store was asked ${more} times`);
  assert.ok(visits >= 60, 'every page');
  assert.ok(lateMs <= 10 * SECOND_MS, `${lateMs} ms late`);
  assert.ok(more <= 6, `asked ${more} times: a sweep or two of each node are all there should be`);
  await ended(cluster);
});

type Fault = (cluster: Cluster) => Promise<unknown>;

const one = (cluster: Cluster) =>
  cluster.alive[Math.floor(cluster.chance() * cluster.alive.length)] ?? assert.fail('nobody lives');

const FAULTS: Readonly<Record<string, Fault>> = {
  flushed: async ({ dues }) => dues.flush(),
  away: async (cluster) => {
    cluster.dues.isAway = true;
    await cluster.pass(3 * MINUTE_MS * cluster.chance());
    cluster.dues.isAway = false;
  },
  killed: async (cluster) => {
    cluster.crash(one(cluster));
    await joinSoon(cluster);
  },
  stopped: (cluster) => cluster.stop(one(cluster), 60 * SECOND_MS),
  replaced: async (cluster) => {
    await cluster.leave(one(cluster));
    await joinSoon(cluster);
  },
  split: (cluster) => cluster.split(arcOf(urlKeyOf(cluster.web.urlOf(0, 0)))),
  outage: (cluster) => cluster.outage(20 * SECOND_MS * cluster.chance()),
};

/** `SIM_SEEDS=7,8 npm test -- sim/due` for others. */
const SEEDS = (process.env.SIM_SEEDS ?? '2').split(',').map(Number);

for (const seed of SEEDS) {
  test(`due index: seed ${seed}: flushed, away, its nodes killed and stopped: no page starves`, async (t) => {
    const cluster = await started(t, seed);
    const names = Object.keys(FAULTS);
    const told: string[] = [];
    const going: Promise<unknown>[] = [];
    let lateMs = 0;
    for (let n = 0; n < 7; n++) {
      const name = names[Math.floor(cluster.chance() * names.length)] as string;
      told.push(name);
      going.push((FAULTS[name] as Fault)(cluster));
      lateMs = Math.max(lateMs, await pass(cluster, 3));
    }
    await Promise.all(going);
    t.diagnostic(`${told}: ${cluster.http.log.length} requests, ${Math.round(lateMs)} ms late`);
    assert.ok(lateMs <= LATE_MS, `${lateMs} ms late`);
    await ended(cluster);
  });
}

/** Rows are gone, are there again though their URLs wait, or have another date; nobody is told. */
function lie(cluster: Cluster, known: readonly Due[]): void {
  for (const [arc, { rows }] of cluster.dues.arcs) {
    for (const { key } of known.filter((one) => arcOf(one.key) === arc)) {
      const name = key.toString('latin1');
      const at = rows.get(name)?.at;
      const kind = Math.floor(5 * cluster.chance());
      if (at === undefined && kind === 0) rows.set(name, { at: 1, key });
      if (at !== undefined && kind === 1) rows.delete(name);
      if (at !== undefined && kind === 2) rows.set(name, { at: at - 5 * MINUTE_MS, key });
      if (at !== undefined && kind === 3) rows.set(name, { at: at + 500 * MINUTE_MS, key });
    }
  }
}

test('due index: one that lies: the store is believed, and finds what is missing soon', async (t) => {
  const cluster = await started(t, 1);
  const known = await cluster.store.due(EVER, 1_000);
  assert.ok(known.length > 40);
  let lateMs = 0;
  for (let n = 0; n < 16; n++) {
    lie(cluster, known);
    lateMs = Math.max(lateMs, await pass(cluster, 1));
  }
  t.diagnostic(`${cluster.http.log.length} requests, ${Math.round(lateMs)} ms late`);
  assert.ok(lateMs > LATE_MS, 'it lied');
  assert.ok(lateMs <= SWEEP_MS + LATE_MS, `${lateMs} ms late`);
  await ended(cluster);
});
