/** Lending in a cluster, in virtual time: whose shard it is, and what becomes of loans when it goes. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { openWeb, webHttp, webResolver } from '../../testweb/index.ts';
import { MemoryGroup } from '../adapters/memory/arc-group.ts';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../adapters/memory/index.ts';
import { MemoryTenures } from '../adapters/memory/tenures.ts';
import { inlinePool } from '../adapters/node/inline-pool.ts';
import { seededRandom } from '../base/random.ts';
import { isRefusal, resolveSettings } from '../config/index.ts';
import { seedMention } from './admit.ts';
import type { Lent } from './lend.ts';
import type { FetcherResult } from './lend-result.ts';
import { CrawlNode } from './node.ts';
import * as plan from './plan.ts';

const TERM_MS = 10_000;
const SECONDS = 60;
const ALL = Array.from({ length: 64 }, (_, shard) => shard);

/** Nodes that ask nobody themselves, on engines in memory. */
function lenders(t: TestContext) {
  const clock = new VirtualClock();
  const web = openWeb({ seed: 2, hosts: 12, pages: 60, features: 'plain' });
  const [group, tenures] = [new MemoryGroup(), new MemoryTenures(() => clock.now())];
  const store = new MemoryShardStore();
  const filter = openMemoryFilter({
    ...{ expectedKeys: 1_000, falsePositiveRate: 0.001, complete: true },
  });
  const resolved = resolveSettings({ argv: [web.urlOf(0, 0)], options: { scope: 'any' } });
  assert.ok(!isRefusal(resolved));
  const { settings } = resolved;
  const seeds = web.hosts.map((_, nth) => web.urlOf(nth, 0));
  const join = async (holder: string) => {
    const node = await CrawlNode.join(
      {
        ...{ clock, random: seededRandom(1), pool: inlinePool(), store, records: store, filter },
        ...{ http: webHttp(web, clock), resolver: webResolver(web) },
        ...{ blobs: new MemoryBlobStore(), events: new MemoryEventLog() },
        near: new MemoryNearIndex(),
      },
      {
        ...{ politeness: plan.politenessFrom(settings), keepFresh: false, wasClean: true },
        ...{ admit: plan.admitRulesFrom(settings, seeds), concurrency: 0 },
        ...{ visit: plan.visitRulesFrom(settings, seeds), recrawl: plan.recrawlFrom(settings) },
        ...{ budget: plan.budgetFrom(settings, clock.now()), patienceMs: 60_000 },
      },
      { group: group.connect(), tenures, holder, termMs: TERM_MS, drainMs: 1_000 },
    );
    const ended = node.run();
    const end = async () => {
      node.worker.abort();
      await ended;
    };
    t.after(end);
    return { node, end };
  };
  const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);
  return { clock, join, pass, plant: seeds.map((url) => seedMention(url, 'page', 0.8)) };
}

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
