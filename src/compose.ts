/**
 * The composition root of a crawl: the only place, with main.ts, that knows which adapter
 * stands behind which port.
 *
 *   openCrawl(request)   folder → engines → node → session
 *   openEngines(dir)     the folder's engines alone: to be asked, not to crawl
 */
import { hostname } from 'node:os';
import {
  leaveCleanMark,
  pathsOf,
  takeCleanMark,
  writeFolder,
} from './adapters/folder/crawl-folder.ts';
import { saveFilter } from './adapters/folder/filter-snapshot.ts';
import { FolderJobBook } from './adapters/folder/job-book.ts';
import { localOwnership } from './adapters/memory/ownership.ts';
import type { MemorySeenFilter } from './adapters/memory/seen-filter.ts';
import { systemClock, systemRandom } from './adapters/node/index.ts';
import { openSigner } from './adapters/node/key-files.ts';
import { serveSocket } from './adapters/node/socket.ts';
import { systemVitals } from './adapters/node/vitals.ts';
import { assert } from './base/assert.ts';
import type { Rules } from './comply/index.ts';
import { startChores } from './compose-chores.ts';
import {
  type EngineOptions,
  type Engines,
  engineOptionsFrom,
  openCompliance,
  openEngines,
} from './compose-engines.ts';
import { openManifest, scopeSeeds, sitemapSeed } from './compose-folder.ts';
import { openNearness } from './compose-nearness.ts';
import { allKeys, type Footing, openFilter, openFooting, openPlugins } from './compose-ports.ts';
import { refuseRingFolder } from './compose-ring-folder.ts';
import type { Settings } from './config/index.ts';
import type { AdmitRules } from './crawl/admit.ts';
import { makeAnswers } from './crawl/ask.ts';
import type { AnswerSources } from './crawl/ask-sources.ts';
import { answerRequest } from './crawl/ask-wire.ts';
import { runningDesk } from './crawl/comply-desk.ts';
import { complyAnswersOf } from './crawl/comply-wire.ts';
import { lessErased } from './crawl/erased-links.ts';
import { CrawlNode, type CrawlRequest, seedMention } from './crawl/index.ts';
import { type Beginning, jobPlanFrom } from './crawl/job-plan.ts';
import type { MeasuredSession } from './crawl/metrics.ts';
import type { NodeNearness } from './crawl/node.ts';
import * as plan from './crawl/plan.ts';
import { makeLookups } from './crawl/serve-lookups.ts';
import { makeSurveys } from './crawl/serve-surveys.ts';
import { sessionOf } from './crawl/session.ts';
import { Tally } from './crawl/tally.ts';
import { userAgent } from './fetch/index.ts';
import { SEED_PRIORITY } from './quality/index.ts';
import type { SignRequest } from './sign/index.ts';

export { type Engines, openEngines } from './compose-engines.ts';
export { readFolder } from './compose-read.ts';

/** An archive is written by a crawl alone: whoever only asks leaves it as it is. */
export function crawlOptionsFrom(settings: Settings, seeds: readonly string[]): EngineOptions {
  const options = engineOptionsFrom(settings);
  const { warc, warcFileMaxBytes: fileBytesMax } = settings.store;
  if (!warc) return options;
  const begunAt = systemClock().now();
  const series = { prefix: 'orb', begunAt, machine: hostname(), made: 'as it went' as const };
  const asks = {
    software: settings.agent.userAgent,
    userAgent: userAgent(plan.identityFrom(settings)),
  };
  return { ...options, archive: { series: { ...series, ...asks, seeds }, fileBytesMax } };
}

export async function openCrawl(request: CrawlRequest): Promise<MeasuredSession> {
  const sign = await openSigner(request.settings.agent, systemClock());
  // Before the folder is made, or an old crawl in it thrown away.
  await openPlugins(request.settings);
  const nearness = await openNearness(request.settings);
  const { dir } = request;
  await refuseRingFolder(dir);
  const { crawl, isResumed, settings } = await openManifest(request);
  const { seeds } = crawl;
  const engines = await openEngines(dir, crawlOptionsFrom(settings, seeds));
  try {
    await writeFolder(dir, crawl);
    const { known } = await engines.store.totals();
    const wasClean = (await takeCleanMark(dir, known)) || !isResumed;
    const asked = { ...request, settings };
    return await startCrawl(asked, crawl, isResumed, wasClean, engines, { sign, nearness });
  } catch (error) {
    await engines.close();
    throw error;
  }
}

async function startCrawl(
  request: CrawlRequest,
  crawl: Beginning,
  isResumed: boolean,
  wasClean: boolean,
  engines: Engines,
  { sign, nearness }: { sign: SignRequest | undefined; nearness: NodeNearness },
): Promise<MeasuredSession> {
  const { settings, dir } = request;
  const { seeds } = crawl;
  const { store, blobs, events } = engines;
  const compliance = await openCompliance(engines, settings);
  const { denials } = compliance;
  const filter = await openFilter(settings, dir, store, isResumed && !wasClean);
  const footing = await openFooting(settings, engines, filter, sign, request.onNews);
  const { clock, resolver, metering, readings, renderings } = footing;
  const tally = new Tally();
  const admit = plan.admitRulesFrom(settings, scopeSeeds(settings, seeds));
  const node = await openNode({
    request,
    crawl,
    admit,
    wasClean,
    engines,
    footing,
    denials,
    tally,
    nearness,
  });
  compliance.runsWith(runningDesk(node.settling, node.comeback));
  await compliance.finish();
  await plantSeeds(node, settings, seeds);
  const { jobs } = node;
  assert(jobs !== undefined, 'a folder has a book of jobs');
  const chores = startChores({ request, engines, node, compliance, resolver, clock });
  // Not before the hosts are back: reading every key keeps the disk and a core busy.
  void engines.near.recall().catch(() => undefined);
  if (!filter.stats().complete) void filter.rebuildFrom(allKeys(store)).catch(() => undefined);
  const sources: AnswerSources = {
    ...{ dir, seeds, settings, rules: admit, politeness: plan.politenessFrom(settings), clock },
    ...{ store, blobs, events, denials, isRunning: () => true },
    renders: () => node.renders?.counts(),
    records: lessErased(store, denials),
    rank: (query) => chores.ranking.run(query, node.settling.totals.fetched),
    askAgain: (dues) => node.comeback.askAgain(dues),
    ...{ jobs, rulesFor: node.board.rulesFor.bind(node.board) },
  };
  const answers = makeAnswers(sources, complyAnswersOf(compliance));
  const socket = await serveSocket(dir, (request) => answerRequest(answers, request));
  const close = async () => {
    await surveys.close();
    await jobs.close();
    await chores.stop();
    await node.rest();
    await chores.finish();
    await socket.close();
    await closeFolder(dir, engines, footing, node.settling.totals.known);
  };
  const lookups = makeLookups(sources, footing.reader);
  const surveys = makeSurveys(sources, events, metering.shards);
  const asked = { answers, lookups, surveys, jobs, readings, renderings };
  const shown = { node, clock, tally, dir, isResumed, seeds, ...asked, close };
  const { targetRate: targetPerSecond } = settings.serve;
  const metrics = metering.metricsOf(node, { resolver, vitals: systemVitals(), targetPerSecond });
  return Object.assign(sessionOf(shown), { metrics });
}

interface NodeParts {
  readonly request: CrawlRequest;
  readonly crawl: Beginning;
  readonly admit: AdmitRules;
  readonly wasClean: boolean;
  readonly engines: Engines;
  readonly footing: Footing;
  readonly denials: Rules;
  readonly tally: Tally;
  readonly nearness: NodeNearness;
}

function openNode(parts: NodeParts): Promise<CrawlNode> {
  const { request, admit, wasClean, denials, tally, nearness } = parts;
  const { seeds } = parts.crawl;
  const { store, blobs, near, archive } = parts.engines;
  const { clock, resolver, filter, pool, metering, renderer } = parts.footing;
  const { settings } = request;
  const ports = {
    ...{ clock, random: systemRandom(), resolver },
    ...{ ...metering.ports, pool, records: store, filter, blobs, near, denials, renderer },
    ...(archive && { archive }),
    ownership: localOwnership(),
    book: new FolderJobBook(pathsOf(request.dir).jobs),
  };
  return CrawlNode.open(ports, {
    ...{ politeness: plan.politenessFrom(settings), admit, wasClean, nearness },
    jobs: jobPlanFrom(settings, parts.crawl),
    visit: plan.visitRulesFrom(settings, seeds, parts.footing.pluginTypes),
    budget: plan.budgetFrom(settings, clock.now()),
    concurrency: plan.concurrencyFrom(settings),
    patienceMs: settings.limits.patienceMs,
    recrawl: plan.recrawlFrom(settings),
    render: plan.renderRulesFrom(settings),
    onNoBrowser: request.onNoBrowser,
    keepFresh: settings.recrawl.keepFresh,
    onRobots: (event) => tally.noteRobots(event),
    onPage: (page) => {
      tally.note(page.event);
      return denials.meets(page.record.url) === undefined ? request.onPage?.(page) : undefined;
    },
  });
}

/** The mark of a clean end is the last thing that is written. */
async function closeFolder(
  dir: string,
  engines: Engines,
  { http, pool, reader, filter, renderer }: Footing<MemorySeenFilter>,
  known: number,
): Promise<void> {
  await Promise.all([http.close(), pool.close(), reader.close(), renderer.close()]);
  await engines.sync();
  if (filter.stats().complete) await saveFilter(pathsOf(dir).filter, filter.generations);
  await engines.close();
  await leaveCleanMark(dir, known);
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
