/**
 * The meter of a crawl: plain numbers that rise while it runs, and nothing else.
 *
 *   exchanged   a request came to its end          commits     a batch became durable
 *   visited     a URL was settled                  admitted    URLs were taken for new, or not
 *   requeued    URLs that were due wait again      told        what the event log was told
 *
 * metrics-ports.ts adds to it, metrics.ts names what it holds.
 */
import type { Instant } from '../base/instant.ts';
import { SECOND_MS } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';
import type { FailureReason, Outcome } from '../fetch/index.ts';
import { bounds, count, counts, Histogram, OTHER } from '../metrics/index.ts';
import type { Admission, Commit, Settled } from '../ports/shard-store.ts';
import { FLAGS, type UrlState } from '../record/index.ts';

/** By the first digit of the status. */
const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];
const FAILURES: readonly FailureReason[] = [
  ...(['dns', 'connect', 'tls', 'connect-timeout', 'first-byte-timeout'] as const),
  ...(['whole-timeout', 'header-limit', 'protocol', 'closed', 'aborted'] as const),
];
const ENDS: readonly UrlState[] = ['indexed', 'dead', 'failed', 'retrying', 'skipped'];
const BUSY = [429, 503] as const;

export class Meter {
  inFlight = 0;
  receivedBytes = 0;
  readonly fetches = counts(CLASSES);
  readonly failures = counts(FAILURES);
  readonly busy: Record<(typeof BUSY)[number], number> = { 429: 0, 503: 0 };
  readonly fetchSeconds = new Histogram(bounds(0.001, 2, 17));

  readonly visits = counts(ENDS);
  pages = 0;
  exactCopies = 0;
  nearCopies = 0;
  soft404s = 0;
  readonly outlinks = new Histogram([
    0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 500, 1e3, 2e3, 5e3,
  ]);

  filterAsked = 0;
  filterMaybe = 0;
  filterFalse = 0;
  admitted = 0;

  requeued = 0;
  readonly lateSeconds = new Histogram([1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800]);
  /** The earliest that was due when the scheduler last looked. */
  oldestDueAt: Instant | undefined;

  readonly commitSeconds = new Histogram(bounds(0.0005, 2, 15));
  commitsFailed = 0;

  exchanged(outcome: Outcome): void {
    if (outcome.kind === 'refused') return;
    if (outcome.kind === 'failed') {
      count(this.fetches, 'none');
      count(this.failures, outcome.reason);
      return;
    }
    const { status, body, timing } = outcome;
    count(this.fetches, CLASSES[Math.floor(status / 100)] ?? OTHER);
    if (status === 429 || status === 503) this.busy[status]++;
    this.receivedBytes += body.length;
    this.fetchSeconds.observe(timing.wholeMs / SECOND_MS);
  }

  visited({ record, trace }: Settled): void {
    count(this.visits, record.state);
    const { kind, contentHash, flags } = record;
    // Without a trace no body was read: what its flags say was counted when it was.
    if (kind !== 'page' || trace === undefined || contentHash.length === 0) return;
    this.pages++;
    if ((flags & FLAGS.alias) !== 0) this.exactCopies++;
    if ((flags & FLAGS.near_duplicate) !== 0) this.nearCopies++;
    if ((flags & FLAGS.soft_404) !== 0) this.soft404s++;
  }

  /** While the filter is being rebuilt it says 'maybe' to everything: that is no mistake of it. */
  admissions(admitted: readonly Admission[], fresh: readonly boolean[], isComplete: boolean): void {
    for (let i = 0; i < admitted.length; i++) {
      if (fresh[i]) this.admitted++;
      if (!isComplete) continue;
      this.filterAsked++;
      if (!(admitted[i] as Admission).maybeKnown) continue;
      this.filterMaybe++;
      if (fresh[i]) this.filterFalse++;
    }
  }

  comeback(requeued: Commit['requeued'], now: Instant): void {
    for (const { due } of requeued) {
      this.requeued++;
      this.lateSeconds.observe(Math.max(0, now - due.at) / SECOND_MS);
    }
  }

  told(event: FetchEvent): void {
    const { kind, links, contentHash, redirectTo } = event;
    const isPage = kind === 'page' && contentHash !== undefined && redirectTo === undefined;
    if (isPage && links !== undefined && event.status === 200) this.outlinks.observe(links);
  }
}
