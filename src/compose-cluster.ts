/**
 * The composition root of a node of a cluster (K1–K3): the same crawl as in a folder, on engines
 * that many nodes share.
 *
 *   joinCluster(request)   engines → which crawl is it → node → joins its group → session
 *
 *   compose-cluster-places.ts    where the engines are      compose-cluster-read.ts   to be asked only
 *   compose-cluster-engines.ts   opened                     compose-cluster-check.ts  for orb doctor
 *   compose-cluster-follow.ts    what others do, now and then   compose-cluster-erase.ts  by all nodes together
 *   compose-cluster-hooks.ts     webhooks
 */
import { openHttp, openResolver, systemClock, systemRandom } from './adapters/node/index.ts';
import { openSigner } from './adapters/node/key-files.ts';
import { dnsAsk } from './adapters/node/resolver-ask.ts';
import { sharedAsk } from './adapters/node/shared-names.ts';
import { systemVitals } from './adapters/node/vitals.ts';
import { assert } from './base/assert.ts';
import { CrawlError } from './base/errors.ts';
import { type ClusterEngines, openClusterEngines } from './compose-cluster-engines.ts';
import { clusterCompliance, clusterComplyAnswers, startErasing } from './compose-cluster-erase.ts';
import { followOthers } from './compose-cluster-follow.ts';
import { startClusterHooks } from './compose-cluster-hooks.ts';
import { openNearness } from './compose-nearness.ts';
import {
  openBrowser,
  openPlugins,
  openReading,
  openRenderings,
  type Reading,
} from './compose-ports.ts';
import { openIdentity, sentence, sharedPlan, sharedSources } from './compose-shared.ts';
import type { Settings } from './config/index.ts';
import { makeAnswers } from './crawl/ask.ts';
import type { Compliance } from './crawl/comply.ts';
import { logLessErased } from './crawl/erased-links.ts';
import { CrawlNode, type CrawlRequest, type Membership } from './crawl/index.ts';
import type { Beginning } from './crawl/job-plan.ts';
import type { MeasuredSession } from './crawl/metrics.ts';
import { type Metering, openMetering } from './crawl/metrics-open.ts';
import type { NodeNearness } from './crawl/node.ts';
import * as plan from './crawl/plan.ts';
import type { Renderings } from './crawl/renderings.ts';
import { makeLookups } from './crawl/serve-lookups.ts';
import { makeSurveys } from './crawl/serve-surveys.ts';
import { sessionOf } from './crawl/session.ts';
import { Tally } from './crawl/tally.ts';
import type { Http } from './ports/http.ts';
import type { Renderer } from './ports/renderer.ts';
import type { Resolver } from './ports/resolver.ts';

/** How long visits of an arc that goes to another may take to end by themselves. */
const DRAIN_MS_MAX = 10_000;

export async function joinCluster(request: CrawlRequest): Promise<MeasuredSession> {
  refuseUnshared(request.settings);
  const nearness = await openNearness(request.settings);
  const notice = (text: string) => {
    const isBad = !text.endsWith('answers again');
    request.onNews?.({ event: 'engine', isBad, text: sentence(text) });
  };
  const engines = await openClusterEngines(request.settings, notice);
  try {
    return await openSession(request, engines, nearness);
  } catch (error) {
    await engines.group.close().catch(() => undefined);
    await engines.close();
    throw error;
  }
}

/** What is kept in a folder, and would be on one machine of many. */
function refuseUnshared({ store }: Settings): void {
  if (!store.warc) return;
  const what = '--warc writes into a folder, and a node of a cluster has none';
  const cure = 'leave it out; `orb export warc` makes one of what is stored';
  throw new CrawlError('E_CONFIG', what, cure);
}

interface Standing extends Reading {
  readonly http: Http;
  readonly resolver: Resolver;
  readonly renderer: Renderer | undefined;
  readonly renderings: Renderings | undefined;
  readonly pluginTypes: readonly string[];
  readonly metering: Metering;
}

async function openStanding(
  { settings, onNews }: CrawlRequest,
  engines: ClusterEngines,
): Promise<Standing> {
  const clock = systemClock();
  const sign = await openSigner(settings.agent, clock);
  const plugins = await openPlugins(settings);
  const addresses = plan.addressRulesFrom(settings);
  const { dns: servers, proxy, insecure, http2 } = settings.network;
  const http = openHttp({
    ...{ clock, addresses, acceptBadTls: insecure, allowH2: http2, sign },
    ...(proxy !== undefined && { proxy }),
  });
  const ask = sharedAsk(dnsAsk({ servers }), engines.cache);
  const resolver = openResolver({ clock, addresses, servers, ask });
  const { filter, events, records } = engines;
  const store = engines.dues ?? records.store;
  const metering = openMetering({ clock, http, store, events, filter });
  const renders = settings.cluster.roles.includes('render');
  const renderings = openRenderings(settings);
  const renderer = renders ? openBrowser(settings, clock) : renderings;
  const reading = openReading(settings, plugins, onNews);
  const { pluginTypes } = plugins;
  return { http, resolver, ...reading, renderer, renderings, pluginTypes, metering };
}

async function openSession(
  request: CrawlRequest,
  engines: ClusterEngines,
  nearness: NodeNearness,
): Promise<MeasuredSession> {
  const { crawl, isResumed, settings } = await openIdentity(request, engines.records.jobs, {
    name: `the crawl ${request.settings.cluster.name}`,
    hint: 'give every node the same, or choose another --name',
  });
  const standing = await openStanding({ ...request, settings }, engines);
  const { metering, resolver, readings, renderings } = standing;
  const clock = systemClock();
  const tally = new Tally();
  const compliance = await clusterCompliance(engines, settings);
  const made = { ...request, settings };
  const node = await openNode(made, crawl, engines, { ...standing, nearness }, compliance, tally);
  const { jobs } = node;
  assert(jobs !== undefined, 'a cluster has a book of jobs');
  const { onNews } = request;
  const onTrouble = (error: unknown) => troubleNews(onNews, error);
  const erasing = startErasing({ node, compliance, engines, settings, onTrouble });
  const following = followOthers({ node, compliance, erasing, engines, clock, onNews });
  const { records, blobs, events } = engines;
  const { store } = records;
  const dir = `cluster ${settings.cluster.name}`;
  const { denials } = compliance;
  const told = logLessErased(events, denials);
  const heard = { denials, resolver, onNews: request.onHookNews };
  const hooks = await startClusterHooks({ settings, engines, node, ...heard });
  const read = { store, blobs, events: told, denials };
  const sources = sharedSources({ dir, settings, node, jobs, ...read });
  const answers = makeAnswers(sources, clusterComplyAnswers(compliance, engines));
  const surveys = makeSurveys(sources, NO_SEARCH, metering.shards);
  const run = { hasBegun: false };
  const close = async () => {
    await surveys.close();
    await jobs.close();
    await following.stop();
    await hooks.stop();
    await erasing.stop();
    if (!run.hasBegun) await node.arcs?.close();
    const { http, pool, reader, renderer } = standing;
    await Promise.all([http.close(), pool.close(), reader.close(), renderer?.close()]);
    await engines.close();
  };
  const lookups = makeLookups(sources, standing.reader);
  const shown = { node, clock, tally, dir, isResumed, seeds: [] };
  const session = sessionOf({
    ...shown,
    answers,
    lookups,
    surveys,
    jobs,
    close,
    readings,
    renderings,
  });
  const { targetRate: targetPerSecond } = settings.serve;
  const metrics = metering.metricsOf(node, { resolver, vitals: systemVitals(), targetPerSecond });
  const begin = () => {
    run.hasBegun = true;
    return session.run();
  };
  return { ...session, run: begin, metrics };
}

function openNode(
  request: CrawlRequest,
  crawl: Beginning,
  engines: ClusterEngines,
  standing: Standing & { readonly nearness: NodeNearness },
  compliance: Compliance,
  tally: Tally,
): Promise<CrawlNode> {
  const { settings } = request;
  const { records, blobs, filter } = engines;
  const { denials } = compliance;
  const { resolver, pool, renderer, metering, pluginTypes, nearness } = standing;
  const ports = {
    ...{ clock: systemClock(), random: systemRandom(), resolver, ...metering.ports, pool },
    ...{ records: records.store, filter, blobs, near: records.near, denials, renderer },
    book: records.jobs,
  };
  const schedules = settings.cluster.roles.includes('schedule');
  const rules = sharedPlan({ request, crawl, pluginTypes, denials, tally, schedules, nearness });
  return CrawlNode.join(ports, rules, membershipOf(request, engines, compliance));
}

function membershipOf(
  { settings, onNews }: CrawlRequest,
  { group, records, holder, addressTurns, dues }: ClusterEngines,
  compliance: Compliance,
): Membership {
  const { roles, termMs } = settings.cluster;
  const tell = (isBad: boolean, text: string) => onNews?.({ event: 'engine', isBad, text });
  return {
    group: roles.includes('frontier') ? group : { ...bystander(group) },
    ...{ tenures: records.tenures, addressTurns, dues },
    ...{ holder, termMs, drainMs: Math.min(DRAIN_MS_MAX, settings.fetch.timeoutMs) },
    onTaking: () => compliance.refresh(),
    onTrouble: (error) => troubleNews(onNews, error),
    onRecovered: () => tell(false, 'The engines answer again: the crawl goes on.'),
  };
}

function troubleNews(onNews: CrawlRequest['onNews'], error: unknown): void {
  onNews?.({ event: 'engine', isBad: true, text: sentence((error as Error).message) });
}

/** Hands on what it is told, and is never assigned an arc. */
function bystander(group: ClusterEngines['group']): Membership['group'] {
  return {
    open: async () => undefined,
    hand: (mentions) => group.hand(mentions),
    follow: () => undefined,
    close: () => group.close(),
  };
}

/** A topic is not looked through for one text: what it holds is not told. */
const NO_SEARCH = { search: async () => ({ since: undefined, isWhole: false }) };
