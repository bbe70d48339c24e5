/**
 * Every metric of a crawl, by name, with what it says (O1).
 *
 *   Meter, LeaseCounts   what was counted on the way     ┐
 *   Shards, HostSurvey   what waits, and where           ├─ families ─→ text for GET /metrics
 *   ports' own stats     names, filter, frontier         ┘
 *
 * One prefix, seconds and bytes, `_total` for what only grows. No URL and no host is ever a label,
 * and every label has a closed set of values, so that the number of series never grows.
 * docs/metrics.md says which of them answers which question; deploy/ has rules and a dashboard.
 */
import { SECOND_MS } from '../base/instant.ts';
import {
  CONTENT_TYPE,
  counter,
  expose,
  type Family,
  gauge,
  histogram,
  labelled,
} from '../metrics/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Resolver } from '../ports/resolver.ts';
import type { RingReport } from '../ports/ring-report.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import type { Vitals } from '../ports/vitals.ts';
import { HostSurvey, QUOTA_STEPS } from './metrics-hosts.ts';
import type { Meter } from './metrics-meter.ts';
import { processFamilies } from './metrics-process.ts';
import { renderFamilies } from './metrics-render.ts';
import { ringFamilies } from './metrics-ring.ts';
import type { Shards } from './metrics-shards.ts';
import type { CrawlNode } from './node.ts';
import type { CrawlSession } from './session.ts';

export interface CrawlMetricsParts {
  readonly node: CrawlNode;
  readonly meter: Meter;
  readonly shards: Shards;
  readonly resolver: Resolver;
  readonly filter: SeenFilter;
  readonly clock: Clock;
  readonly vitals: Vitals;
  /** What an operator expects of this process; 0 is no target. */
  readonly targetPerSecond: number;
  /** Of a node of a ring. */
  readonly ring?: () => RingReport;
}

/** What the crawl itself doesn't know, as of now. */
export interface Known {
  /** Complaints on record (G3); 0 unless told. */
  readonly complaints?: number;
  /** Of the program; `0.0.0` unless told. */
  readonly version?: string;
}

export interface CrawlMetrics {
  /** Of the answer to GET /metrics. */
  readonly contentType: string;
  text(known?: Known): string;
}

export interface MeasuredSession extends CrawlSession {
  readonly metrics: CrawlMetrics;
}

export function crawlMetrics(parts: CrawlMetricsParts): CrawlMetrics {
  const { node, clock } = parts;
  const { ratings, policy } = node.frontier;
  const survey = new HostSurvey(
    () => ratings.all(),
    policy,
    () => clock.now(),
  );
  const text = (known: Known = {}): string =>
    expose([
      ...fetchFamilies(parts.meter),
      ...nameFamilies(parts.resolver),
      ...queueFamilies(parts),
      ...hostFamilies(node, survey),
      ...robotsFamilies(node),
      ...pageFamilies(parts.meter),
      ...renderFamilies(node.renders),
      ...seenFamilies(parts.meter, parts.filter),
      ...recrawlFamilies(parts),
      ...commitFamilies(parts),
      ...ringFamilies(parts.ring?.()),
      ...knownFamilies(known, parts.targetPerSecond),
      ...processFamilies(parts.vitals.read(), known.version ?? '0.0.0'),
    ]);
  return { contentType: CONTENT_TYPE, text };
}

function fetchFamilies(meter: Meter): Family[] {
  const { fetches, failures, busy, receivedBytes, inFlight, fetchSeconds } = meter;
  return [
    counter(
      'orb_fetches_total',
      'Requests that were made and came to an end, robots.txt included, by class of the status; none is no answer.',
      labelled('class', fetches),
    ),
    counter(
      'orb_fetch_failures_total',
      'Requests without a usable answer, by reason.',
      labelled('reason', failures),
    ),
    counter(
      'orb_busy_answers_total',
      'Answers that ask to slow down, by status.',
      labelled('status', busy),
    ),
    counter('orb_received_bytes_total', 'Bytes of bodies as they were sent.', receivedBytes),
    gauge('orb_fetches_in_flight', 'Requests on their way.', inFlight),
    histogram(
      'orb_fetch_duration_seconds',
      'From the start of a request to the end of its answer.',
      fetchSeconds,
    ),
  ];
}

function nameFamilies(resolver: Resolver): Family[] {
  const { asked, hits } = resolver.stats();
  return [
    counter('orb_dns_cache_hits_total', 'Names that were answered from memory.', hits),
    counter('orb_dns_cache_misses_total', 'Names that had to be asked for.', asked - hits),
  ];
}

function queueFamilies({ node, shards }: CrawlMetricsParts): Family[] {
  const { waiting, retrying, parked, shelved, fetched, failed, skipped } = node.settling.totals;
  const urls = { waiting, retrying, fetched, failed, skipped };
  const sizes = shards.sizes() ?? [];
  return [
    gauge(
      'orb_frontier_urls',
      'URLs that wait to be asked, by shard of the circle; absent until they are counted.',
      sizes.map((value, shard) => ({ value, labels: { shard: String(shard) } })),
    ),
    gauge('orb_urls', 'Known URLs of the whole crawl, by state.', labelled('state', urls)),
    gauge('orb_urls_parked', 'Waiting URLs that are over the budget of their domain.', parked),
    gauge('orb_urls_shelved', 'URLs that are set aside, because their job is paused.', shelved),
    gauge(
      'orb_visits_open',
      'Visits that were begun and are not durable yet.',
      node.worker.openVisits,
    ),
    gauge('orb_leases_open', 'Leases that are not settled.', node.frontier.stats().leased),
    gauge('orb_draining', '1 while nothing more is taken.', node.worker.isDraining ? 1 : 0),
    counter(
      'orb_lease_expiries_total',
      'Leases that ended unsettled: their URLs went back into the queue.',
      node.worker.counts.expired,
    ),
  ];
}

function hostFamilies(node: CrawlNode, survey: HostSurvey): Family[] {
  const { hosts, ready, sleeping } = node.frontier.stats();
  const { quotaUsedMax, byQuota, flagged, backedOff } = survey.summary();
  return [
    gauge('orb_hosts', 'Hosts that are known.', hosts),
    gauge(
      'orb_hosts_in_turn',
      'Hosts, or addresses of several, with something to ask: ready, or waiting for their turn.',
      labelled('state', { ready, waiting: sleeping }),
    ),
    gauge(
      'orb_host_quota_used_ratio',
      "The largest share of its day's fetches that any host has used.",
      quotaUsedMax,
    ),
    gauge(
      'orb_hosts_quota_used',
      "Hosts that have used at least this share of their day's fetches.",
      byQuota.map((value, i) => ({ value, labels: { at_least: String(QUOTA_STEPS[i]) } })),
    ),
    gauge(
      'orb_hosts_flagged',
      'Hosts by what was found out about them.',
      labelled('flag', flagged),
    ),
    gauge(
      'orb_hosts_backed_off',
      'Hosts that are asked less often after 429, 503 or errors.',
      backedOff,
    ),
  ];
}

function robotsFamilies(node: CrawlNode): Family[] {
  const { robotsAsked, robotsDisallowed, trapsSkipped } = node.worker.counts;
  return [
    counter('orb_robots_asked_total', 'URLs that robots.txt was asked about.', robotsAsked),
    counter('orb_robots_disallowed_total', 'URLs that robots.txt forbade.', robotsDisallowed),
    counter(
      'orb_traps_found_total',
      'Families of URLs that were found to be a trap.',
      node.frontier.attention.trapsFound,
    ),
    counter(
      'orb_trap_urls_skipped_total',
      'URLs that were left out as part of a trap.',
      trapsSkipped,
    ),
  ];
}

function pageFamilies(meter: Meter): Family[] {
  const { visits, pages, exactCopies: exact, nearCopies: near, soft404s, outlinks } = meter;
  return [
    counter(
      'orb_visits_total',
      'URLs that were settled, by what came of them; retrying are retries to come.',
      labelled('state', visits),
    ),
    counter('orb_pages_total', 'Pages whose body was read.', pages),
    counter(
      'orb_duplicate_pages_total',
      'Pages with the bytes of another page, or nearly its words.',
      labelled('kind', { exact, near }),
    ),
    counter(
      'orb_soft404_pages_total',
      'Pages that say 200 and mean that nothing is there.',
      soft404s,
    ),
    histogram('orb_outlinks_per_page', 'Links of a page.', outlinks),
  ];
}

function seenFamilies(meter: Meter, filter: SeenFilter): Family[] {
  const { keys, bytes, complete, falsePositiveRate } = filter.stats();
  return [
    counter('orb_urls_admitted_total', 'URLs that turned out to be new.', meter.admitted),
    counter(
      'orb_seen_filter_asked_total',
      'URLs that the seen filter was asked about.',
      meter.filterAsked,
    ),
    counter('orb_seen_filter_maybe_total', 'Of them: it had perhaps met them.', meter.filterMaybe),
    counter(
      'orb_seen_filter_false_total',
      'Of those: it had not, and the store was asked in vain.',
      meter.filterFalse,
    ),
    gauge('orb_seen_filter_keys', 'URLs in the seen filter.', keys),
    gauge('orb_seen_filter_bytes', 'Memory of the seen filter.', bytes),
    gauge(
      'orb_seen_filter_expected_false_ratio',
      'Chance that a new URL is taken for a known one, from the bits that are set.',
      falsePositiveRate,
    ),
    gauge('orb_seen_filter_complete', '0 while the filter is being rebuilt.', complete ? 1 : 0),
  ];
}

function recrawlFamilies({ meter, clock, node }: CrawlMetricsParts): Family[] {
  const { oldestDueAt, requeued, lateSeconds } = meter;
  const lagMs = oldestDueAt === undefined ? 0 : Math.max(0, clock.now() - oldestDueAt);
  const { pages, perDay } = node.recrawl.demand;
  return [
    gauge(
      'orb_recrawl_lag_seconds',
      'How long the URL that is due longest has been so; 0 when none is.',
      lagMs / SECOND_MS,
    ),
    counter(
      'orb_requeued_total',
      'URLs that came due, or were to be retried, and wait again.',
      requeued,
    ),
    histogram('orb_requeue_late_seconds', 'How late they were by then.', lateSeconds),
    gauge('orb_recrawl_pages', 'Pages that are visited again and again.', pages),
    gauge('orb_recrawl_wanted_per_second', 'Visits that they ask for.', perDay / SECONDS_PER_DAY),
  ];
}

const SECONDS_PER_DAY = 86_400;

function commitFamilies({ meter, node }: CrawlMetricsParts): Family[] {
  return [
    histogram(
      'orb_commit_duration_seconds',
      'What a commit to the store took.',
      meter.commitSeconds,
    ),
    counter('orb_commit_failures_total', 'Commits that the store refused.', meter.commitsFailed),
    counter(
      'orb_late_results_total',
      'Visits whose results were refused: their host was already that of another node (P5).',
      node.settling.own?.late ?? 0,
    ),
    gauge(
      'orb_commit_queue',
      'Endings and commits on their way to the store.',
      node.settling.pending,
    ),
  ];
}

function knownFamilies({ complaints = 0 }: Known, targetPerSecond: number): Family[] {
  return [
    counter('orb_complaints_total', 'Complaints on record.', complaints),
    gauge(
      'orb_fetches_target_per_second',
      'What an operator expects of this process; 0 is no target.',
      targetPerSecond,
    ),
  ];
}
