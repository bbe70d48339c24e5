/**
 * What a crawl stands on besides its folder's engines: the network, the clock, the filter, the
 * threads that read pages; counted, so that there are metrics of them.
 */
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { openChromium } from './adapters/chromium/index.ts';
import { pathsOf } from './adapters/folder/crawl-folder.ts';
import { loadFilter } from './adapters/folder/filter-snapshot.ts';
import { type MemorySeenFilter, openMemoryFilter } from './adapters/memory/seen-filter.ts';
import { documentPool } from './adapters/node/document-pool.ts';
import { openHttp, openResolver, systemClock, systemRandom } from './adapters/node/index.ts';
import { inlinePool } from './adapters/node/inline-pool.ts';
import { findPlugin, importPlugins } from './adapters/node/plugin-files.ts';
import { slicedPool } from './adapters/node/sliced-pool.ts';
import { workerPool } from './adapters/node/worker-pool.ts';
import type { Engines } from './compose-engines.ts';
import { readsElsewhere, rendersElsewhere, type Settings } from './config/index.ts';
import { type Metering, openMetering } from './crawl/metrics-open.ts';
import * as plan from './crawl/plan.ts';
import { Readings } from './crawl/readings.ts';
import { Renderings } from './crawl/renderings.ts';
import type { CrawlRequest } from './crawl/session.ts';
import type { Clock } from './ports/clock.ts';
import type { Http } from './ports/http.ts';
import type { ParserPool } from './ports/parser-pool.ts';
import type { Records } from './ports/records.ts';
import type { Renderer } from './ports/renderer.ts';
import type { Resolver } from './ports/resolver.ts';
import type { SeenFilter } from './ports/seen-filter.ts';
import type { UrlKey } from './record/index.ts';
import type { SignRequest } from './sign/index.ts';

const KEYS_PER_READ = 10_000;

/** Who reads pages. */
export interface Reading {
  readonly pool: ParserPool;
  /** What somebody asks for now: never left to others. */
  readonly reader: ParserPool;
  /** Set where the pool is that of parsers elsewhere (K3). */
  readonly readings?: Readings;
}

export interface Footing<Filter extends SeenFilter = SeenFilter> extends Reading {
  readonly clock: Clock;
  readonly http: Http;
  readonly resolver: Resolver;
  readonly filter: Filter;
  /** Media types that the user's plugins read. */
  readonly pluginTypes: readonly string[];
  readonly metering: Metering;
  /** Starts nothing before a page needs it. */
  readonly renderer: Renderer;
  readonly renderings: Renderings | undefined;
}

export async function openFooting<Filter extends SeenFilter>(
  settings: Settings,
  { store, events }: Pick<Engines, 'store' | 'events'>,
  filter: Filter,
  sign: SignRequest | undefined,
  onNews?: CrawlRequest['onNews'],
): Promise<Footing<Filter>> {
  const plugins = await openPlugins(settings);
  const { pluginTypes } = plugins;
  const clock = systemClock();
  const addresses = plan.addressRulesFrom(settings);
  const { dns: servers, proxy, insecure, http2 } = settings.network;
  const http = openHttp({
    ...{ clock, addresses, acceptBadTls: insecure, allowH2: http2, sign },
    ...(proxy !== undefined && { proxy }),
  });
  const resolver = openResolver({ clock, addresses, servers });
  const counted = { clock, http, store, events, filter };
  const metering = openMetering(counted, () => store.waitingPlaces());
  const reading = openReading(settings, plugins, onNews);
  const renderings = openRenderings(settings);
  const renderer = renderings ?? openBrowser(settings, clock);
  const rendering = { renderer, renderings };
  return { clock, http, resolver, filter, ...reading, pluginTypes, metering, ...rendering };
}

/** After a crash the filter's file is old: everything is looked up until it is rebuilt (S5). */
export async function openFilter(
  settings: Settings,
  dir: string,
  records: Records,
  mustRebuild: boolean,
): Promise<MemorySeenFilter> {
  const { expectedUrls: expectedKeys, falsePositive: falsePositiveRate } = settings.store;
  const path = pathsOf(dir).filter;
  const generations = mustRebuild ? undefined : await loadFilter(path, falsePositiveRate);
  await rm(path, { force: true });
  const { known } = await records.totals();
  const complete = known === 0 || generations !== undefined;
  const filter = openMemoryFilter({ expectedKeys, falsePositiveRate, complete, generations });
  return filter;
}

export async function* allKeys(records: Records): AsyncIterable<Buffer> {
  for (let after: UrlKey | undefined; ; ) {
    const keys = await records.keys(after, KEYS_PER_READ);
    if (keys.length === 0) return;
    yield keys;
    after = keys.subarray(keys.length - 24);
  }
}

/** This process, or parsers elsewhere where it owns hosts and has no such role (K3). */
export function openReading(
  settings: Settings,
  { modules, pluginTypes }: Awaited<ReturnType<typeof openPlugins>>,
  onNews: CrawlRequest['onNews'],
): Reading {
  if (!readsElsewhere(settings)) {
    const pool = openPool(settings, modules);
    return { pool, reader: pool };
  }
  const { maxDecodedBytes: decodedBytesMax } = settings.fetch;
  const readings = new Readings(
    { clock: systemClock(), random: systemRandom() },
    {
      ...{ pluginTypes, decodedBytesMax },
      onNews: (isBad, text) => onNews?.({ event: 'parsers', isBad, text }),
    },
  );
  return { pool: readings, reader: openReader(settings), readings };
}

/** Beside the main one. */
export function readingThreads({ cpu: { workers } }: Settings): number {
  return workers === 'auto' ? availableParallelism() - 1 : workers;
}

export function openPool(settings: Settings, plugins: readonly string[]): ParserPool {
  const threads = readingThreads(settings);
  const { documentTimeoutMs: timeoutMs, documentMemoryBytes: memoryBytes } = settings.content;
  const limits = { plugins, timeoutMs, memoryBytes, threads: Math.max(1, threads >> 1) };
  return documentPool(threads <= 0 ? slicedPool() : workerPool(threads), limits);
}

/** For what is stored: documents on a thread of their own, everything else at once. */
export function openReader({ content }: Settings): ParserPool {
  const { documentTimeoutMs: timeoutMs, documentMemoryBytes: memoryBytes } = content;
  const plugins = content.plugins.map((name) => findPlugin(name, process.cwd()));
  return documentPool(inlinePool(), { plugins, timeoutMs, memoryBytes, threads: 1 });
}

/** Loaded here as well as where documents are read: one that is broken is said before anything is asked. */
export async function openPlugins({ content }: Settings) {
  const modules = content.plugins.map((name) => findPlugin(name, process.cwd()));
  const pluginTypes = (await importPlugins(modules)).flatMap(({ types }) => types);
  return { modules, pluginTypes };
}

/** For browsers elsewhere, where it owns hosts and has no such role (K3). */
export function openRenderings(settings: Settings): Renderings | undefined {
  if (!rendersElsewhere(settings)) return undefined;
  return new Renderings({ clock: systemClock(), random: systemRandom() });
}

/** Pages after which a browser is replaced, and what one page's process may take. */
const PAGES_PER_BROWSER = 200;
const PAGE_MEMORY_MAX = 768 << 20;

export function openBrowser({ render }: Settings, clock: Clock = systemClock()): Renderer {
  return openChromium({
    ...{ clock, folders: process.env.PATH ?? '', cwd: process.cwd() },
    ...{ executable: render.chromium, pages: render.renderPages },
    ...{ pagesPerBrowser: PAGES_PER_BROWSER, memoryMax: PAGE_MEMORY_MAX },
  });
}
