/** Lending in a cluster, in virtual time: whose shard it is, and what becomes of loans when it goes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lenders, TERM_MS } from './lend.testkit.ts';
import type { Lent } from './lend.ts';
import type { FetcherResult } from './lend-result.ts';
import type { CrawlNode } from './node.ts';

const SECONDS = 60;
const ALL = Array.from({ length: 64 }, (_, shard) => shard);

function lease({ lending }: CrawlNode, shard?: number): Promise<readonly Lent[]> {
  const ask = { fetcher: 'one', shard, n: 100, seconds: SECONDS };
  return lending.lease(ask).then(({ leases }) => leases);
}

const GONE: FetcherResult = { kind: 'failed', reason: 'closed', detail: '', wholeMs: 5 };
const ack = ({ lending }: CrawlNode, { id, shard }: Lent) => lending.ack(shard, 'one', id, GONE);

it('lend: a node lends of its own shards alone, each host once, and never beyond its term', async (t) => {
  const { clock, join, pass, plant } = lenders(t);
  const one = await join('one');
  await pass(1_000);
  await one.node.plant(plant);
  await pass(100);
  const { shard: some } = (await lease(one.node))[0] as Lent;
  const two = await join('two');
  await pass(40_000);
  const shared = ALL.map((shard) => [one, two].filter(({ node }) => node.lending.owns(shard)));
  assert.ok(
    shared.every((owners) => owners.length === 1),
    'every shard has one owner',
  );
  const owner = shared[some]?.[0] as typeof one;
  const leases: Lent[] = [];
  for (let looks = 0; looks < 20 && leases.length < 3; looks++) {
    // The first look sends its hosts to the store.
    leases.push(...(await lease(owner.node, some)), ...(await lease(owner.node)));
    await pass(100);
  }
  assert.ok(leases.length > 1, `${leases.length} leases`);
  const hosts = leases.map(({ request }) => new URL(request.url).host);
  assert.equal(new Set(hosts).size, hosts.length);
  assert.ok(leases.every(({ shard }) => owner.node.lending.owns(shard)));
  for (const { until } of leases) assert.ok(until <= clock.now() + TERM_MS, 'within the term');
});

it('lend: a shard that leaves takes its loans along: late answers are lost, the next owner waits', async (t) => {
  const { clock, join, pass, plant } = lenders(t);
  const one = await join('one');
  await pass(1_000);
  await one.node.plant(plant);
  await pass(100);
  const leases = await lease(one.node);
  assert.ok(leases.length > 2, `${leases.length} leases`);
  const kept = leases[0] as Lent;
  assert.equal(await ack(one.node, kept), 'settled');
  assert.equal(await ack(one.node, kept), 'lost');
  const rest = leases.slice(1);
  await one.end();
  for (const lent of rest) assert.equal(await ack(one.node, lent), 'lost');
  const two = await join('two');
  const lastUntil = Math.max(...rest.map(({ until }) => until));
  const urls = new Set(rest.map(({ request }) => request.url));
  for (const again = new Set<string>(); again.size < urls.size; await pass(200)) {
    for (const { request } of await lease(two.node)) {
      if (!urls.has(request.url)) continue;
      const { until } = rest.find((lent) => lent.request.url === request.url) as Lent;
      assert.ok(clock.now() >= until, `${request.url} is lent while a fetcher may still ask it`);
      again.add(request.url);
    }
    assert.ok(clock.now() < lastUntil + 120_000, 'all come back');
  }
});

const CUT_SHORT: FetcherResult = {
  ...{ kind: 'failed', reason: 'whole-timeout', detail: 'slower than its lease', wholeMs: 5_000 },
};

it('lend: a request that its loan was too short for goes back, and its owner asks that host itself', async (t) => {
  const { join, pass, plant, http } = lenders(t, { concurrency: 1 });
  const { node } = await join('one');
  await pass(1_000);
  await node.plant(plant);
  await pass(20);
  const [lent] = (await lease(node)) as [Lent];
  const { host } = new URL(lent.request.url);
  assert.equal(await node.lending.ack(lent.shard, 'one', lent.id, CUT_SHORT), 'lost');
  for (let s = 0; s < 40; s++) {
    await pass(1_000);
    const leases = await lease(node);
    assert.ok(!leases.some(({ request }) => new URL(request.url).host === host), 'for a minute');
    for (const { id, shard } of leases) {
      await node.lending.ack(shard, 'one', id, { kind: 'returned' });
    }
  }
  const { retrying, failed } = node.settling.totals;
  assert.deepEqual([retrying, failed], [0, 0], 'no page failed');
  const asked = [...http.log.requests()].filter((row) => row.url.includes(`//${host}/`));
  assert.ok(asked.length > 3, `${asked.length} requests by its owner`);
});

it('lend: where the owner asks nobody itself, it is a failure as any: else it would be lent for ever', async (t) => {
  const { join, pass, plant } = lenders(t);
  const { node } = await join('one');
  await pass(1_000);
  await node.plant(plant);
  await pass(100);
  for (const { id, shard } of await lease(node)) {
    assert.equal(await node.lending.ack(shard, 'one', id, CUT_SHORT), 'settled');
  }
});
