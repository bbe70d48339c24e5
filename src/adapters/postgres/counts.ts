/**
 * Counts, kept by each writer in rows of its own: a row that all nodes had to change would make
 * their commits wait for one another. The whole is the sum, and exact when it is asked for.
 */
import { type Effects, type JobCounts, jobCountsAfter, NO_COUNTS } from '../../ports/job-counts.ts';
import { addTotals, type Commit, NO_TOTALS, type Totals } from '../../ports/shard-store.ts';
import type { Send } from './link.ts';
import { READ } from './reads.ts';

type Sum = Record<string, number>;
export type Jobs = ReadonlyMap<number, JobCounts>;

export interface WriterRow {
  readonly id: number;
  readonly totals: Partial<Totals>;
}

export interface JobRow {
  readonly writer: number;
  readonly job: number;
  readonly counts: Partial<JobCounts>;
}

/** What one commit makes of a writer's counts. */
export interface Counted {
  readonly totals: Totals;
  /** Of jobs whose counts are others now. */
  readonly changed: Jobs;
}

/** The rows of all, as they stand now. */
export interface Seen {
  readonly writers: readonly WriterRow[];
  readonly jobs: readonly JobRow[];
}

export async function countedByAll(send: Send): Promise<Seen> {
  const [writers, jobs] = await Promise.all([
    send<WriterRow>(READ.writers),
    send<JobRow>(READ.jobCounts),
  ]);
  return { writers, jobs };
}

/** A writer's own counts, and what the others had counted when it last looked. */
export class Counts {
  /** Whose these are: a number that no other opening of this store has. */
  writer: number | undefined;
  #own: Totals = NO_TOTALS;
  #others: Totals = NO_TOTALS;
  readonly #ownJobs = new Map<number, JobCounts>();
  #otherJobs: Jobs = new Map();

  after(commit: Commit, effects: Effects): Counted {
    return {
      totals: addTotals(this.#own, commit, effects),
      changed: jobCountsAfter(this.#ownJobs, commit, effects),
    };
  }

  /** Once it is committed. */
  take({ totals, changed }: Counted): void {
    this.#own = totals;
    for (const [job, counts] of changed) this.#ownJobs.set(job, counts);
  }

  see({ writers, jobs }: Seen): void {
    const others = writers.filter(({ id }) => id !== this.writer);
    this.#others = others.reduce((sum, { totals }) => plus(sum, totals), NO_TOTALS);
    this.#otherJobs = sumOfJobs(
      new Map(),
      jobs.filter(({ writer }) => writer !== this.writer).map(({ job, counts }) => [job, counts]),
    );
  }

  totals(): Totals {
    return plus(this.#others, this.#own);
  }

  jobs(): Jobs {
    return sumOfJobs(this.#otherJobs, [...this.#ownJobs]);
  }
}

function sumOfJobs(start: Jobs, more: readonly (readonly [number, Partial<JobCounts>])[]): Jobs {
  const sums = new Map(start);
  for (const [job, counts] of more) sums.set(job, plus(sums.get(job) ?? NO_COUNTS, counts));
  return sums;
}

function plus<T extends object>(a: T, b: Partial<T>): T {
  const sum: Sum = { ...(a as Sum) };
  for (const [name, value] of Object.entries(b as Sum)) sum[name] = (sum[name] ?? 0) + value;
  return sum as T;
}
