/** Clusters in virtual time: whatever happens to nodes and engine, nothing is lost or rude. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duplicates, gaps, judge, openWeb, type Web } from '../../testweb/index.ts';
import { Cluster, type Planted } from './cluster.ts';

const SIZE = { hosts: 24, pages: 400, skew: 0.5, bodyBytes: 1_500, slowMsMax: 1_500 } as const;
const SCOPE = { scope: 'any' } as const;

interface Seen {
  readonly complaints: readonly string[];
  readonly missing: readonly string[];
  readonly duplicates: number;
}

/** Everything that a watcher, the web's log or the rows complain about. */
async function verdictOf(cluster: Cluster): Promise<Seen> {
  const { web, http, store } = cluster;
  const verdict = judge(web, http.log, web.truth(SCOPE));
  const rude = gaps(http.log).flatMap(({ of, smallestMs, overlaps, atMs }) => [
    ...(smallestMs < 1_000 ? [`${of}: asked after ${smallestMs} ms, at ${atMs}`] : []),
    ...(overlaps > 0 ? [`${of}: ${overlaps} at once`] : []),
  ]);
  const trespass = verdict.trespass.map((url) => `against robots.txt: ${url}`);
  const rows = await store.scan(undefined, 1_000_000);
  const { known, waiting, retrying, fetched, failed, skipped } = await store.totals();
  const sum = waiting + retrying + fetched + failed + skipped;
  const odd = rows.length === known && sum === known ? [] : [`${rows.length} rows, ${sum} counted`];
  return {
    complaints: [...cluster.complaints, ...rude, ...trespass, ...odd],
    missing: verdict.missing,
    duplicates: duplicates(http.log).reduce((total, { times }) => total + times - 1, 0),
  };
}

function assertClean({ complaints, missing, duplicates }: Seen, cluster: Cluster): void {
  assert.deepEqual(complaints.slice(0, 5), []);
  assert.deepEqual(missing, []);
  assert.ok(duplicates <= cluster.caught, `${duplicates} asked twice, ${cluster.caught} caught`);
}

async function started(web: Web, seed: number, nodes: number, planted?: Planted): Promise<Cluster> {
  const cluster = new Cluster(web, seed, planted);
  for (let n = 0; n < nodes; n++) await cluster.join();
  await cluster.pass(8_000);
  return cluster;
}

test('cluster: three nodes, nothing happens: every page once, every turn kept (K1)', async (t) => {
  const cluster = await started(openWeb({ seed: 61, ...SIZE }), 1, 3);
  await cluster.finish();
  const seen = await verdictOf(cluster);
  assertClean(seen, cluster);
  assert.equal(seen.duplicates, 0);
  t.diagnostic(`${cluster.http.log.length} requests`);
});

/** A history of faults, all from one seed. */
async function history(cluster: Cluster, faults: number): Promise<string[]> {
  const told: string[] = [];
  const going: Promise<void>[] = [];
  for (let n = 0; n < faults; n++) {
    await cluster.pass(1_000 + 7_000 * cluster.chance());
    const { alive } = cluster;
    const one = alive[Math.floor(cluster.chance() * alive.length)];
    const kind = Math.floor(cluster.chance() * 5);
    if (one === undefined || alive.length < 2 || kind === 0) await cluster.join();
    else if (kind === 1) going.push(cluster.leave(one));
    else if (kind === 2) cluster.crash(one);
    else if (kind === 3) going.push(cluster.stop(one, 60_000));
    else going.push(cluster.outage(2_000 + 20_000 * cluster.chance()));
    told.push(['join', 'leave', 'crash', 'stop', 'outage'][alive.length < 2 ? 0 : kind] as string);
  }
  await Promise.all(going);
  return told;
}

const SEEDS = (process.env.SIM_SEEDS ?? '1,2,3,4').split(',').map(Number);

for (const seed of SEEDS) {
  test(`cluster: seed ${seed}: nodes come, go, crash and sleep, the engine too (P5, K5)`, async (t) => {
    const cluster = await started(openWeb({ seed: 70 + seed, ...SIZE }), seed, 3);
    const told = await history(cluster, 6);
    if (cluster.alive.length === 0) await cluster.join();
    await cluster.finish();
    const seen = await verdictOf(cluster);
    t.diagnostic(`${told}: ${seen.duplicates} asked twice of ${cluster.caught} caught`);
    assertClean(seen, cluster);
  });
}
