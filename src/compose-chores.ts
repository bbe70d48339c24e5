/**
 * What a crawl does beside its path, at its own times: ratings of hosts, syncs of the disk, the
 * end of what is kept too long, messages to webhooks.
 */
import { pathsOf } from './adapters/folder/crawl-folder.ts';
import { FolderRunFiles } from './adapters/folder/run-files.ts';
import { systemRandom } from './adapters/node/index.ts';
import { SECOND_MS } from './base/instant.ts';
import type { Engines } from './compose-engines.ts';
import { startHooks } from './compose-hooks.ts';
import type { Compliance } from './crawl/comply.ts';
import { type CrawlNode, type CrawlRequest, crawlingDesk, Ranking } from './crawl/index.ts';
import * as plan from './crawl/plan.ts';
import { retainDaily, retentionFrom } from './crawl/retain-daily.ts';
import type { Clock } from './ports/clock.ts';
import type { Resolver } from './ports/resolver.ts';

const SYNC_EVERY_MS = 5 * SECOND_MS;
const RANK_LOOK_MS = 60 * SECOND_MS;
/** Of the time of a crawl that goes on: what the rating of hosts may take. */
const RANK_SHARE = 0.2;

export interface ChoreParts {
  readonly request: CrawlRequest;
  readonly engines: Engines;
  readonly node: CrawlNode;
  readonly compliance: Compliance;
  readonly resolver: Resolver;
  readonly clock: Clock;
}

export interface Chores {
  readonly ranking: Ranking;
  /** All but the webhooks, before the last pages are settled. */
  stop(): Promise<void>;
  /** The webhooks, after that. */
  finish(): Promise<void>;
}

export function startChores(parts: ChoreParts): Chores {
  const { node, clock } = parts;
  const ranking = rankingOf(parts);
  const keeping = startKeeping(parts);
  const rating = rateRegularly(ranking, clock, () => node.settling.totals.fetched);
  const stop = async () => {
    await rating.stop();
    await keeping.stop();
  };
  return { ranking, stop, finish: () => keeping.finish() };
}

/** All but the rating of hosts, which takes a whole crawl: for a node of a ring, too. */
export function startKeeping(parts: Omit<ChoreParts, 'node'>): Omit<Chores, 'ranking'> {
  const { request, engines, compliance, resolver, clock } = parts;
  const { settings, dir } = request;
  const syncing = syncRegularly(engines, clock);
  const retaining = retainDaily(compliance, retentionFrom(settings), clock);
  const hooks = startHooks({
    ...{ settings, folder: pathsOf(dir).readers, events: engines.events },
    ...{ resolver, clock, random: systemRandom() },
    onNews: (url, news) => request.onHookNews?.(url, news),
  });
  const stop = async () => {
    await retaining.stop();
    await syncing.stop();
  };
  return { stop, finish: () => hooks.finish() };
}

function rankingOf({ request, engines, node, clock }: ChoreParts): Ranking {
  const { settings, dir } = request;
  const { store } = engines;
  const files = new FolderRunFiles(pathsOf(dir).rank);
  const desk = crawlingDesk(node.frontier, node.settling, node.recent, clock);
  for (const host of settings.rank.trustHost) node.frontier.ratings.free(host);
  return new Ranking({ store, records: store, files, clock }, desk, {
    rules: (query) => plan.ratingRulesFrom(settings, query),
    everyMs: settings.rank.rankEveryMs,
    share: RANK_SHARE,
  });
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
