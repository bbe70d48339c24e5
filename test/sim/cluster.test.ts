/** Clusters in virtual time: whatever happens to nodes and engine, nothing is lost or rude. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeb, type Web } from '../../testweb/index.ts';
import { Cluster, type Planted } from './cluster.ts';
import { history, joinSoon } from './cluster-history.ts';
import { assertClean, type Seen, verdictOf } from './cluster-verdict.ts';

const SIZE = { hosts: 24, pages: 400, skew: 0.5, bodyBytes: 1_500, slowMsMax: 1_500 } as const;

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

/** `SIM_SEEDS=7,8 npm test -- sim/cluster` for others. */
const SEEDS = (process.env.SIM_SEEDS ?? '1,3,5').split(',').map(Number);

for (const seed of SEEDS) {
  test(`cluster: seed ${seed}: nodes come, go, crash and sleep, the engine too (P5, K5)`, async (t) => {
    const cluster = await started(openWeb({ seed: 70 + seed, ...SIZE }), seed, 3);
    const told = await history(cluster, 6);
    if (cluster.alive.length === 0) await joinSoon(cluster);
    await cluster.finish();
    const seen = await verdictOf(cluster);
    t.diagnostic(`${told}: ${seen.duplicates} asked twice of ${cluster.caught} caught`);
    assertClean(seen, cluster);
  });
}

// ---- the worst moments, and whether the watchers would notice ------------------------------

const BUSY = { seed: 62, hosts: 5, pages: 500, bodyBytes: 1_000, features: 'plain' } as const;

/** Stopped for a minute right after it began to connect: its request would go out when it wakes. */
async function stoppedWhileConnecting(planted?: Planted): Promise<Seen> {
  const cluster = await started(openWeb(BUSY), 1, 2, planted);
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
  return verdictOf(cluster);
}

test('cluster: a node stops while it connects, and wakes late: nothing is sent (P5)', async () => {
  assert.deepEqual((await stoppedWhileConnecting()).complaints, []);
});

test('watchers: without the last look before a request they complain', async () => {
  const { complaints } = await stoppedWhileConnecting('no last look');
  assert.match(complaints.join(), /asked after|at once/);
});

/** Stopped for a minute when its commit was on its way, which came through only much later. */
async function stoppedWhileCommitting(planted?: Planted) {
  const cluster = await started(openWeb(BUSY), 1, 2, planted);
  const [one] = cluster.nodes;
  await new Promise<void>((stopped) => {
    cluster.onCommit = async (holder) => {
      if (holder !== one?.holder) return;
      cluster.onCommit = undefined;
      void cluster.stop(one, 60_000).then(stopped);
      await cluster.pass(30_000);
    };
  });
  await cluster.pass(15_000);
  cluster.end();
  return { seen: await verdictOf(cluster), late: one?.node.settling.own?.late ?? 0 };
}

test('cluster: a commit that arrives after its term: refused, and its results are late', async () => {
  const { seen, late } = await stoppedWhileCommitting();
  assert.deepEqual(seen.complaints, []);
  assert.ok(late > 0, 'late results are counted');
});

test('watchers: without the fence they complain', async () => {
  const { seen } = await stoppedWhileCommitting('no fence');
  assert.match(seen.complaints.join(), /not its own/);
});
