/**
 * A cluster whose nodes have hosts behind the same addresses (P4): by the web's own log no address
 * is asked before its pause, whoever asks, whatever happens to nodes and to Redis.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from 'redis';
import { redis } from '../../tools/engines/index.ts';
import { clusterSkip } from '../kit/cluster.ts';
import { ClusterCrawl, CONCURRENCY } from '../kit/cluster-crawl.ts';
import { pass } from '../kit/cluster-faults.ts';
import { breakable } from '../kit/live.ts';

/** Forty hosts behind five addresses, and nodes with some behind each of them. */
const PLAN = { hosts: 40, pages: 300, hostsPerAddress: 8, delayMs: 200, termMs: 4_000 };
const AWAY_MS = 5_000;

describe('cluster, addresses', { skip: clusterSkip }, () => {
  it('three nodes, one killed, one stopped, one joins, Redis forgets: every pause is kept', async (t) => {
    const own = await breakable(t, redis);
    const crawl = await ClusterCrawl.begin(t, PLAN, { at: { redis: own.address } });
    await crawl.after(0.2);
    const [, killed, stopped] = crawl.nodes;
    assert.ok(killed && stopped);
    killed.kill('SIGKILL');
    crawl.leave(killed);
    await crawl.after(0.35);
    stopped.kill('SIGSTOP');
    await pass(2 * PLAN.termMs);
    stopped.kill('SIGCONT');
    await crawl.join();
    await crawl.after(0.55);
    const client = await createClient({ url: own.address }).connect();
    await client.flushAll();
    client.destroy();
    await crawl.finish();
    t.diagnostic(crawl.verify(2 * CONCURRENCY));
    t.diagnostic(crawl.verifyAddresses());
  });

  it('Redis is away for a while: the crawl goes on and says how', async (t) => {
    const own = await breakable(t, redis);
    const crawl = await ClusterCrawl.begin(t, PLAN, { at: { redis: own.address } });
    await crawl.after(0.3);
    crawl.verifyAddresses();
    await own.kill();
    const before = crawl.requests;
    await pass(AWAY_MS);
    assert.ok(crawl.requests > before, 'it goes on without');
    await own.restart();
    await crawl.finish();
    t.diagnostic(crawl.verify());
    for (const { stderr } of crawl.nodes) {
      const told = stderr.match(/The table of addresses in Redis [^"]*/g) ?? [];
      assert.match(told[0] ?? '', /fails \(.+\): hosts of several nodes behind one address/);
      assert.match(told.at(-1) ?? '', /answers again/);
    }
  });
});
