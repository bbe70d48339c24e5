/**
 * The composition root of a crawl: the only place, with main.ts, that knows which adapter
 * stands behind which port.
 *
 *   openCrawl(request)   folder → engines → node → session
 *   openEngines(dir)     the folder's engines alone: to be asked, not to crawl
 */
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { addSeeds, readAddedSeeds } from './adapters/folder/added-seeds.ts';
import {
  hasCleanMark,
  leaveCleanMark,
  pathsOf,
  readManifest,
  takeCleanMark,
  writeFolder,
} from './adapters/folder/crawl-folder.ts';
import { loadFilter, saveFilter } from './adapters/folder/filter-snapshot.ts';
import { FolderRunFiles } from './adapters/folder/run-files.ts';
import { localOwnership } from './adapters/memory/ownership.ts';
import { type MemorySeenFilter, openMemoryFilter } from './adapters/memory/seen-filter.ts';
import { openHttp, openResolver, systemClock, systemRandom } from './adapters/node/index.ts';
import { inlinePool } from './adapters/node/inline-pool.ts';
import { openSigner } from './adapters/node/key-files.ts';
import { serveSocket } from './adapters/node/socket.ts';
import { askSocket } from './adapters/node/socket-ask.ts';
import { systemVitals } from './adapters/node/vitals.ts';
import { workerPool } from './adapters/node/worker-pool.ts';
import { CrawlError } from './base/errors.ts';
import { SECOND_MS } from './base/instant.ts';
import {
  type EngineOptions,
  type Engines,
  openCompliance,
  openEngines,
} from './compose-engines.ts';
import { openManifest, settingsOf } from './compose-folder.ts';
import { startHooks } from './compose-hooks.ts';
import type { Settings } from './config/index.ts';
import { makeAnswers } from './crawl/ask.ts';
import type { AnswerSources } from './crawl/ask-sources.ts';
import { answerRequest, answersOver } from './crawl/ask-wire.ts';
import { runningDesk } from './crawl/comply-desk.ts';
import { complyAnswersOf } from './crawl/comply-wire.ts';
import {
  CrawlNode,
  type CrawlRequest,
  crawlingDesk,
  Ranking,
  restingDesk,
  seedMention,
} from './crawl/index.ts';
import type { MeasuredSession } from './crawl/metrics.ts';
import { openMetering } from './crawl/metrics-open.ts';
import * as plan from './crawl/plan.ts';
import { dueNow } from './crawl/recrawl.ts';
import { retainDaily, retentionFrom } from './crawl/retain-daily.ts';
import { makeLookups } from './crawl/serve-lookups.ts';
import { SeedDesk } from './crawl/serve-seeds.ts';
import { sessionOf } from './crawl/session.ts';
import { Tally } from './crawl/tally.ts';
import type { OpenFolder } from './edge/cli/world.ts';
import type { Clock } from './ports/clock.ts';
import type { ParserPool } from './ports/parser-pool.ts';
import type { Records } from './ports/records.ts';
import { SEED_PRIORITY } from './quality/index.ts';
import type { UrlKey } from './record/index.ts';
import type { SignRequest } from './sign/index.ts';
import { canonicalize } from './url/index.ts';

export { type Engines, openEngines } from './compose-engines.ts';

const SYNC_EVERY_MS = 5 * SECOND_MS;
const KEYS_PER_READ = 10_000;
const RANK_LOOK_MS = 60 * SECOND_MS;
/** Of the time of a crawl that goes on: what the rating of hosts may take. */
const RANK_SHARE = 0.2;

function engineOptionsFrom(settings: Settings): EngineOptions {
  return { syncAlways: settings.store.sync === 'always', codec: plan.codecFrom(settings) };
}

export async function openCrawl(request: CrawlRequest): Promise<MeasuredSession> {
  const sign = await openSigner(request.settings.agent, systemClock());
  const { crawl, isResumed, settings } = await openManifest(request);
  const { dir } = request;
  const { seeds } = crawl;
  const engines = await openEngines(dir, engineOptionsFrom(settings));
  try {
    await writeFolder(dir, crawl);
    const { known } = await engines.store.totals();
    const wasClean = (await takeCleanMark(dir, known)) || !isResumed;
    return await startCrawl({ ...request, settings }, seeds, isResumed, wasClean, engines, sign);
  } catch (error) {
    await engines.close();
    throw error;
  }
}

async function startCrawl(
  request: CrawlRequest,
  seeds: readonly string[],
  isResumed: boolean,
  wasClean: boolean,
  engines: Engines,
  sign: SignRequest | undefined,
): Promise<MeasuredSession> {
  const { settings, dir } = request;
  const { store, blobs, events, near } = engines;
  const clock = systemClock();
  const compliance = await openCompliance(engines, settings);
  const { denials } = compliance;
  const addresses = plan.addressRulesFrom(settings);
  const filter = await openFilter(settings, dir, store, isResumed && !wasClean);
  const { dns: servers, proxy, insecure, http2 } = settings.network;
  const http = openHttp({
    ...{ clock, addresses, acceptBadTls: insecure, allowH2: http2, sign },
    ...(proxy !== undefined && { proxy }),
  });
  const counted = { clock, http, store, events, filter };
  const metering = openMetering(counted, () => store.waitingPlaces());
  const resolver = openResolver({ clock, addresses, servers });
  const pool = openPool(settings);
  const tally = new Tally();
  const added = await readAddedSeeds(dir);
  const admit = plan.admitRulesFrom(settings, scopeSeeds(settings, [...seeds, ...added]));
  const politeness = plan.politenessFrom(settings);
  const node = await CrawlNode.open(
    {
      ...{ clock, random: systemRandom(), resolver },
      ...{ ...metering.ports, pool, records: store, filter, blobs, near, denials },
      ownership: localOwnership(),
    },
    {
      ...{ politeness, admit, wasClean },
      visit: plan.visitRulesFrom(settings, seeds),
      budget: plan.budgetFrom(settings, clock.now()),
      concurrency: settings.fetch.concurrency,
      patienceMs: settings.limits.patienceMs,
      recrawl: plan.recrawlFrom(settings),
      keepFresh: settings.recrawl.keepFresh,
      onPage: (page) => {
        tally.note(page.event);
        return request.onPage?.(page);
      },
    },
  );
  compliance.runsWith(runningDesk(node.settling, node.comeback));
  await compliance.finish();
  await plantSeeds(node, settings, seeds);
  const files = new FolderRunFiles(pathsOf(dir).rank);
  const desk = crawlingDesk(node.frontier, node.settling, node.recent, clock);
  const ranking = new Ranking({ store, records: store, files, clock }, desk, {
    rules: (query) => plan.ratingRulesFrom(settings, query),
    everyMs: settings.rank.rankEveryMs,
    share: RANK_SHARE,
  });
  for (const host of settings.rank.trustHost) node.frontier.ratings.free(host);
  const pagesNow = () => node.settling.totals.fetched;
  // Not before the hosts are back: reading every key keeps the disk and a core busy.
  void near.recall().catch(() => undefined);
  if (!filter.stats().complete) void filter.rebuildFrom(allKeys(store)).catch(() => undefined);
  const sources: AnswerSources = {
    ...{ dir, seeds, settings, rules: admit, politeness, clock },
    ...{ store, records: store, blobs, events, denials, isRunning: () => true },
    rank: (query) => ranking.run(query, pagesNow()),
    askAgain: (dues) => node.comeback.askAgain(dues),
  };
  const answers = makeAnswers(sources, complyAnswersOf(compliance));
  const lookups = makeLookups(sources);
  const { stripWww } = settings.scope;
  const remember = (more: readonly string[]) => addSeeds(dir, more);
  const seedDesk = new SeedDesk({ node, rules: admit, store, clock, stripWww, remember });
  const sow = seedDesk.sow.bind(seedDesk);
  const socket = await serveSocket(dir, (request) => answerRequest(answers, request));
  const syncing = syncRegularly(engines, clock);
  const retaining = retainDaily(compliance, retentionFrom(settings), clock);
  const rating = rateRegularly(ranking, clock, pagesNow);
  const hooks = startHooks({
    ...{ settings, folder: pathsOf(dir).readers, events, resolver, clock, random: systemRandom() },
    onNews: (url, news) => request.onHookNews?.(url, news),
  });
  const close = async () => {
    await seedDesk.close();
    await rating.stop();
    await retaining.stop();
    await syncing.stop();
    await node.rest();
    await hooks.finish();
    await socket.close();
    await Promise.all([http.close(), pool.close()]);
    await engines.sync();
    if (filter.stats().complete) await saveFilter(pathsOf(dir).filter, filter.generations);
    await engines.close();
    await leaveCleanMark(dir, node.settling.totals.known);
  };
  const shown = { node, clock, tally, dir, isResumed, seeds, answers, lookups, sow, close };
  const targetPerSecond = request.settings.serve.targetRate;
  const vitals = systemVitals();
  const metrics = metering.metricsOf(node, { resolver, vitals, targetPerSecond });
  return Object.assign(sessionOf(shown), { metrics });
}

/** Asks a folder: through the socket of the crawl that runs in it, or its engines. */
export async function readFolder(dir: string): Promise<OpenFolder> {
  const running = await askSocket(dir);
  if (running !== undefined) {
    return { answers: answersOver((request) => running.ask(request)), close: async () => {} };
  }
  const manifest = await readManifest(dir);
  if (manifest === undefined) {
    throw new CrawlError(
      'E_FOLDER_MISSING',
      `there is no crawl in ${dir}`,
      'name its folder with --dir, or begin one with `orb crawl URL`',
    );
  }
  const engines = await openEngines(dir, engineOptionsFrom(settingsOf(manifest)));
  const { store, blobs, events } = engines;
  try {
    await hasCleanMark(dir, (await store.totals()).known);
  } catch (error) {
    await engines.close();
    throw error;
  }
  const settings = settingsOf(manifest);
  const { seeds } = manifest;
  const added = await readAddedSeeds(dir);
  const rules = plan.admitRulesFrom(settings, scopeSeeds(settings, [...seeds, ...added]));
  await rules.scope.recall(store);
  const clock = systemClock();
  const files = new FolderRunFiles(pathsOf(dir).rank);
  const ranking = new Ranking({ store, records: store, files, clock }, restingDesk(store), {
    rules: (query) => plan.ratingRulesFrom(settings, query),
    ...{ everyMs: 0, share: 1 },
  });
  const compliance = await openCompliance(engines, settings);
  const sources: AnswerSources = {
    ...{ dir, seeds, settings, rules, politeness: plan.politenessFrom(settings) },
    ...{ clock, store, records: store, blobs, events, isRunning: () => false },
    denials: compliance.denials,
    rank: (query) => ranking.run(query, 0).finally(() => engines.sync()),
    askAgain: (dues) => dueNow(store, dues, clock.now()).finally(() => engines.sync()),
  };
  const answers = makeAnswers(sources, complyAnswersOf(compliance));
  return { answers, close: () => engines.close() };
}

async function plantSeeds(
  node: CrawlNode,
  settings: Settings,
  seeds: readonly string[],
): Promise<void> {
  const { retryFailed } = settings.crawl;
  const pages = seeds.map((url) => seedMention(url, 'page', SEED_PRIORITY.normal));
  const map = sitemapSeed(settings);
  const maps = map === undefined ? [] : [seedMention(map, 'sitemap', SEED_PRIORITY.high)];
  await node.plant([...pages, ...maps]);
  if (retryFailed) await node.retryFailed();
}

function sitemapSeed(settings: Settings): string | undefined {
  const { sitemap } = settings.crawl;
  return sitemap === 'auto' || sitemap === 'never' ? undefined : canonicalize(sitemap);
}

/** A crawl that begins at a sitemap has the sitemap's host for its scope. */
function scopeSeeds(settings: Settings, seeds: readonly string[]): readonly string[] {
  const map = sitemapSeed(settings);
  return map === undefined ? seeds : [...seeds, map];
}

/** After a crash the filter's file is old: everything is looked up until it is rebuilt (S5). */
async function openFilter(
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

async function* allKeys(records: Records): AsyncIterable<Buffer> {
  for (let after: UrlKey | undefined; ; ) {
    const keys = await records.keys(after, KEYS_PER_READ);
    if (keys.length === 0) return;
    yield keys;
    after = keys.subarray(keys.length - 24);
  }
}

function openPool(settings: Settings): ParserPool {
  const { workers } = settings.cpu;
  const threads = workers === 'auto' ? availableParallelism() - 1 : workers;
  return threads <= 0 ? inlinePool() : workerPool(threads);
}

/** Rates hosts when it is time. A job that fails is tried again; the crawl goes on without it. */
function rateRegularly(
  ranking: Ranking,
  clock: Clock,
  pages: () => number,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await clock.sleepUntil(clock.now() + RANK_LOOK_MS, stopped.signal);
      if (stopped.signal.aborted || !(await ranking.isDue(pages()))) continue;
      await ranking.run({}, pages()).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopped.abort();
      await ranking.stop();
      await running;
    },
  };
}

/** What is written survives a power cut within seconds. A failure shows at the next commit. */
function syncRegularly(engines: Engines, clock: Clock): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await clock.sleepUntil(clock.now() + SYNC_EVERY_MS, stopped.signal);
      await engines.sync().catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
