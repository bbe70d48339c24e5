/**
 * Counts of arcs as bytes, and bytes of others as counts, or as nothing (D8).
 *
 *   {"v":1,"arcs":[[arc,epoch,[known,waiting,…],[[job,[named,waiting,…]],…]],…]}
 *
 * At most CALL_BYTES_MAX: of too many jobs the oldest are left out.
 */
import { type JobCounts, NO_COUNTS } from '../ports/job-counts.ts';
import { CALL_BYTES_MAX } from '../ports/ring-calls.ts';
import { NO_TOTALS, type Totals } from '../ports/shard-store.ts';
import { ARCS } from '../url/index.ts';
import type { ArcCount } from './ring-counts.ts';

const VERSION = 1;
const TOTAL_NAMES = Object.keys(NO_TOTALS) as (keyof Totals)[];
const JOB_NAMES = Object.keys(NO_COUNTS) as (keyof JobCounts)[];

export function encodeCounts(counts: readonly ArcCount[]): Buffer {
  const jobs = [...new Set(counts.flatMap((one) => [...one.jobs.keys()]))].sort((a, b) => b - a);
  for (let told = jobs.length; ; told >>= 1) {
    const oldest = jobs[told - 1] ?? Number.POSITIVE_INFINITY;
    const bytes = Buffer.from(JSON.stringify({ v: VERSION, arcs: counts.map(rowOf(oldest)) }));
    if (bytes.length <= CALL_BYTES_MAX || told === 0) return bytes;
  }
}

function rowOf(oldest: number) {
  return ({ arc, epoch, totals, jobs }: ArcCount) => {
    const told = [...jobs].filter(([job]) => job >= oldest);
    const rows = told.map(([job, counts]) => [job, JOB_NAMES.map((name) => counts[name])]);
    return [arc, epoch, TOTAL_NAMES.map((name) => totals[name]), rows];
  };
}

export function decodeCounts(bytes: Uint8Array): readonly ArcCount[] | undefined {
  try {
    const said = JSON.parse(Buffer.from(bytes).toString()) as { v?: unknown; arcs?: unknown };
    if (said?.v !== VERSION || !Array.isArray(said.arcs) || said.arcs.length > ARCS) return;
    return said.arcs.map(countIn);
  } catch {
    return undefined;
  }
}

/** Throws when it is none. */
function countIn(row: unknown): ArcCount {
  const [arc, epoch, totals, jobs] = row as [unknown, unknown, unknown, unknown];
  if (!isCount(arc) || arc >= ARCS || !isCount(epoch) || !Array.isArray(jobs)) throw NONE;
  const read = jobs.map((one: unknown): [number, JobCounts] => {
    const [job, counts] = one as [unknown, unknown];
    if (!isCount(job)) throw NONE;
    return [job, named(JOB_NAMES, counts)];
  });
  return { arc, epoch, totals: named(TOTAL_NAMES, totals), jobs: new Map(read) };
}

function named<N extends string>(names: readonly N[], values: unknown): Record<N, number> {
  if (!Array.isArray(values) || values.length !== names.length) throw NONE;
  if (!values.every((value) => Number.isSafeInteger(value))) throw NONE;
  return Object.fromEntries(names.map((name, nth) => [name, values[nth]])) as Record<N, number>;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const NONE = new RangeError('no counts');
