/**
 * A whole crawl in virtual time: the node as it is, every port in memory, the test web's second
 * face as the network. Nothing in it is random that its seed does not decide.
 */
import {
  localOwnership,
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../../src/adapters/memory/index.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import { seededRandom } from '../../src/base/random.ts';
import { isRefusal, resolveSettings, type SettingOptions } from '../../src/config/index.ts';
import { CrawlNode, type NodePlan, type RunEnd, seedMention } from '../../src/crawl/index.ts';
import * as plan from '../../src/crawl/plan.ts';
import type { Http } from '../../src/ports/http.ts';
import type { ParserPool } from '../../src/ports/parser-pool.ts';
import type { Resolver } from '../../src/ports/resolver.ts';
import { SEED_PRIORITY } from '../../src/quality/index.ts';
import { type RequestLog, type Web, webHttp, webResolver } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';

export interface SimOptions {
  readonly web: Web;
  readonly seed?: number;
  readonly seeds?: readonly string[];
  readonly options?: SettingOptions;
  /** A store of an earlier run; then the crawl goes on. */
  readonly store?: MemoryShardStore;
  readonly clock?: VirtualClock;
  /** In place of the parsers of a real crawl. */
  readonly pool?: ParserPool;
  /** The node, before it runs. */
  readonly onNode?: (node: CrawlNode) => void;
  readonly onPage?: NodePlan['onPage'];
  /** What the crawl takes the web's addresses for. */
  readonly outside?: (ports: { http: Http; resolver: Resolver }) => {
    http: Http;
    resolver: Resolver;
  };
}

export interface Sim {
  readonly end: RunEnd;
  readonly log: RequestLog;
  readonly clock: VirtualClock;
  readonly store: MemoryShardStore;
  readonly tookMs: number;
}

export async function simulate(options: SimOptions): Promise<Sim> {
  const { web, clock = new VirtualClock(), store = new MemoryShardStore() } = options;
  const seeds = options.seeds ?? [web.urlOf(0, 0)];
  const resolved = resolveSettings({ argv: seeds, options: options.options ?? {} });
  if (isRefusal(resolved)) throw new RangeError(resolved.mistakes[0]?.message);
  const { settings } = resolved;
  const http = webHttp(web, clock);
  const network = { http, resolver: webResolver(web) };
  const isNew = (await store.totals()).known === 0;
  const node = await CrawlNode.open(
    {
      ...{ clock, random: seededRandom(options.seed ?? 1), pool: options.pool ?? inlinePool() },
      ...(options.outside?.(network) ?? network),
      ...{ store, records: store, blobs: new MemoryBlobStore(), events: new MemoryEventLog() },
      filter: openMemoryFilter({ expectedKeys: 10_000, falsePositiveRate: 0.001, complete: isNew }),
      near: new MemoryNearIndex(),
      ownership: localOwnership(),
    },
    {
      politeness: plan.politenessFrom(settings),
      admit: plan.admitRulesFrom(settings, seeds),
      visit: plan.visitRulesFrom(settings, seeds),
      budget: plan.budgetFrom(settings, clock.now()),
      concurrency: settings.fetch.concurrency,
      patienceMs: settings.limits.patienceMs,
      recrawl: plan.recrawlFrom(settings),
      keepFresh: settings.recrawl.keepFresh,
      wasClean: true,
      ...(options.onPage && { onPage: options.onPage }),
    },
  );
  await node.plant(seeds.map((url) => seedMention(url, 'page', SEED_PRIORITY.normal)));
  options.onNode?.(node);
  const startedAt = clock.now();
  const end = await node.run();
  return { end, log: http.log, clock, store, tookMs: clock.now() - startedAt };
}
