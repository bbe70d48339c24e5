/**
 * What the hosts of a frontier look like together: how much of the day they have used, and what
 * was found out about them. Never one by one: a host is no label.
 *
 * All hosts are looked at for it, at some 80 ns each. A reader who asks all the time must not cost
 * the crawl more than 2%, so the answer holds for a while that grows with the hosts.
 */
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { Host, Politeness } from '../frontier/index.ts';
import { HOST_FLAGS } from '../record/index.ts';

/** Shares of the day's quota; hosts at or above each are counted. */
export const QUOTA_STEPS = [0.01, 0.1, 0.5, 0.9, 1] as const;
const FLAGS_TOLD = ['trap', 'soft_404', 'content_farm', 'denied'] as const;
/** For each host: an answer over a million of them holds for five seconds. */
const HOLDS_MS = 0.005;

export interface HostSummary {
  /** The largest share of its day's fetches that any host has used. */
  readonly quotaUsedMax: number;
  /** In the order of QUOTA_STEPS. */
  readonly byQuota: readonly number[];
  readonly flagged: Readonly<Record<string, number>>;
  /** Told by 429 and 503, or by errors, to be asked less often. */
  readonly backedOff: number;
  readonly hosts: number;
}

export class HostSurvey {
  readonly #hosts: () => Iterable<Readonly<Host>>;
  readonly #policy: Politeness;
  readonly #now: () => Instant;
  #last: HostSummary | undefined;
  #notBefore: Instant = 0;

  constructor(hosts: () => Iterable<Readonly<Host>>, policy: Politeness, now: () => Instant) {
    this.#hosts = hosts;
    this.#policy = policy;
    this.#now = now;
  }

  summary(): HostSummary {
    const begun = this.#now();
    if (this.#last !== undefined && begun < this.#notBefore) return this.#last;
    this.#last = summaryOf(this.#hosts(), this.#policy.fetchesPerDayMax, begun);
    this.#notBefore = begun + HOLDS_MS * this.#last.hosts;
    return this.#last;
  }
}

export function summaryOf(
  hosts: Iterable<Readonly<Host>>,
  perDayMax: number,
  now: Instant,
): HostSummary {
  const today = Math.floor(now / DAY_MS);
  const steps = QUOTA_STEPS.map((step) => step * perDayMax);
  const byQuota = new Array<number>(steps.length).fill(0);
  const flagged = new Array<number>(FLAGS_TOLD.length).fill(0);
  const bits = FLAGS_TOLD.map((name) => HOST_FLAGS[name]);
  let [most, backedOff, many] = [0, 0, 0];
  for (const { quotaDay, fetchedToday, flags, backoff } of hosts) {
    const used = quotaDay === today ? fetchedToday : 0;
    many++;
    if (used > most) most = used;
    if (backoff > 1) backedOff++;
    for (let i = 0; i < steps.length && used >= (steps[i] as number); i++) byQuota[i]!++;
    if (flags !== 0) bits.forEach((bit, i) => void ((flags & bit) !== 0 && flagged[i]!++));
  }
  return {
    quotaUsedMax: perDayMax > 0 ? most / perDayMax : 0,
    byQuota,
    flagged: Object.fromEntries(FLAGS_TOLD.map((name, i) => [name, flagged[i] as number])),
    backedOff,
    hosts: many,
  };
}
