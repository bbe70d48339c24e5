/**
 * Nodes join and leave every 20 s for 3 minutes while they crawl: arcs move all the time, and no
 * host is asked before its turn or by two at once (P5). By turns in good order and by kill.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClusterCrawl, CONCURRENCY } from '../kit/cluster-crawl.ts';
import { pass } from '../kit/cluster-faults.ts';
import { ownEngines } from '../kit/cluster-own.ts';
import { choice } from './choice.ts';

const EVERY_MS = choice.isSmall ? 8_000 : 20_000;
const LASTS_MS = choice.isSmall ? 50_000 : 180_000;
const PLAN = { ...choice.size, skew: 0, delayMs: 2_000, termMs: 15_000 };
/** Every third that leaves is killed: its arcs move a term later. */
const KILLED_EACH = 3;

it('cluster-rebalance: nodes join and leave all the time, and turns are kept', async (t) => {
  const crawl = await ClusterCrawl.begin(t, PLAN, await ownEngines(t, 'postgres'));
  await crawl.after(0.02);
  const began = Date.now();
  let moves = 0;
  let killed = 0;
  for (; Date.now() - began < LASTS_MS; moves++) {
    const nextAt = Date.now() + EVERY_MS;
    const leaver = crawl.first;
    await crawl.join();
    crawl.leave(leaver);
    const isKilled = moves % KILLED_EACH === KILLED_EACH - 1;
    if (isKilled) killed++;
    leaver.kill(isKilled ? 'SIGKILL' : 'SIGTERM');
    const { code } = await leaver.ended;
    assert.equal(code, isKilled ? null : 143);
    await pass(Math.max(0, nextAt - Date.now()));
  }
  t.diagnostic(`${moves} joined and left, ${killed} of them killed: ${crawl.verifyTurns()}`);
  t.diagnostic(`at ${(100 * crawl.share).toFixed(0)}% of the crawl`);
  await crawl.finish();
  t.diagnostic(crawl.verify(CONCURRENCY * killed));
});
