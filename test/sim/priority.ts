/**
 * What the order of a crawl is worth: the share of all importance that its first fetches hold.
 *
 *   npm run sim -- priority [--hosts N] [--pages N] [--seed N] [--curve]
 *
 * The web is the test web's ranked quarter: its importance is PageRank over the links in texts,
 * which no crawler sees before it has been everywhere. The crawl is the whole path in virtual
 * time, with fewer requests open than hosts have turns, so that there is something to choose.
 *
 *   breadth-first   the same crawl, told that all links are alike and no host is rated
 *   ours            link scoring, and hosts rated as the crawl doubles
 *   best found      at each step the most important URL that is known by then: nobody can do better
 *   ideal           by importance, as if all were known from the start
 */
import { MemoryRunFiles } from '../../src/adapters/memory/run-files.ts';
import { MemoryShardStore } from '../../src/adapters/memory/shard-store.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import type { CrawlNode } from '../../src/crawl/index.ts';
import { Ranking } from '../../src/crawl/rank.ts';
import { crawlingDesk } from '../../src/crawl/rank-desk.ts';
import type { Http } from '../../src/ports/http.ts';
import type { ParserPool } from '../../src/ports/parser-pool.ts';
import { openWeb, type Web } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';
import { type SimOptions, simulate } from './local-crawl.ts';

export interface PrioritySize {
  readonly hosts: number;
  readonly pages: number;
  readonly seed: number;
}

/** URLs in the order of their fetches, and what the web says of each. */
export interface Orders {
  readonly importance: ReadonlyMap<string, number>;
  readonly byName: Readonly<Record<string, readonly string[]>>;
  /** The longest that a URL waited in ours, and the crawl itself, in virtual hours. */
  readonly jobs: number;
}

const SCOPE = { scope: 'any', allowPrivate: true } as const;
/** Four requests a second, while every host could be asked once a second. */
const CONCURRENCY = 4;
const REQUEST_MS = 1_000;
/** Hosts are rated first when so much of the web was fetched, then whenever that has doubled. */
const FIRST_JOB_SHARE = 1 / 80;

export async function ordersOf(size: PrioritySize): Promise<Orders> {
  const web = webOf(size);
  const importance = new Map(
    web.urlsIn('ranked').map((url) => [url, web.labelOf(url)?.importance ?? 0]),
  );
  const plain = await crawl(web, importance, flatPool(), undefined);
  const firstJobAt = Math.ceil(importance.size * FIRST_JOB_SHARE);
  const ours = await crawl(web, importance, inlinePool(), firstJobAt);
  const ideal = [...importance.keys()].sort(
    (a, b) => (importance.get(b) ?? 0) - (importance.get(a) ?? 0),
  );
  const found = await bestFound(ours.store, importance, seedOf(web));
  const byName = { 'breadth-first': plain.urls, ours: ours.urls, 'best found': found, ideal };
  return { importance, byName, jobs: ours.jobs };
}

function webOf({ hosts, pages, seed }: PrioritySize): Web {
  const quarters = { ranked: { hosts, pages: Math.floor(pages / hosts) - 1 } };
  return openWeb({ seed, hosts: 1, pages: 4, features: 'plain', quarters });
}

function seedOf(web: Web): string {
  return web.urlsIn('ranked')[0] as string;
}

/** To it all links are alike: what is left is depth, and who came first. */
function flatPool(): ParserPool {
  const pool = inlinePool();
  return {
    ...pool,
    digest: async (page) => {
      const digest = await pool.digest(page);
      return { ...digest, contexts: digest.contexts.map((context) => (context > 0 ? 255 : 0)) };
    },
  };
}

async function crawl(
  web: Web,
  importance: ReadonlyMap<string, number>,
  pool: ParserPool,
  firstJobAt: number | undefined,
) {
  const clock = new VirtualClock();
  const store = new MemoryShardStore();
  const urls: string[] = [];
  let ranking: Ranking | undefined;
  let jobs = 0;
  let nextJobAt = firstJobAt ?? Number.POSITIVE_INFINITY;
  const onNode = (node: CrawlNode) => {
    const desk = crawlingDesk(node.frontier, node.settling, node.recent, clock);
    const ports = { store, records: store, files: new MemoryRunFiles(), clock };
    const rules = () => ({ denies: false, trusted: new Set<string>() });
    ranking = new Ranking(ports, desk, { rules, everyMs: 0, share: 1 });
  };
  const onPage = ({ record }: { record: { url: string } }) => {
    if (importance.has(record.url)) urls.push(record.url);
    if (urls.length >= nextJobAt) {
      nextJobAt *= 2;
      jobs++;
      void ranking?.run({}, urls.length);
    }
    return undefined;
  };
  const options = { ...SCOPE, concurrency: CONCURRENCY };
  const outside: SimOptions['outside'] = ({ http, resolver }) => ({
    http: slowed(http, clock),
    resolver,
  });
  await simulate({
    web,
    clock,
    store,
    pool,
    seeds: [seedOf(web)],
    options,
    onNode,
    onPage,
    outside,
  });
  return { urls, store, jobs };
}

function slowed(http: Http, clock: VirtualClock): Http {
  return {
    close: () => http.close(),
    exchange: async (request, signal) => {
      await clock.sleepUntil(clock.now() + REQUEST_MS, signal);
      return http.exchange(request, signal);
    },
  };
}

/** Always the most important URL that a page fetched before has named. */
async function bestFound(
  store: MemoryShardStore,
  importance: ReadonlyMap<string, number>,
  seed: string,
): Promise<string[]> {
  const links = new Map<string, string[]>();
  for (const { record, links: edges } of await store.visited(undefined, 1_000_000)) {
    links.set(record.url, [...new Set(edges.map((edge) => edge.target))]);
  }
  const seen = new Set([seed]);
  const waiting = [seed];
  const order: string[] = [];
  const worth = (url: string) => importance.get(url) ?? -1;
  while (waiting.length > 0) {
    const url = waiting.pop() as string;
    if (importance.has(url)) order.push(url);
    for (const target of links.get(url) ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      let low = 0;
      let high = waiting.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (worth(waiting[middle] as string) < worth(target)) low = middle + 1;
        else high = middle;
      }
      waiting.splice(low, 0, target);
    }
  }
  return order;
}

/** How much of all importance the first `share` of the fetches holds. */
export function heldBy(orders: Orders, name: string, share: number): number {
  const count = Math.floor(orders.importance.size * share);
  let held = 0;
  for (const url of (orders.byName[name] ?? []).slice(0, count)) {
    held += orders.importance.get(url) ?? 0;
  }
  return held;
}

const SHARES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1];

export async function* run(args: readonly string[]) {
  const given = (name: string, usual: number) => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? usual : Number(args[at + 1]);
  };
  const size = {
    hosts: given('hosts', 100),
    pages: given('pages', 20_000),
    seed: given('seed', 1),
  };
  const orders = await ordersOf(size);
  for (const share of SHARES) {
    const held = Object.keys(orders.byName).map((name) => [name, heldBy(orders, name, share)]);
    const plain = heldBy(orders, 'breadth-first', share);
    const gain = heldBy(orders, 'ours', share) / plain;
    yield {
      'share of the fetches': `${Math.round(share * 100)}%`,
      ...Object.fromEntries(held),
      'ours / breadth-first': gain,
    };
  }
}
