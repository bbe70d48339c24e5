/**
 * A web of a few pages that a test holds in its hand: a page is a function of the instant. With
 * every port in memory and time that passes when everybody sleeps, weeks of recrawling take
 * a moment, and what was asked and written is exact.
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
import { systemVitals } from '../../src/adapters/node/vitals.ts';
import { seededRandom } from '../../src/base/random.ts';
import { isRefusal, resolveSettings, type SettingOptions } from '../../src/config/index.ts';
import { type CrawlMetrics, CrawlNode, type RunEnd, seedMention } from '../../src/crawl/index.ts';
import { openMetering } from '../../src/crawl/metrics-open.ts';
import * as plan from '../../src/crawl/plan.ts';
import type { Http } from '../../src/ports/http.ts';
import type { Resolver } from '../../src/ports/resolver.ts';
import { type UrlRecord, urlKeyOf } from '../../src/record/index.ts';
import { VirtualClock } from './clock.ts';

export interface LittleAnswer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly afterMs?: number;
}

export type LittlePage = (at: number) => LittleAnswer | undefined;

export interface LittleRequest {
  readonly url: string;
  readonly at: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export class LittleWeb {
  readonly pages: Map<string, LittlePage>;
  readonly clock: VirtualClock;
  readonly store = new MemoryShardStore();
  readonly blobs = new MemoryBlobStore();
  readonly requests: LittleRequest[] = [];
  node: CrawlNode | undefined;
  /** Of the crawl that runs, or ran last. */
  metrics: CrawlMetrics | undefined;
  readonly #near = new MemoryNearIndex();

  constructor(pages: Readonly<Record<string, LittlePage>>, start?: number) {
    this.pages = new Map(Object.entries(pages));
    this.clock = new VirtualClock(start);
  }

  /** Pages asked for, without robots.txt. */
  asked(url?: string): LittleRequest[] {
    const isWanted = (asked: string) =>
      url === undefined ? !asked.endsWith('/robots.txt') : asked === url;
    return this.requests.filter((request) => isWanted(request.url));
  }

  async record(url: string): Promise<UrlRecord> {
    const [record] = await this.store.urls([urlKeyOf(url)]);
    if (record === undefined) throw new Error(`${url} is not known`);
    return record;
  }

  /** A crawl over what is stored so far, until it ends. */
  async crawl(
    seeds: readonly string[],
    options: SettingOptions = {},
    meanwhile?: (node: CrawlNode) => Promise<void>,
  ): Promise<RunEnd> {
    const resolved = resolveSettings({ argv: [...seeds], options });
    if (isRefusal(resolved)) throw new RangeError(resolved.mistakes[0]?.message);
    const { settings } = resolved;
    const { clock, store, blobs } = this;
    const complete = (await store.totals()).known === 0;
    const filter = openMemoryFilter({ expectedKeys: 1_000, falsePositiveRate: 0.001, complete });
    const counted = { clock, store, filter, http: this.#http(), events: new MemoryEventLog() };
    const metering = openMetering(counted, async function* () {});
    const node = await CrawlNode.open(
      {
        ...{ clock, random: seededRandom(1), pool: inlinePool(), ...metering.ports },
        ...{ resolver: RESOLVER, records: store, blobs, filter },
        ...{ near: this.#near, ownership: localOwnership() },
      },
      {
        politeness: plan.politenessFrom(settings),
        admit: plan.admitRulesFrom(settings, seeds),
        visit: plan.visitRulesFrom(settings, seeds),
        budget: { ...plan.budgetFrom(settings, clock.now()), publicPagesMax: 0 },
        concurrency: settings.fetch.concurrency,
        patienceMs: settings.limits.patienceMs,
        recrawl: plan.recrawlFrom(settings),
        keepFresh: settings.recrawl.keepFresh,
        wasClean: true,
      },
    );
    this.node = node;
    this.metrics = metering.metricsOf(node, {
      ...{ resolver: RESOLVER, vitals: systemVitals(), targetPerSecond: 0 },
    });
    await node.plant(seeds.map((url) => seedMention(url, 'page', 0.8)));
    const ended = node.run();
    await meanwhile?.(node);
    return ended;
  }

  #http(): Http {
    return {
      exchange: async ({ url, address, headers }) => {
        const startedAt = this.clock.now();
        const answer = this.#answer(url, headers, startedAt);
        await this.clock.sleepUntil(startedAt + (answer.afterMs ?? 5));
        const { status = 200, body = '' } = answer;
        this.requests.push({ url, at: startedAt, status, headers });
        return {
          ...{ kind: 'answered', status, body: Buffer.from(status === 304 ? '' : body) },
          headers: { 'content-type': 'text/html', ...answer.headers },
          ...{ remoteAddress: address, httpVersion: '1.1' },
          timing: { startedAt, firstByteMs: 5, wholeMs: 5 },
        };
      },
      close: async () => {},
    };
  }

  #answer(url: string, asked: Readonly<Record<string, string>>, at: number): LittleAnswer {
    const answer = this.pages.get(url)?.(at) ?? { status: 404 };
    const { etag, 'last-modified': modified } = answer.headers ?? {};
    const isSame =
      asked['if-none-match'] !== undefined
        ? asked['if-none-match'] === etag
        : modified !== undefined && asked['if-modified-since'] === modified;
    return isSame ? { ...answer, status: 304 } : answer;
  }
}

const RESOLVER: Resolver = {
  resolve: async () => ({ kind: 'address', address: '192.0.2.1', family: 4 }),
  report: () => {},
  stats: () => ({ asked: 0, hits: 0 }),
};
