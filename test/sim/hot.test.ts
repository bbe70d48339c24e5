/** Hot hosts and hot arcs in virtual time: others do not notice the one, the other is split (F8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcOf, hostKey, overlap } from '../../src/url/index.ts';
import { openWeb, type Web } from '../../testweb/index.ts';
import { Cluster } from './cluster.ts';
import { assertClean, verdictOf } from './cluster-verdict.ts';
import { hotBeside } from './hot.ts';

// ---- a hot host ------------------------------------------------------------------------------

test('hot host: 700 pages beside 24 small hosts: these are as fast as alone, its arc is split (K4, F8)', async (t) => {
  const { beside, alone, split } = await hotBeside({ hot: 700, small: 24, seed: 5 });
  t.diagnostic(`a page in ${beside.slowestMs} ms, ${alone.slowestMs} ms without a hot host`);
  t.diagnostic(`its arc split into ${split.join(', ')}`);
});

// ---- a hot arc -------------------------------------------------------------------------------

const WEB = { hosts: 24, pages: 300, skew: 0.5, bodyBytes: 1_000, features: 'plain' } as const;

/** Arcs in the order of how much of the web is theirs. */
function hottest(web: Web): number[] {
  const pages = new Map<number, number>();
  for (const { name, size } of web.hosts) {
    const arc = arcOf(hostKey(name));
    pages.set(arc, (pages.get(arc) ?? 0) + size);
  }
  return [...pages].sort((a, b) => b[1] - a[1]).map(([arc]) => arc);
}

async function started(seed: number, nodes = 3): Promise<{ cluster: Cluster; arcs: number[] }> {
  const web = openWeb({ seed, ...WEB });
  const cluster = new Cluster(web, seed);
  for (let n = 0; n < nodes; n++) await cluster.join();
  await cluster.pass(8_000);
  return { cluster, arcs: hottest(web) };
}

test('split: every hot arc in halves and quarters while it is crawled: nothing is lost or doubled (F8)', async (t) => {
  const { cluster, arcs } = await started(81);
  const before = cluster.nodes.map(({ node }) => node.arcs?.arcs.length ?? 0);
  for (const arc of arcs) {
    const halves = await cluster.split(arc);
    await cluster.pass(500 * cluster.chance());
    for (const half of halves) await cluster.split(half);
  }
  await cluster.pass(20_000);
  const held = cluster.nodes.map(({ node }) => node.arcs?.arcs ?? []);
  assert.equal(held.flat().length, 64 + 3 * arcs.length);
  assert.equal(new Set(held.flat()).size, held.flat().length, 'each with one node');
  const isSpread = (arc: number) => held.filter((own) => own.some((a) => overlap(a, arc))).length;
  assert.ok(
    arcs.every((arc) => isSpread(arc) > 1),
    'parts of each are with several nodes',
  );
  await cluster.finish();
  const seen = await verdictOf(cluster);
  assertClean(seen, cluster);
  assert.equal(seen.duplicates, 0);
  t.diagnostic(
    `${arcs.length} arcs split; held ${before} before, ${held.map((h) => h.length)} after`,
  );
});

for (const seed of [2, 4]) {
  test(`split: seed ${seed}: nodes crash, stop and leave around it, the engine too (F8, K5)`, async (t) => {
    const { cluster, arcs } = await started(90 + seed);
    const going: Promise<void>[] = [];
    for (const [nth, arc] of arcs.slice(0, 8).entries()) {
      await cluster.pass(3_000 * cluster.chance());
      const [half] = await cluster.split(arc);
      await cluster.pass(2_000 * cluster.chance());
      if (half !== undefined && nth % 2 === 0) await cluster.split(half);
      const one = cluster.alive[Math.floor(cluster.chance() * cluster.alive.length)];
      if (one === undefined) continue;
      if (nth === 1) cluster.crash(one);
      if (nth === 3) going.push(cluster.stop(one, 60_000));
      if (nth === 4) going.push(cluster.outage(8_000));
      if (nth === 2 || nth === 5) {
        while (cluster.isDown) await cluster.pass(1_000);
        await cluster.join();
      }
      if (nth === 6 && cluster.alive.length > 1) going.push(cluster.leave(one));
    }
    await Promise.all(going);
    await cluster.finish();
    const seen = await verdictOf(cluster);
    t.diagnostic(`${seen.duplicates} asked twice of ${cluster.caught} caught`);
    assertClean(seen, cluster);
  });
}
