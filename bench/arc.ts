/**
 * The parts of a node around an embedded store, wired as a crawl wires them, without the parts
 * that fetch: what `seen`, `frontier` and `restart` measure.
 *
 *   mentions → admit (scope, Recent) → Settling → filter → EmbeddedShardStore.commit → Frontier
 *
 * Bodies and events go nowhere: they are measured by `crawl`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedShardStore } from '../src/adapters/embedded/index.ts';
import { leaveCleanMark, pathsOf, takeCleanMark } from '../src/adapters/folder/crawl-folder.ts';
import { loadFilter, saveFilter } from '../src/adapters/folder/filter-snapshot.ts';
import { MemoryNearIndex } from '../src/adapters/memory/near-index.ts';
import { localOwnership } from '../src/adapters/memory/ownership.ts';
import { type MemorySeenFilter, openMemoryFilter } from '../src/adapters/memory/seen-filter.ts';
import { systemClock } from '../src/adapters/node/index.ts';
import { openEngines } from '../src/compose.ts';
import { defaultSettings } from '../src/config/index.ts';
import { hasZstd } from '../src/content/index.ts';
import { Admit, type Mention } from '../src/crawl/admit.ts';
import { SeedScope } from '../src/crawl/seed-scope.ts';
import { Settling } from '../src/crawl/settle.ts';
import { Frontier, POLITE } from '../src/frontier/index.ts';
import type { BlobStore } from '../src/ports/blob-store.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { EventLog } from '../src/ports/event-log.ts';
import type { UrlKey } from '../src/record/index.ts';
import { Recent } from '../src/seen/index.ts';

/** As in src/crawl/node.ts. */
const RECENT_URLS = 200_000;
const LEASE_MS = 70_000;
/** As in src/compose.ts. */
const KEYS_PER_READ = 10_000;

/** What lies in the folder, opened as src/compose.ts opens it. */
export interface Opened {
  readonly dir: string;
  readonly store: EmbeddedShardStore;
  readonly filter: MemorySeenFilter;
  readonly wasClean: boolean;
  /** Until the filter holds every key; at once, unless the last end was unclean. */
  fillFilter(): Promise<void>;
  close(): Promise<void>;
}

export interface Arc extends Opened {
  readonly frontier: Frontier;
  readonly settling: Settling;
  readonly admit: Admit;
}

/** What a folder was filled with, beside the store. */
export interface Filling {
  readonly urls: number;
  readonly hosts: number;
  readonly textBytes: number;
}

export const NO_BLOBS: BlobStore = {
  put: async () => [],
  get: async () => undefined,
  sync: async () => undefined,
  close: async () => undefined,
};
export const NO_EVENTS: EventLog = {
  publish: async () => undefined,
  async *read() {},
  close: async () => undefined,
};

export async function openFolder(dir: string): Promise<Opened> {
  const paths = pathsOf(dir);
  const { store: rows, bodies, traces, events } = paths;
  for (const part of [rows, bodies, traces, events]) await mkdir(part, { recursive: true });
  const engines = await openEngines(dir, { syncAlways: false, codec: hasZstd ? 'zstd' : 'gzip' });
  const { store } = engines;
  const { known } = await store.totals();
  const wasClean = (await takeCleanMark(dir, known)) || known === 0;
  const filter = await openFilter(paths.filter, store, wasClean);
  let filling: Promise<void> | undefined;
  const fillFilter = async () => {
    if (!filter.stats().complete) filling ??= filter.rebuildFrom(allKeys(store));
    await filling;
  };
  const close = async () => {
    await fillFilter();
    await engines.sync();
    await saveFilter(paths.filter, filter.generations);
    await engines.close();
    await leaveCleanMark(dir, (await store.totals()).known);
  };
  return { dir, store, filter, wasClean, fillFilter, close };
}

export async function openArc(dir: string, clock: Clock = systemClock()): Promise<Arc> {
  const opened = await openFolder(dir);
  void opened.fillFilter();
  const { store, filter } = opened;
  const frontier = new Frontier(POLITE, LEASE_MS, random());
  const near = new MemoryNearIndex();
  const ownership = localOwnership<Mention>();
  const ports = { clock, store, filter, near, ownership, blobs: NO_BLOBS, events: NO_EVENTS };
  const settling = new Settling(ports, frontier, await store.totals());
  const rules = {
    scope: new SeedScope({ kind: 'any', seeds: [] }),
    depthMax: 20,
    pathDepthMax: 30,
  };
  const admit = new Admit(() => rules, frontier, ownership, new Recent(RECENT_URLS));
  return { ...opened, frontier, settling, admit };
}

async function openFilter(
  path: string,
  store: EmbeddedShardStore,
  wasClean: boolean,
): Promise<MemorySeenFilter> {
  const { expectedUrls: expectedKeys, falsePositive: falsePositiveRate } = defaultSettings().store;
  const { known } = await store.totals();
  const generations = wasClean && known > 0 ? await loadFilter(path, falsePositiveRate) : undefined;
  const complete = known === 0 || generations !== undefined;
  return openMemoryFilter({ expectedKeys, falsePositiveRate, complete, generations });
}

async function* allKeys(store: EmbeddedShardStore): AsyncIterable<Buffer> {
  for (let after: UrlKey | undefined; ; ) {
    const keys = await store.keys(after, KEYS_PER_READ);
    if (keys.length === 0) return;
    yield keys;
    after = keys.subarray(keys.length - 24);
  }
}

/** The same chances in every run. */
export function random(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function noteFilling(dir: string, filling: Filling): Promise<void> {
  await writeFile(join(dir, 'bench.json'), JSON.stringify(filling));
}

/** Undefined when the folder was not filled by `seen`. */
export async function readFilling(dir: string): Promise<Filling | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, 'bench.json'), 'utf8')) as Filling;
  } catch {
    return undefined;
  }
}
