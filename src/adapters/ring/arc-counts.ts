/**
 * Counts by arc, which move with it (commit-parts.ts). Those of a node are a sum over the arcs that
 * it owns, and those of the ring a sum over its nodes.
 *
 *   t arc        totals, and what of them is the crawl's own       t arc job(4)   of a job
 */
import type { ArcLog } from '../../ports/arc-log.ts';
import { type Effects, type JobCounts, NO_COUNTS } from '../../ports/job-counts.ts';
import { type Commit, NO_TOTALS, type Totals } from '../../ports/shard-store.ts';
import { ARCS } from '../../url/index.ts';
import {
  type CountRows,
  type Counts,
  countsAfter,
  countsIn,
  jobRowsOf,
} from '../embedded/job-rows.ts';
import { after, arcKey, TABLE } from '../embedded/keys.ts';
import type { LsmRows } from '../embedded/lsm.ts';
import type { RowOp } from './bodies.ts';
import { type CountPart, partsOf } from './commit-parts.ts';
import { arcIn } from './tables.ts';

const ROWS_MAX = 1_000_000;
const JOB_BYTES = 4;
const TOTAL_NAMES = Object.keys(NO_TOTALS) as (keyof Totals)[];
const JOB_NAMES = Object.keys(NO_COUNTS) as (keyof JobCounts)[];

export interface ArcCount extends Counts {
  readonly arc: number;
  readonly epoch: number;
}

interface Known {
  readonly epoch: number;
  readonly counts: Counts;
}

export class ArcCounts implements CountRows {
  readonly #lsm: Pick<LsmRows, 'rows'>;
  readonly #log: Pick<ArcLog, 'epochOf'>;
  /** As of the epoch in which they were read: in another the rows are another's. */
  readonly #known = new Map<number, Known>();
  /** Whoever has read rows while some were written knows nothing. */
  #changes = 0;

  constructor(lsm: Pick<LsmRows, 'rows'>, log: Pick<ArcLog, 'epochOf'>) {
    this.#lsm = lsm;
    this.#log = log;
  }

  async totals(): Promise<Totals> {
    return summed(
      NO_TOTALS,
      TOTAL_NAMES,
      (await this.byArc()).map(({ totals }) => totals),
    );
  }

  async jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    const all = new Map<number, JobCounts[]>([[0, []]]);
    for (const { jobs } of await this.byArc()) {
      for (const [job, counts] of jobs) {
        if (all.get(job)?.push(counts) === undefined) all.set(job, [counts]);
      }
    }
    return new Map([...all].map(([job, counts]) => [job, summed(NO_COUNTS, JOB_NAMES, counts)]));
  }

  /** Of each arc that is ours, with its epoch. */
  async byArc(): Promise<readonly ArcCount[]> {
    const owned = ALL_ARCS.flatMap((arc) => {
      const epoch = this.#log.epochOf(arc);
      return epoch === undefined ? [] : [{ arc, epoch }];
    });
    return Promise.all(
      owned.map(async ({ arc, epoch }) => ({ arc, epoch, ...(await this.#of(arc, epoch)) })),
    );
  }

  async after(ops: RowOp[], commit: Commit, effects: Effects): Promise<() => void> {
    const parts = partsOf(commit, effects, firstArcIn(ops) ?? this.#anyArc());
    const written: (() => void)[] = [];
    for (const [arc, part] of parts) written.push(await this.#afterPart(ops, arc, part));
    return () => {
      for (const one of written) one();
    };
  }

  async #afterPart(ops: RowOp[], arc: number, part: CountPart): Promise<() => void> {
    const epoch = this.#log.epochOf(arc);
    const before = await this.#of(arc, epoch);
    const { totals, changed, row } = countsAfter(before, part.commit, part.effects);
    if (changed.size === 0 && isSame(totals, before.totals)) return () => {};
    ops.push({ type: 'put', key: arcKey(TABLE.counts, arc), value: row });
    for (const [job, value] of jobRowsOf(changed)) {
      ops.push({ type: 'put', key: jobKey(arc, job), value });
    }
    // Whatever comes of the write: until it is done, nobody knows them.
    this.#known.delete(arc);
    this.#changes++;
    return () => {
      this.#changes++;
      const counts = { totals, jobs: new Map([...before.jobs, ...changed]) };
      if (epoch !== undefined) this.#known.set(arc, { epoch, counts });
    };
  }

  /** For a change that comes without rows. */
  #anyArc(): number {
    return ALL_ARCS.find((arc) => this.#log.epochOf(arc) !== undefined) ?? 0;
  }

  async #of(arc: number, epoch: number | undefined): Promise<Counts> {
    const known = this.#known.get(arc);
    if (known !== undefined && known.epoch === epoch) return known.counts;
    const changes = this.#changes;
    const gte = arcKey(TABLE.counts, arc);
    const rows = await this.#lsm.rows({ gte, lt: after(gte), limit: ROWS_MAX });
    const whole = rows.find(([key]) => key.length === gte.length)?.[1];
    const jobs = rows.filter(([key]) => key.length === gte.length + JOB_BYTES);
    const counts = countsIn(
      whole,
      jobs.map(([key, value]) => [key.readUInt32BE(gte.length), value]),
    );
    const isNow = changes === this.#changes && this.#log.epochOf(arc) === epoch;
    if (epoch !== undefined && isNow) this.#known.set(arc, { epoch, counts });
    return counts;
  }
}

function firstArcIn(ops: readonly RowOp[]): number | undefined {
  for (const { key } of ops) {
    const arc = arcIn(key);
    if (arc !== undefined) return arc;
  }
  return undefined;
}

function isSame(one: Totals, other: Totals): boolean {
  return TOTAL_NAMES.every((name) => one[name] === other[name]);
}

const ALL_ARCS = Array.from({ length: ARCS }, (_, arc) => arc);

/** A row of counts that another node sent: numbers by name, and those of the crawl's own. */
export function isCountRow(row: Buffer): boolean {
  const counts: unknown = JSON.parse(row.toString());
  if (!isObject(counts)) return false;
  const { own = {}, ...told } = counts;
  return isObject(own) && [...Object.values(own), ...Object.values(told)].every(Number.isFinite);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jobKey(arc: number, job: number): Buffer {
  const name = Buffer.allocUnsafe(JOB_BYTES);
  name.writeUInt32BE(job);
  return arcKey(TABLE.counts, arc, name);
}

function summed<T extends Readonly<Record<keyof T, number>>>(
  none: T,
  names: readonly (keyof T)[],
  all: readonly T[],
): T {
  const sum: Record<keyof T, number> = { ...none };
  for (const one of all) for (const name of names) sum[name] += one[name];
  return sum as T;
}
