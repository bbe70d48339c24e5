/**
 * Clusters in virtual time whose nodes have hosts behind the same addresses (P4): whatever happens
 * to nodes and table, the log of the web says that no address was asked before its pause.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeb, perAddressGaps } from '../../testweb/index.ts';
import { Cluster, type Planted } from './cluster.ts';
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

test('addresses: three nodes behind each, nothing happens: every pause is kept', async (t) => {
  const cluster = await started(81, 1);
  await cluster.finish();
  assert.deepEqual(rudeToAddresses(cluster), []);
  const seen = await verdictOf(cluster);
  assertClean(seen, cluster);
  assert.equal(seen.duplicates, 0);
  const [most] = perAddressGaps(cluster.http.log).sort((a, b) => b.requests - a.requests);
  t.diagnostic(`${cluster.http.log.length} requests, ${most?.requests} to one address`);
});

for (const planted of ['no address turns', 'no rest'] as const) {
  test(`watchers: with ${planted} they complain`, async () => {
    const cluster = await started(81, 1, planted);
    await cluster.pass(20_000);
    cluster.end();
    assert.match(rudeToAddresses(cluster).join(), /asked after|at once/);
  });
}
