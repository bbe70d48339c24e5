/**
 * Clusters in virtual time whose nodes have hosts behind the same addresses (P4): whatever happens
 * to nodes and table, the log of the web says that no address was asked before its pause.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeb, perAddressGaps } from '../../testweb/index.ts';
import { Cluster, type Planted } from './cluster.ts';
import { history, joinSoon, TABLE_FAULTS } from './cluster-history.ts';
import { assertClean, rudeToAddresses, verdictOf } from './cluster-verdict.ts';

/** 24 hosts behind 4 addresses: each node has some behind each of them. */
const SHARED = {
  ...{ hosts: 24, pages: 240, skew: 0.5, hostsPerAddress: 6 },
  ...{ bodyBytes: 1_000, slowMsMax: 1_500 },
} as const;

async function started(webSeed: number, seed: number, planted?: Planted): Promise<Cluster> {
  const cluster = new Cluster(openWeb({ seed: webSeed, ...SHARED }), seed, planted);
  for (let n = 0; n < 3; n++) await cluster.join();
  await cluster.pass(8_000);
  return cluster;
}

/** How often the address that was asked most was asked. */
function busiest({ http }: Cluster): { requests: number; gapMs: number } {
  const [most] = perAddressGaps(http.log).sort((a, b) => b.requests - a.requests);
  const { at, host, addresses, count } = http.log.columns();
  const times: number[] = [];
  for (let row = 0; row < count; row++) {
    if (addresses[host[row] ?? 0] === most?.of) times.push(at[row] ?? 0);
  }
  const gapMs = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);
  return { requests: times.length, gapMs };
}

test('addresses: three nodes behind each, nothing happens: every pause is kept', async (t) => {
  const cluster = await started(81, 1);
  await cluster.finish();
  assert.deepEqual(rudeToAddresses(cluster), []);
  const seen = await verdictOf(cluster);
  assertClean(seen, cluster);
  assert.equal(seen.duplicates, 0);
  const { requests, gapMs } = busiest(cluster);
  t.diagnostic(`${requests} to one address, every ${gapMs.toFixed()} ms`);
  assert.ok(gapMs < 1_250, 'a pause and an answer, whoever asks: no turn is lost between nodes');
});

/** `SIM_SEEDS=7,8 npm test -- sim/address` for others. */
const SEEDS = (process.env.SIM_SEEDS ?? '2,4').split(',').map(Number);

for (const seed of SEEDS) {
  test(`addresses: seed ${seed}: nodes come, go, crash and sleep, the table forgets: every pause`, async (t) => {
    const cluster = await started(82 + seed, seed);
    const told = await history(cluster, 8, TABLE_FAULTS);
    if (cluster.alive.length === 0) await joinSoon(cluster);
    await cluster.finish();
    t.diagnostic(`${told}: ${cluster.http.log.length} requests`);
    assert.deepEqual(rudeToAddresses(cluster), []);
    assertClean(await verdictOf(cluster), cluster);
  });
}

for (const planted of ['no address turns', 'no rest'] as const) {
  test(`watchers: with ${planted} they complain`, async () => {
    const cluster = await started(81, 1, planted);
    await cluster.pass(20_000);
    cluster.end();
    assert.match(rudeToAddresses(cluster).join(), /asked after|at once/);
  });
}

test('addresses: the table is away for a minute: asked on, as seldom as one node would, then kept', async () => {
  const cluster = await started(81, 1);
  await cluster.pass(4_000);
  const [from, before] = [cluster.clock.now(), cluster.http.log.length];
  cluster.isTableAway = true;
  await cluster.pass(60_000);
  const asked = cluster.http.log.length - before;
  cluster.isTableAway = false;
  await cluster.finish();
  const { at, host, addresses, count } = cluster.http.log.columns();
  const times = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const when = at[row] ?? 0;
    const address = addresses[host[row] ?? 0] ?? '';
    if (when >= from && when < from + 60_000) times.set(address, (times.get(address) ?? 0) + 1);
  }
  assert.ok(asked > 20, `${asked} asked`);
  // One for each node as it begins, and one at most in a pause from then on.
  for (const [address, n] of times) assert.ok(n <= 60 + 3, `${address}: ${n} in a minute`);
  assertClean(await verdictOf(cluster), cluster);
});

test('addresses: a node stops as it connects, and wakes when others have asked: nothing is sent', async () => {
  const web = openWeb({ seed: 62, hosts: 5, pages: 300, hostsPerAddress: 5, features: 'plain' });
  const cluster = new Cluster(web, 1);
  for (let n = 0; n < 2; n++) await cluster.join();
  await cluster.pass(8_000);
  const [one] = cluster.nodes;
  await new Promise<void>((stopped) => {
    cluster.onConnect = (holder) => {
      if (holder !== one?.holder) return;
      cluster.onConnect = undefined;
      void cluster.stop(one, 60_000).then(stopped);
    };
  });
  await cluster.pass(15_000);
  cluster.end();
  assert.deepEqual(rudeToAddresses(cluster), []);
  assert.ok(cluster.http.log.length > 20, `${cluster.http.log.length} asked`);
});
