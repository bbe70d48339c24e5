/**
 * Counts as rows: those of the whole crawl, and of the crawl's own URLs with them, in one that
 * every commit writes; those of each job in a row that is written when they change.
 */
import { countsFrom, type JobCounts, NO_COUNTS } from '../../ports/job-counts.ts';
import { NO_TOTALS, type Totals } from '../../ports/shard-store.ts';
import * as keys from './keys.ts';
import type { Del, LsmRows, Put } from './lsm.ts';

export interface Counts {
  totals: Totals;
  readonly jobs: Map<number, JobCounts>;
}

const JOBS_MAX = 1_000_000;

export async function readCounts(lsm: LsmRows): Promise<Counts> {
  const [row] = await lsm.getMany([keys.TOTALS_KEY]);
  const { own, ...totals } = row === undefined ? {} : JSON.parse(row.toString());
  const counted = { ...NO_TOTALS, ...totals };
  const jobs = new Map<number, JobCounts>([[0, own ?? countsFrom(counted)]]);
  const table = Buffer.from([keys.TABLE.job]);
  for (const [key, value] of await lsm.rows({
    ...{ gte: table, lt: keys.after(table), limit: JOBS_MAX },
  })) {
    jobs.set(keys.jobIn(key), { ...NO_COUNTS, ...JSON.parse(value.toString()) });
  }
  return { totals: counted, jobs };
}

export function countOps(
  ops: (Put | Del)[],
  totals: Totals,
  changed: ReadonlyMap<number, JobCounts>,
  before: ReadonlyMap<number, JobCounts>,
): void {
  const own = changed.get(0) ?? before.get(0);
  const value = Buffer.from(JSON.stringify({ ...totals, own }));
  ops.push({ type: 'put', key: keys.TOTALS_KEY, value });
  for (const [job, counts] of changed) {
    if (job === 0) continue;
    ops.push({ type: 'put', key: keys.jobKey(job), value: Buffer.from(JSON.stringify(counts)) });
  }
}
