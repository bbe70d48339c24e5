/**
 * Nodes join and leave every 20 s for 3 minutes while they crawl: arcs move all the time, and no
 * host is asked before its turn or by two at once (P5). By turns in good order and by kill.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ClusterNode } from '../kit/cluster.ts';
import { ClusterCrawl, CONCURRENCY } from '../kit/cluster-crawl.ts';
import { pass } from '../kit/cluster-faults.ts';
import { ownEngines } from '../kit/cluster-own.ts';
import { tail } from '../kit/serving.ts';
import { choice } from './choice.ts';

const EVERY_MS = choice.isSmall ? 8_000 : 20_000;
const LASTS_MS = choice.isSmall ? 50_000 : 180_000;
const PLAN = { ...choice.size, skew: 0, delayMs: 2_000, termMs: 15_000 };
/** Every third that leaves is killed: its arcs move a term later. */
const KILLED_EACH = 3;
/** So many stay, however long those that join take. */
const NODES_MIN = 1;

async function leave(crawl: ClusterCrawl, node: ClusterNode, isKilled: boolean): Promise<void> {
  crawl.leave(node);
  node.kill(isKilled ? 'SIGKILL' : 'SIGTERM');
  const { code, stderr } = await node.ended;
  assert.equal(code, isKilled ? null : 143, tail(stderr));
}

it('cluster-rebalance: nodes join and leave all the time, and turns are kept', async (t) => {
  const crawl = await ClusterCrawl.begin(t, PLAN, await ownEngines(t, 'postgres'));
  await crawl.after(0.02);
  const began = Date.now();
  const going: Promise<unknown>[] = [];
  let [joined, left, killed] = [0, 0, 0];
  while (Date.now() - began < LASTS_MS) {
    joined++;
    going.push(crawl.join());
    const leaver = crawl.nodes.length > NODES_MIN ? crawl.first : undefined;
    if (leaver !== undefined) {
      const isKilled = ++left % KILLED_EACH === 0;
      if (isKilled) killed++;
      going.push(leave(crawl, leaver, isKilled));
    }
    await pass(EVERY_MS);
  }
  await Promise.all(going);
  t.diagnostic(`${joined} joined, ${left} left, ${killed} of them killed: ${crawl.verifyTurns()}`);
  t.diagnostic(`at ${(100 * crawl.share).toFixed(0)}% of the crawl`);
  await crawl.finish();
  t.diagnostic(crawl.verify(CONCURRENCY * killed));
});
