/** Nodes that lend, on engines in memory and in virtual time, and fetchers that only know them. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { openWeb, webHttp, webResolver } from '../../testweb/index.ts';
import { MemoryGroup } from '../adapters/memory/arc-group.ts';
import {
  MemoryAddressTable,
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
import type { Clock } from '../ports/clock.ts';
import type { Http } from '../ports/http.ts';
import type { Lender } from '../ports/lender.ts';
import { seedMention } from './admit.ts';
import { Fetcher } from './fetcher.ts';
import { resultOf } from './lend-result.ts';
import { CrawlNode, type NodeNearness } from './node.ts';
import * as plan from './plan.ts';

export const TERM_MS = 10_000;

export interface LenderPlan {
  readonly hosts?: number;
  readonly pages?: number;
  /** Requests of their own; none unless told. */
  readonly concurrency?: number;
  readonly nearness?: NodeNearness;
  /** Nodes then share a table of turns at addresses, too. */
  readonly hostsPerAddress?: number;
}

/** They ask nobody themselves, unless told. */
export function lenders(t: TestContext, how: LenderPlan = {}) {
  const clock = new VirtualClock();
  const { hosts = 12, pages = 60, concurrency = 0, nearness, hostsPerAddress } = how;
  const shape = { hosts, pages, hostsPerAddress: hostsPerAddress ?? 1 };
  const web = openWeb({ seed: 2, ...shape, features: 'plain' });
  const table = hostsPerAddress && new MemoryAddressTable(() => clock.now());
  const http = webHttp(web, clock);
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
        ...{ http, resolver: webResolver(web) },
        ...{ blobs: new MemoryBlobStore(), events: new MemoryEventLog() },
        near: new MemoryNearIndex(),
      },
      {
        ...{ politeness: plan.politenessFrom(settings), keepFresh: false, wasClean: true },
        ...{ admit: plan.admitRulesFrom(settings, seeds), concurrency },
        ...(nearness && { nearness }),
        ...{ visit: plan.visitRulesFrom(settings, seeds), recrawl: plan.recrawlFrom(settings) },
        ...{ budget: plan.budgetFrom(settings, clock.now()), patienceMs: 60_000 },
      },
      {
        ...{ group: group.connect(), tenures, holder, termMs: TERM_MS, drainMs: 1_000 },
        ...(table && { addressTurns: table.connect(holder) }),
      },
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
  const mentions = seeds.map((url) => seedMention(url, 'page', 0.8));
  return { clock, web, http, join, pass, plant: mentions };
}

/** What the API of a node is to a fetcher, without the wire. */
function lenderOf({ lending }: CrawlNode, fetcher: string, region: string): Lender {
  return {
    name: fetcher,
    lease: async (n, seconds) => {
      const ask = { fetcher, region, shard: undefined, n, seconds };
      const { leases, waitMs } = await lending.lease(ask);
      const requests = leases.map(({ id, shard, request, from, until }) => {
        const { url, address, headers, limits } = request;
        return { id, shard, url, address, headers, limits, forMs: until - from };
      });
      return { requests, waitMs };
    },
    ack: async ({ id, shard, limits }, outcome) => {
      const said = resultOf(outcome, limits.bodyBytes);
      const end = await lending.ack(shard, fetcher, id, said);
      assert.ok(typeof end === 'string', JSON.stringify(end));
      return end;
    },
  };
}

/** The hosts that it asked are noted in `asked`, in order. */
export function startFetcher(
  t: TestContext,
  node: CrawlNode,
  { clock, http }: { readonly clock: Clock; readonly http: Http },
  region: string,
) {
  const asked: string[] = [];
  const noted: Http = {
    ...http,
    exchange: (request, signal) => {
      asked.push(new URL(request.url).host);
      return http.exchange(request, signal);
    },
  };
  const fetcher = new Fetcher({ clock, http: noted }, { concurrency: 20, leaseSeconds: 30 });
  const run = fetcher.run([lenderOf(node, `of ${region}`, region)]);
  const end = async () => {
    fetcher.abort();
    await run;
  };
  t.after(end);
  return { fetcher, asked, end };
}
