/**
 * Counts as rows: those of the whole crawl, and of the crawl's own URLs with them, in one that
 * every commit writes; those of each job in a row that is written when they change.
 */
import {
  countsFrom,
  type Effects,
  type JobCounts,
  jobCountsAfter,
  NO_COUNTS,
} from '../../ports/job-counts.ts';
import { addTotals, type Commit, NO_TOTALS, type Totals } from '../../ports/shard-store.ts';
import * as keys from './keys.ts';
import type { Del, LsmRows, Put } from './lsm.ts';

/** The counts of a store: on a ring they are kept by arc (../ring/arc-counts.ts). */
export interface CountRows {
  totals(): Promise<Totals>;
  jobs(): Promise<ReadonlyMap<number, JobCounts>>;
  /** Adds what a commit makes of them to its rows. What it answers is called when they are written. */
  after(ops: (Put | Del)[], commit: Commit, effects: Effects): Promise<() => void>;
}

export interface Counts {
  readonly totals: Totals;
  readonly jobs: ReadonlyMap<number, JobCounts>;
}

const JOBS_MAX = 1_000_000;

/** Of the whole crawl: one node has all of it. */
export class WholeCounts implements CountRows {
  #totals: Totals;
  readonly #jobs: Map<number, JobCounts>;

  private constructor({ totals, jobs }: Counts) {
    this.#totals = totals;
    this.#jobs = new Map(jobs);
  }

  static async open(lsm: LsmRows): Promise<WholeCounts> {
    const [row] = await lsm.getMany([keys.TOTALS_KEY]);
    const table = Buffer.from([keys.TABLE.job]);
    const rows = await lsm.rows({ gte: table, lt: keys.after(table), limit: JOBS_MAX });
    return new WholeCounts(
      countsIn(
        row,
        rows.map(([key, value]) => [keys.jobIn(key), value]),
      ),
    );
  }

  async totals(): Promise<Totals> {
    return this.#totals;
  }

  async jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    return this.#jobs;
  }

  async after(ops: (Put | Del)[], commit: Commit, effects: Effects): Promise<() => void> {
    const before = { totals: this.#totals, jobs: this.#jobs };
    const { totals, changed, row } = countsAfter(before, commit, effects);
    ops.push({ type: 'put', key: keys.TOTALS_KEY, value: row });
    for (const [job, value] of jobRowsOf(changed)) {
      ops.push({ type: 'put', key: keys.jobKey(job), value });
    }
    return () => {
      this.#totals = totals;
      for (const [job, counts] of changed) this.#jobs.set(job, counts);
    };
  }
}

/** Counts as their rows tell them. */
export function countsIn(
  row: Buffer | undefined,
  jobRows: readonly (readonly [job: number, value: Buffer])[],
): Counts {
  const { own, ...told } = row === undefined ? {} : JSON.parse(row.toString());
  const totals: Totals = { ...NO_TOTALS, ...told };
  const jobs = new Map<number, JobCounts>([[0, own ?? countsFrom(totals)]]);
  for (const [job, value] of jobRows) {
    jobs.set(job, { ...NO_COUNTS, ...JSON.parse(value.toString()) });
  }
  return { totals, jobs };
}

/** What a commit makes of them, and the row that every commit writes. */
export function countsAfter(before: Counts, commit: Commit, effects: Effects) {
  const totals = addTotals(before.totals, commit, effects);
  const changed = jobCountsAfter(before.jobs, commit, effects);
  const own = changed.get(0) ?? before.jobs.get(0);
  return { totals, changed, row: Buffer.from(JSON.stringify({ ...totals, own })) };
}

/** Of the jobs that have rows of their own. */
export function jobRowsOf(changed: ReadonlyMap<number, JobCounts>): [number, Buffer][] {
  const jobs = [...changed].filter(([job]) => job !== 0);
  return jobs.map(([job, counts]) => [job, Buffer.from(JSON.stringify(counts))]);
}
