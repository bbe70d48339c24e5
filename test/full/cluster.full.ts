/**
 * Three nodes, 20,000 pages on 400 hosts, engines of their own: records in PostgreSQL, and again
 * in Cassandra. Nothing happens to them: what they ask is judged by the web's own log (K1).
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClusterCrawl } from '../kit/cluster-crawl.ts';
import { ownEngines, type RecordsKind } from '../kit/cluster-own.ts';
import { metricOf } from '../kit/serving.ts';
import { choice } from './choice.ts';

const { size } = choice;
const PLAN = { ...size, delayMs: 300, termMs: 15_000 };

for (const kind of ['postgres', 'cassandra'] satisfies RecordsKind[]) {
  const name = kind === 'postgres' ? 'cluster' : 'cluster-cassandra';
  const skip = choice.names.includes(name) ? false : `not asked for: ${name}`;
  it(`${name}: three nodes find all, once and in turn`, { skip }, async (t) => {
    const began = Date.now();
    const crawl = await ClusterCrawl.begin(t, PLAN, await ownEngines(t, kind));
    await crawl.finish();
    const seconds = (Date.now() - began) / 1_000;
    const late = await crawl.metric('orb_late_results_total');
    t.diagnostic(`${seconds.toFixed(0)} s, ${late} results were late`);
    t.diagnostic(crawl.verify());
    for (const node of crawl.nodes) assert.ok((await metricOf(node, 'orb_pages_total')) > 0);
  });
}
