/**
 * Three nodes, one crawl, on Kafka, Redis, PostgreSQL and S3 (K1–K5): everything is found once,
 * nobody is asked too soon, whoever is killed. Judged by the web's own log, not by the nodes'.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gaps, judge } from '../../testweb/index.ts';
import { type ClusterNode, clusterSkip, testCluster } from '../kit/cluster.ts';
import { openWebFor, pageRequests, scaled, type TestWeb, waitForRequests } from '../kit/index.ts';

const SIZE = scaled({ hosts: 80, pages: 2_000 }, { hosts: 400, pages: 20_000 });
const FEATURES = ['redirects', 'robots', 'errors', 'encodings', 'sitemaps', 'copies'] as const;
const DELAY_MS = 100;
const TERM_MS = 3_000;
const CONCURRENCY = 32;
const FLAGS = [
  ...['--delay', `${DELAY_MS}ms`, '--scope', 'any', '--term', `${TERM_MS}ms`, '--workers', '0'],
  ...['--concurrency', `${CONCURRENCY}`, '--contact', 'mailto:test@example.com'],
];
/** Of all requests (K1). */
const DUPLICATES_MAX = 0.0001;

type Test = Parameters<NonNullable<Parameters<typeof it>[0]>>[0];

async function begun(t: Test) {
  const web = await openWebFor(t, { seed: 11, ...SIZE, skew: 0.5, features: FEATURES });
  const cluster = testCluster(t, { web, flags: FLAGS });
  const nodes = await Promise.all([0, 1, 2].map(() => cluster.start()));
  const [first] = nodes as [ClusterNode, ...ClusterNode[]];
  await first.ask('/crawl/seeds', { urls: [web.start], scope: 'any' });
  return { web, cluster, nodes };
}

/** `mayRepeat`: requests that were on their way when a node was killed. */
function verify(web: TestWeb, mayRepeat = 0): string {
  const truth = web.web.truth({ scope: 'any' });
  const { missing, stray, trespass, duplicates } = judge(web.web, web.server.log, truth);
  assert.deepEqual({ missing, stray, trespass }, { missing: [], stray: [], trespass: [] });
  const requests = pageRequests(web).length;
  const repeated = duplicates.reduce((sum, { times }) => sum + times - 1, 0);
  const most = Math.floor(requests * DUPLICATES_MAX) + mayRepeat;
  assert.ok(repeated <= most, `${repeated} asked again: ${JSON.stringify(duplicates.slice(0, 5))}`);
  const hosts = gaps(web.server.log);
  const overlaps = hosts.reduce((sum, host) => sum + host.overlaps, 0);
  assert.equal(overlaps, 0, 'never two at one host at once');
  const [closest] = hosts;
  assert.ok(closest && closest.smallestMs >= DELAY_MS, `${closest?.of}: ${closest?.smallestMs} ms`);
  return `${requests} requests, ${repeated} again, smallest gap ${closest.smallestMs.toFixed(1)} ms`;
}

describe('cluster', { skip: clusterSkip }, () => {
  it('three nodes: all is found once, in turn, and each of them took part', async (t) => {
    const { web, cluster, nodes } = await begun(t);
    await cluster.quiet(nodes[0] as ClusterNode);
    t.diagnostic(verify(web));
    const shares = await Promise.all(nodes.map((node) => node.ask('/crawl/stats')));
    for (const { run } of shares) assert.ok(run.pages > 0, JSON.stringify(shares));
    const [one, ...others] = shares.map(({ totals }) => totals.fetched);
    assert.deepEqual(others, [one, one], 'every node answers for all of them');
  });

  it('one of three is killed in the middle: nothing is lost, hurried or asked twice at once', async (t) => {
    const { web, cluster, nodes } = await begun(t);
    const [first, second] = nodes as [ClusterNode, ClusterNode];
    const half = web.web.truth({ scope: 'any' }).expectedFetches / 2;
    assert.ok(await waitForRequests(web, half, () => first.isOver), first.stderr);
    second.kill('SIGKILL');
    await cluster.quiet(first);
    t.diagnostic(verify(web, CONCURRENCY));
  });
});
