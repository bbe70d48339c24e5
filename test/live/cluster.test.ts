/**
 * Three nodes, one crawl, on Kafka, Redis, PostgreSQL and S3 (K1–K5): everything is found once,
 * nobody is asked too soon, whoever is killed. Judged by the web's own log, not by the nodes'.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gaps, judge } from '../../testweb/index.ts';
import {
  type ClusterNode,
  cassandraSkip,
  clusterSkip,
  engineUrls,
  testCluster,
} from '../kit/cluster.ts';
import { openWebFor, pageRequests, type TestWeb, waitForRequests } from '../kit/index.ts';
import { Line } from '../kit/line.ts';
import { metricOf } from '../kit/serving.ts';

/** At full size: `npm run test:full -- cluster`. */
const SIZE = { hosts: 80, pages: 2_000 };
const SMALL = { hosts: 40, pages: 600 };
const FEATURES = ['redirects', 'robots', 'errors', 'encodings', 'sitemaps', 'copies'] as const;
const DELAY_MS = 100;
const TERM_MS = 3_000;
/** As it is unless told: on a busy machine a short one runs out, and pages are asked again. */
const USUAL_TERM_MS = 15_000;
const CONCURRENCY = 32;
const FLAGS = [
  ...['--delay', `${DELAY_MS}ms`, '--scope', 'any', '--workers', '0'],
  ...['--concurrency', `${CONCURRENCY}`, '--contact', 'mailto:test@example.com'],
  // A robots.txt that fails at first would hold its host up for minutes.
  ...['--backoff', '2s'],
];
/** Longer than a term. */
const AWAY_MS = 2 * TERM_MS;
/** A word has reached every node by then, and what was under way has ended. */
const HEARD_MS = 6_000;
/** Of all requests (K1). */
const DUPLICATES_MAX = 0.0001;

type Test = Parameters<NonNullable<Parameters<typeof it>[0]>>[0];

interface Beginning {
  readonly size?: typeof SIZE;
  readonly env?: Readonly<Record<string, string>>;
  readonly records?: 'postgres' | 'cassandra';
  readonly termMs?: number;
}

async function begun(
  t: Test,
  { size = SIZE, env = {}, records = 'postgres', termMs = TERM_MS }: Beginning = {},
) {
  const web = await openWebFor(t, { seed: 11, ...size, skew: 0.5, features: FEATURES });
  const cluster = testCluster(t, { web, flags: [...FLAGS, '--term', `${termMs}ms`], records });
  const nodes = await Promise.all([0, 1, 2].map(() => cluster.start([], env)));
  const [first] = nodes as [ClusterNode, ...ClusterNode[]];
  await first.ask('/crawl/seeds', { urls: [web.start], scope: 'any' });
  const expected = web.web.truth({ scope: 'any' }).expectedFetches;
  const after = async (share: number) => {
    const isThere = await waitForRequests(web, share * expected, () => first.isOver);
    assert.ok(isThere, first.stderr);
  };
  return { web, cluster, nodes: nodes as [ClusterNode, ClusterNode, ClusterNode], after };
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

/** Where an engine is, and a line to it that can be cut. */
async function linesTo(t: Test, env: Readonly<Record<string, string>>) {
  const lines = new Map<string, Line>();
  const urls: Record<string, string> = {};
  for (const [name, url] of Object.entries(env)) {
    const line = await Line.to(url);
    t.after(() => line.close());
    lines.set(name, line);
    urls[name] = line.url;
  }
  return { lines, urls };
}

describe('cluster', { skip: clusterSkip }, () => {
  it('three nodes: all is found once, in turn, and each of them took part', async (t) => {
    const { web, cluster, nodes } = await begun(t, { termMs: USUAL_TERM_MS });
    await cluster.quiet(nodes[0]);
    t.diagnostic(verify(web));
    const shares = await Promise.all(nodes.map((node) => node.ask('/crawl/stats')));
    for (const { run } of shares) assert.ok(run.pages > 0, JSON.stringify(shares));
    const [one, ...others] = shares.map(({ totals }) => totals.fetched);
    assert.deepEqual(others, [one, one], 'every node answers for all of them');
  });

  it('one of three is killed in the middle: nothing is lost, hurried or asked twice at once', async (t) => {
    const { web, cluster, nodes, after } = await begun(t);
    await after(0.5);
    nodes[1].kill('SIGKILL');
    await cluster.quiet(nodes[0]);
    t.diagnostic(verify(web, CONCURRENCY));
  });

  it('rolling restart: each drains, ends as told, and nothing is asked again', async (t) => {
    const { web, cluster, nodes, after } = await begun(t, { size: SMALL });
    const running: ClusterNode[] = [];
    for (const [nth, node] of nodes.entries()) {
      await after(0.2 + 0.2 * nth);
      node.kill('SIGTERM');
      const { code, stderr } = await node.ended;
      assert.equal(code, 143, stderr);
      running.push(await cluster.start());
    }
    await cluster.quiet(running[0] as ClusterNode);
    t.diagnostic(verify(web));
  });

  it('engines are away for a while, one after the other: it waits, says so, and goes on', async (t) => {
    const { lines, urls } = await linesTo(t, {
      ORB_CLUSTER_REDIS: engineUrls.redis,
      ORB_CLUSTER_S3_ENDPOINT: engineUrls.s3,
      ORB_CLUSTER_POSTGRES: engineUrls.postgres,
    });
    const { web, cluster, nodes, after } = await begun(t, { size: SMALL, env: urls });
    let share = 0.2;
    for (const line of lines.values()) {
      await after(share);
      line.cut();
      await new Promise((done) => setTimeout(done, AWAY_MS));
      line.mend();
      share += 0.2;
    }
    await cluster.quiet(nodes[0]);
    t.diagnostic(verify(web, CONCURRENCY * nodes.length));
    assert.match(nodes[0].stderr, /"event":"engine"/);
  });

  it("a job is everybody's: paused at one node, none asks for it; resumed at another, all do", async (t) => {
    const { web, cluster, nodes, after } = await begun(t, { size: SMALL });
    const [first, second, third] = nodes;
    await after(0.2);
    await first.ask('/jobs/1/pause', null);
    await new Promise((done) => setTimeout(done, HEARD_MS));
    const before = web.server.log.length;
    await new Promise((done) => setTimeout(done, HEARD_MS));
    assert.equal(web.server.log.length, before, 'nothing is asked while it is paused');
    assert.equal((await third.ask('/jobs/1')).state, 'paused');
    await second.ask('/jobs/1/resume', null);
    await cluster.quiet(third);
    t.diagnostic(verify(web));
  });

  it('one of three is stopped for longer than a term and wakes: what it still has is refused', async (t) => {
    const { web, cluster, nodes, after } = await begun(t, { size: SMALL });
    await after(0.4);
    nodes[1].kill('SIGSTOP');
    await after(0.7);
    nodes[1].kill('SIGCONT');
    await cluster.quiet(nodes[0]);
    t.diagnostic(verify(web, CONCURRENCY));
    assert.ok(!nodes[1].isOver, nodes[1].stderr);
    t.diagnostic(`late results: ${await metricOf(nodes[1], 'orb_late_results_total')}`);
  });

  it('roles: one without api tells its health alone, one without frontier asks nobody', async (t) => {
    const web = await openWebFor(t, { seed: 3, hosts: 6, pages: 40 });
    const cluster = testCluster(t, { web, flags: FLAGS });
    const [worker, desk] = await Promise.all([
      cluster.start(['--roles', 'frontier,fetch,parse,schedule']),
      cluster.start(['--roles', 'api']),
    ]);
    assert.equal((await fetch(`${worker.at}/crawl/stats`)).status, 404);
    assert.equal((await fetch(`${worker.at}/healthz`)).status, 200);
    await desk.ask('/crawl/seeds', { urls: [web.start], scope: 'any' });
    await cluster.quiet(desk);
    const { run, totals } = await desk.ask('/crawl/stats');
    assert.deepEqual([run.pages, totals.fetched > 20], [0, true]);
  });

  it('three nodes with their records in Cassandra: the same', {
    skip: cassandraSkip,
  }, async (t) => {
    const { web, cluster, nodes } = await begun(t, { records: 'cassandra', termMs: USUAL_TERM_MS });
    await cluster.quiet(nodes[0]);
    t.diagnostic(verify(web));
  });
});
