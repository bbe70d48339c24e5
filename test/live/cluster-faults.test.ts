/**
 * A cluster whose broker dies, whose Redis forgets and goes, whose nodes come and go: seconds of
 * what `npm run test:full -- cluster-faults cluster-rebalance` does for minutes (K5, P5, S2).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from 'redis';
import { cassandra, kafka, redis } from '../../tools/engines/index.ts';
import { cassandraSkip, clusterSkip } from '../kit/cluster.ts';
import { ClusterCrawl, CONCURRENCY } from '../kit/cluster-crawl.ts';
import { pass } from '../kit/cluster-faults.ts';
import { breakable } from '../kit/live.ts';

const PLAN = { hosts: 40, pages: 600, delayMs: 200, termMs: 4_000 };
const AWAY_MS = 5_000;
const NODES = 3;

describe('cluster faults', { skip: clusterSkip }, () => {
  it('redis forgets all, then goes and comes back: the records decide alone, nothing is asked twice', async (t) => {
    const own = await breakable(t, redis);
    const crawl = await ClusterCrawl.begin(t, PLAN, { at: { redis: own.address } });
    await crawl.after(0.2);
    const client = await createClient({ url: own.address }).connect();
    await client.flushAll();
    client.destroy();
    await crawl.after(0.4);
    await own.kill();
    const before = crawl.requests;
    await pass(AWAY_MS);
    assert.ok(crawl.requests > before, 'it goes on without');
    await own.restart();
    await crawl.finish();
    t.diagnostic(crawl.verify());
    const said = crawl.nodes.map(({ stderr }) => stderr).join('\n');
    assert.match(said, /The seen filter in Redis fails \(.*\): the store decides alone/);
    assert.match(said, /The seen filter in Redis answers again/);
    assert.match(said, /incomplete: it is rebuilt from the store/);
  });

  it('the broker is killed and starts again: mentions and arcs go on where they were', async (t) => {
    const own = await breakable(t, kafka);
    const crawl = await ClusterCrawl.begin(t, PLAN, { at: { kafka: own.address } });
    await crawl.after(0.3);
    await own.kill();
    await pass(AWAY_MS);
    await own.restart();
    await crawl.finish();
    t.diagnostic(crawl.verify(CONCURRENCY * NODES));
    const said = crawl.nodes.map(({ stderr }) => stderr).join('\n');
    assert.match(
      said,
      /"event":"engine".*The Kafka broker at [\d.:]+ does not do what it is asked/,
    );
  });

  it('nodes join and leave, one of them by force: every turn is kept', async (t) => {
    const crawl = await ClusterCrawl.begin(t, PLAN);
    for (const [nth, signal] of (['SIGTERM', 'SIGKILL', 'SIGTERM'] as const).entries()) {
      await crawl.after(0.15 + 0.2 * nth);
      const leaver = crawl.first;
      await crawl.join();
      crawl.leave(leaver);
      leaver.kill(signal);
      await leaver.ended;
    }
    await crawl.finish();
    t.diagnostic(crawl.verify(CONCURRENCY));
  });

  it('cassandra hangs for longer than a term and comes back', {
    skip: cassandraSkip,
  }, async (t) => {
    const own = await breakable(t, cassandra);
    const kind = 'cassandra';
    const crawl = await ClusterCrawl.begin(t, PLAN, { kind, at: { records: own.address } });
    await crawl.after(0.3);
    own.signal('SIGSTOP');
    await pass(2 * PLAN.termMs);
    own.signal('SIGCONT');
    await crawl.finish();
    t.diagnostic(crawl.verify(CONCURRENCY * NODES));
  });
});
