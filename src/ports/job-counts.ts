/**
 * What each job has come to, counted by the store in the commit that makes it so: exact after
 * kill -9, and derived here once for all engines.
 *
 *   named ─▶ waiting ⇄ held (its job is paused)
 *               │  └▶ forgotten: its job has ended
 *               └▶ fetched | failed | skipped | retrying ─▶ waiting
 *
 * Job 0 is the crawl itself and has every visit that is not a job's: what comes again by a
 * recrawl is counted there each time.
 */
import type { UrlRecord, UrlState, Waiting } from '../record/index.ts';
import type { Commit, Settled, Totals } from './shard-store.ts';

export interface JobCounts {
  readonly named: number;
  readonly waiting: number;
  /** Failed, and to be tried again later. */
  readonly retrying: number;
  /** On the shelf. */
  readonly held: number;
  /** Requests for pages, retries included: what a limit of pages limits. */
  readonly asked: number;
  readonly fetched: number;
  readonly failed: number;
  readonly skipped: number;
  readonly bytes: number;
}

export const NO_COUNTS: JobCounts = {
  ...{ named: 0, waiting: 0, retrying: 0, held: 0, asked: 0 },
  ...{ fetched: 0, failed: 0, skipped: 0, bytes: 0 },
};

/** What a commit turned out to change, besides what it says itself. */
export interface Effects {
  /** One for each admission: was it new? */
  readonly fresh: readonly boolean[];
  readonly shelved: readonly Waiting[];
  readonly unshelved: readonly Waiting[];
  readonly forgotten: readonly Forgotten[];
  readonly erased: readonly Erased[];
}

export interface Forgotten {
  readonly waiting: Waiting;
  readonly wasShelved: boolean;
}

/** An erased URL: what it was, and whether it waited or lay on the shelf. */
export interface Erased {
  readonly before: UrlRecord | undefined;
  readonly isWaiting: boolean;
  readonly shelf: Waiting | undefined;
}

/** A retry belongs to the job that has never had the page; later visits are the crawl's own. */
export function retryJobOf({ state, visits, job }: UrlRecord): number {
  return state === 'retrying' && visits === 0 ? job : 0;
}

const COUNTED: Readonly<Partial<Record<UrlState, keyof JobCounts>>> = {
  ...{ indexed: 'fetched', skipped: 'skipped', dead: 'failed', failed: 'failed' },
};

/** The counts that are others now, by job. */
export function jobCountsAfter(
  counts: ReadonlyMap<number, JobCounts>,
  commit: Commit,
  effects: Effects,
): Map<number, JobCounts> {
  const sums = new Sums(counts);
  commit.admitted.forEach(({ waiting }, i) => {
    if (!effects.fresh[i]) return;
    const sum = sums.of(waiting.job);
    sum.named++;
    sum.waiting++;
  });
  for (const settled of commit.settled) countSettled(sums, settled);
  for (const { waiting } of commit.requeued) {
    sums.of(waiting.job).waiting++;
    if (waiting.fails > 0) sums.of(waiting.job).retrying--;
  }
  for (const { job } of effects.shelved) sums.move(job, 'waiting', 'held');
  for (const { job } of effects.unshelved) sums.move(job, 'held', 'waiting');
  for (const { waiting, wasShelved } of effects.forgotten) {
    sums.of(waiting.job)[wasShelved ? 'held' : 'waiting']--;
  }
  for (const erased of effects.erased) countErased(sums, erased);
  return sums.changed;
}

function countSettled(sums: Sums, settled: Settled): void {
  const { waiting, record, isAsked = false, bytes = 0 } = settled;
  const sum = sums.of(waiting.job);
  sum.waiting--;
  sum.bytes += bytes;
  if (isAsked) sum.asked++;
  const counted = COUNTED[record.state];
  if (record.state === 'retrying') sums.of(retryJobOf(record)).retrying++;
  else if (counted !== undefined) sum[counted]++;
}

function countErased(sums: Sums, { before, isWaiting, shelf }: Erased): void {
  if (shelf !== undefined) sums.move(shelf.job, 'held', 'skipped');
  else if (before?.state === 'retrying' && !isWaiting) {
    sums.move(retryJobOf(before), 'retrying', 'skipped');
  }
}

type Sum = { -readonly [name in keyof JobCounts]: number };

class Sums {
  readonly #before: ReadonlyMap<number, JobCounts>;
  readonly changed = new Map<number, Sum>();

  constructor(before: ReadonlyMap<number, JobCounts>) {
    this.#before = before;
  }

  of(job = 0): Sum {
    let sum = this.changed.get(job);
    if (sum === undefined) {
      sum = { ...(this.#before.get(job) ?? NO_COUNTS) };
      this.changed.set(job, sum);
    }
    return sum;
  }

  move(job: number | undefined, from: keyof JobCounts, to: keyof JobCounts): void {
    const sum = this.of(job);
    sum[from]--;
    sum[to]++;
  }
}

/** Of a folder whose crawl was counted as a whole only. */
export function countsFrom(totals: Totals): JobCounts {
  const { known: named, waiting, retrying, asked, fetched, failed, skipped, bytes } = totals;
  return { ...NO_COUNTS, named, waiting, retrying, asked, fetched, failed, skipped, bytes };
}
