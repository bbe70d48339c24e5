/**
 * Counts, kept by each writer in a row of its own and written with its commits; the whole is the
 * sum, and exact when it is asked for. The same row keeps the instant of the writer's last commit:
 * nobody who comes after it may write with an earlier one.
 */
import { type Effects, type JobCounts, jobCountsAfter, NO_COUNTS } from '../../ports/job-counts.ts';
import { addTotals, type Commit, NO_TOTALS, type Totals } from '../../ports/shard-store.ts';
import type { Link } from './link.ts';
import type { Whole } from './rows.ts';
import { numberOf, type RowChange } from './statements.ts';

const CQL = {
  writers: 'SELECT id, clock, totals FROM @writer WHERE crawl = ?',
  jobs: 'SELECT writer, job, counts FROM @job_count WHERE crawl = ?',
} as const;

interface WriterRow {
  readonly id: string;
  readonly clock: Whole | null;
  readonly totals: string | null;
}

interface JobRow {
  readonly writer: string;
  readonly job: number;
  readonly counts: string;
}

type Jobs = ReadonlyMap<number, JobCounts>;

/** What one commit makes of its writer's counts. */
export interface Counted {
  readonly totals: Totals;
  /** Of jobs whose counts are others now. */
  readonly changed: Jobs;
}

export class Sums {
  readonly #link: Link;
  readonly #crawl: string;
  readonly #writer: string;
  #own: Totals = NO_TOTALS;
  readonly #ownJobs = new Map<number, JobCounts>();
  /** As of the last look. */
  #others: Totals = NO_TOTALS;
  #otherJobs: Jobs = new Map();

  constructor(link: Link, crawl: string, writer: string) {
    this.#link = link;
    this.#crawl = crawl;
    this.#writer = writer;
  }

  async writers(): Promise<string[]> {
    const rows = await this.#link.run<WriterRow>(CQL.writers, [this.#crawl]);
    return rows.map(({ id }) => id);
  }

  /** Also what this writer had counted when it was opened before. Answers as look() does. */
  async open(): Promise<number> {
    const [writers, jobs] = await this.#rows();
    const own = writers.find(({ id }) => id === this.#writer);
    const totals = { ...NO_TOTALS, ...(JSON.parse(own?.totals ?? '{}') as Partial<Totals>) };
    const mine = jobs.filter(({ writer }) => writer === this.#writer);
    const changed = new Map(
      mine.map(({ job, counts }) => [job, JSON.parse(counts) as JobCounts] as const),
    );
    this.take({ totals, changed });
    return this.#see(writers, jobs);
  }

  /** What all have counted by now; answers the latest instant of their commits. */
  async look(): Promise<number> {
    const [writers, jobs] = await this.#rows();
    return this.#see(writers, jobs);
  }

  after(commit: Commit, effects: Effects): Counted {
    const changed = jobCountsAfter(this.#ownJobs, commit, effects);
    return { totals: addTotals(this.#own, commit, effects), changed };
  }

  /** As rows of the commit. */
  changes({ totals, changed }: Counted, at: number): RowChange[] {
    const own = { number: numberOf('totals'), values: [this.#writer, at, JSON.stringify(totals)] };
    const jobs = [...changed].map(([job, counts]) => ({
      number: numberOf('jobCounts'),
      values: [this.#writer, job, JSON.stringify(counts)],
    }));
    return [own, ...jobs];
  }

  /** Once it is done. */
  take({ totals, changed }: Counted): void {
    this.#own = totals;
    for (const [job, counts] of changed) this.#ownJobs.set(job, counts);
  }

  totals(): Totals {
    return plus(this.#others, this.#own);
  }

  jobs(): Jobs {
    return withJobs(this.#otherJobs, [...this.#ownJobs]);
  }

  #rows(): Promise<[WriterRow[], JobRow[]]> {
    return Promise.all([
      this.#link.run<WriterRow>(CQL.writers, [this.#crawl]),
      this.#link.run<JobRow>(CQL.jobs, [this.#crawl]),
    ]);
  }

  #see(writers: readonly WriterRow[], jobs: readonly JobRow[]): number {
    this.#others = writers
      .filter(({ id }) => id !== this.#writer)
      .reduce((sum, { totals }) => plus(sum, JSON.parse(totals ?? '{}')), NO_TOTALS);
    const others = jobs.filter(({ writer }) => writer !== this.#writer);
    this.#otherJobs = withJobs(
      new Map(),
      others.map(({ job, counts }) => [job, JSON.parse(counts)]),
    );
    return Math.max(0, ...writers.map(({ clock }) => clock?.toNumber() ?? 0));
  }
}

function withJobs(sums: Jobs, more: readonly (readonly [number, JobCounts])[]): Jobs {
  const all = new Map(sums);
  for (const [job, counts] of more) all.set(job, plus(all.get(job) ?? NO_COUNTS, counts));
  return all;
}

function plus<T extends object>(a: T, b: Partial<T>): T {
  const sum = { ...a } as Record<string, number>;
  for (const [name, value] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + Number(value);
  return sum as T;
}
