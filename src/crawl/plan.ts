/**
 * From settings to what each part of a node is told. Each gets its own section, never the whole.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Settings } from '../config/index.ts';
import { type BlobCodec, hasZstd } from '../content/codec.ts';
import { patternsOf } from '../document/choose.ts';
import {
  type AddressRules,
  type HeadersOf,
  type Identity,
  requestHeaders,
} from '../fetch/index.ts';
import {
  type BudgetLimits,
  POLITE,
  type Politeness,
  type QualityPolicy,
} from '../frontier/index.ts';
import type { FetchLimits } from '../ports/http.ts';
import { type RatingRules, shapeTest } from '../quality/index.ts';
import type { MarkdownOptions } from '../readable/index.ts';
import type { RecrawlPolicy } from '../recrawl/index.ts';
import { type GeoTable, RegionHints, regionNamed } from '../region/index.ts';
import { canonicalize, originOf } from '../url/index.ts';
import type { AdmitRules } from './admit.ts';
import type { VisitRules } from './context.ts';
import type { NodeNearness } from './node.ts';
import type { RankQuery } from './rank.ts';
import type { RenderRules } from './render.ts';
import { SeedScope } from './seed-scope.ts';

/** Pages of public hosts that a crawl may ask for without leaving a contact (P6). */
export const PAGES_WITHOUT_CONTACT = 1_000;
const REDIRECTS_MAX = 5;
/** Requests open at one host when nothing is held back (`--rate max`): a crawl may end with one host. */
const LANES_MAX = 64;

export function politenessFrom(settings: Settings): Politeness {
  const { polite, agent, limits, fetch } = settings;
  const isMax = polite.rate === Number.POSITIVE_INFINITY;
  const { retries: times, backoffMs: firstMs } = polite;
  return {
    ...POLITE,
    agent: agent.robotsToken,
    delayMs: isMax ? 0 : polite.delayMs,
    addressDelayMs: isMax ? 0 : SECOND_MS / polite.ipRate,
    delayMsByHost: new Map(polite.rateFor.map((r) => [r.host, SECOND_MS / r.ratePerSecond])),
    lanes: isMax ? Math.min(LANES_MAX, fetch.concurrency) : 1,
    retry: { ...POLITE.retry, times, firstMs, downMsMax: polite.maxBackoffMs },
    fetchesPerDayMax: isMax ? Number.POSITIVE_INFINITY : polite.hostQuotaPerDay,
    newPerDayMax: polite.hostNewPerDay,
    pagesPerHostMax: limits.maxPagesPerHost,
    quality: qualityFrom(settings),
  };
}

function qualityFrom({ traps }: Settings): QualityPolicy {
  const { quality } = POLITE;
  const { allowShape, farmRate: rate, farmBudget: budget, domainBudget: base } = traps;
  const allowed = allowShape.map(shapeTest);
  return {
    traps: { ...quality.traps, isOn: traps.traps, allowed },
    soft404: { ...quality.soft404, share: traps.soft404Share },
    farm: { ...quality.farm, rate, budget },
    domains: { base, perDomain: traps.domainBudgetPerLink },
  };
}

export function addressRulesFrom(settings: Settings): AddressRules {
  const { allowPrivate, allowNetwork, blockHost, blockNetwork } = settings.network;
  const allowed = { allowedNetworks: allowNetwork };
  return { allowPrivate, blockedHosts: blockHost, blockedNetworks: blockNetwork, ...allowed };
}

export function admitRulesFrom(settings: Settings, seeds: readonly string[]): AdmitRules {
  const { scope, include, exclude, prefix, extraHops, stripWww } = settings.scope;
  const rules = {
    scope: new SeedScope({
      ...{ kind: scope, seeds, extraHops, prefixes: prefix },
      include: include.map((pattern) => pattern.source),
      exclude: exclude.map((pattern) => pattern.source),
    }),
    depthMax: settings.limits.depth,
    pathDepthMax: settings.limits.pathDepth,
  };
  if (!stripWww) return rules;
  return { ...rules, rewrite: (url) => canonicalize(url, undefined, { stripWww }) ?? url };
}

export function limitsFrom({ fetch }: Settings): FetchLimits {
  return {
    connectMs: fetch.connectTimeoutMs,
    firstByteMs: fetch.firstByteTimeoutMs,
    wholeMs: fetch.timeoutMs,
    headerBytes: fetch.maxHeaderBytes,
    bodyBytes: fetch.maxBodyBytes,
  };
}

/** `moreTypes` are those that the user's plugins read. */
export function visitRulesFrom(
  settings: Settings,
  seeds: readonly string[],
  moreTypes: readonly string[] = [],
): VisitRules {
  const { fetch, store, crawl, polite, readable } = settings;
  return {
    limits: limitsFrom(settings),
    decodedBytesMax: fetch.maxDecodedBytes,
    keepBodies: store.keepBodies,
    region: store.keepBodies ? (store.region ?? '') : '',
    archives: store.warc,
    purposes: settings.usage.purpose,
    headersOf: headersFrom(settings, seeds),
    wants: wantsFrom([...fetch.types, ...moreTypes]),
    redirectsMax: REDIRECTS_MAX,
    privateOnly: polite.rate === Number.POSITIVE_INFINITY,
    sitemaps: crawl.sitemap !== 'never',
    markdown: readable.markdown ? markdownFrom(settings) : undefined,
  };
}

export function markdownFrom({ readable }: Settings): MarkdownOptions {
  const { frontMatter, wholePage: whole, images } = readable;
  return { frontMatter, whole, images };
}

export function recrawlFrom({ recrawl }: Settings): RecrawlPolicy {
  const { recrawlPolicy: name, recrawlBudget: budget } = recrawl;
  const classes = new Map(recrawl.class.map(({ host, hostClass }) => [host, hostClass]));
  return { name, budget: dailyFrom(budget), classes };
}

function dailyFrom(budget: string): RecrawlPolicy['budget'] {
  if (budget === 'auto') return undefined;
  const amount = Number.parseFloat(budget);
  return budget.endsWith('%') ? { share: amount / 100 } : { perDay: amount };
}

export function budgetFrom(settings: Settings, now: Instant): BudgetLimits {
  const { limit, maxSizeBytes, maxTimeMs } = settings.limits;
  return {
    pagesMax: limit,
    bytesMax: maxSizeBytes,
    until: maxTimeMs === 0 ? 0 : now + maxTimeMs,
    publicPagesMax: settings.agent.contact === undefined ? PAGES_WITHOUT_CONTACT : 0,
  };
}

/** What a page may take while it is rendered; waiting for turns is most of the whole time. */
const RENDER_LIMITS = {
  ...{ wholeMs: 180 * SECOND_MS, requests: 100, bytes: 32 << 20, domBytes: 16 << 20 },
};

export function renderRulesFrom({ render }: Settings): RenderRules | undefined {
  const { render: when, renderShare: share, renderPages: pagesAtOnce, screenshot } = render;
  if (when === 'never') return undefined;
  const { renderTimeoutMs: pageMs, renderScrolls: scrolls } = render;
  return { when, share, pagesAtOnce, screenshot, limits: { ...RENDER_LIMITS, pageMs, scrolls } };
}

/** Who we say we are; `userAgent()` of it is what is sent. */
export function identityFrom({ agent }: Settings): Identity {
  const { userAgent, contact, infoUrl } = agent;
  const [name = 'Orbweaver', version = ''] = userAgent.split('/');
  return { name, version, infoUrl, ...(contact !== undefined && { contact }) };
}

function headersFrom(settings: Settings, seeds: readonly string[]): HeadersOf {
  const { header, cookies } = settings.fetch;
  return requestHeaders({
    identity: identityFrom(settings),
    headers: Object.fromEntries(header.map((line) => [line.name, line.value])),
    ...(cookies.length > 0 && { cookies: cookies.join('; ') }),
    seedOrigins: seeds.map(originOf),
  });
}

export function ratingRulesFrom({ rank }: Settings, query: RankQuery = {}): RatingRules {
  const { denies = rank.denySpam, trusted = [] } = query;
  return { denies, trusted: new Set([...rank.trustHost, ...trusted]) };
}

export function codecFrom(settings: Settings): BlobCodec {
  const wanted = settings.store.compression;
  if (wanted !== 'auto') return wanted;
  return hasZstd ? 'zstd' : 'gzip';
}

/** Media types by exact name or family (`text/*`); a body without one is looked at. */
function wantsFrom(types: readonly string[]): (mediaType: string) => boolean {
  if (types.includes('*/*')) return () => true;
  const exact = new Set(types);
  return (mediaType) =>
    mediaType === '' || patternsOf(mediaType).some((pattern) => exact.has(pattern));
}

/** `geo` is what `nearness.geoIp` names. */
export function nearnessFrom(settings: Settings, geo?: GeoTable): NodeNearness {
  const { hostRegion, takeOverAfterMs: takeOverMs } = settings.nearness;
  const hints = new RegionHints(hostRegion, geo);
  const hintOf = (host: string, address: string) => hints.of(host, address);
  return { region: fetchRegionFrom(settings) ?? '', hintOf, takeOverMs };
}

/** Where requests are made from; where things are stored, unless that is said to be elsewhere. */
export function fetchRegionFrom({ nearness, store }: Settings): string | undefined {
  const region = nearness.fetchRegion ?? store.region;
  return region === undefined ? undefined : regionNamed(region);
}

/** Requests of its own at one time; none where they are left to fetchers elsewhere (A2, K3). */
export function concurrencyFrom({ cluster, fetch }: Settings): number {
  return cluster.roles.includes('fetch') ? fetch.concurrency : 0;
}
