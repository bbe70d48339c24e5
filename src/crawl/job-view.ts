/** A job as people see it: what was asked for, what became of it, and how far it is. */
import type { Instant } from '../base/instant.ts';
import type { JobEnd, JobEntry, JobPriority } from '../ports/job-book.ts';
import { type JobCounts, NO_COUNTS } from '../ports/job-counts.ts';
import type { ScopeKind } from '../url/index.ts';

export type JobState = 'running' | 'paused' | 'done' | 'cancelled';

export interface Job {
  readonly id: number;
  readonly name: string;
  readonly state: JobState;
  readonly endedBy?: JobEnd | 'finished';
  readonly createdAt: Instant;
  readonly pausedAt?: Instant;
  readonly endedAt?: Instant;
  readonly seeds: number;
  readonly priority: JobPriority;
  readonly scope: ScopeKind;
  readonly depth?: number;
  readonly limits: { readonly pages?: number; readonly until?: Instant };
  readonly counts: JobCounts;
}

export type JobAct = 'pause' | 'resume' | 'cancel';

/** What came of an operator's word: the job as it is now, or why not. */
export type Steered =
  | { readonly job: Job }
  | { readonly refused: 'unknown' | 'state'; readonly reason: string };

/** `end` is what the entry says, or a limit that is reached and not written yet. */
export function jobView(entry: JobEntry, counts = NO_COUNTS, end?: JobEnd, isSown = true): Job {
  const { id, name, createdAt, seeds, priority, scope, depth, pausedAt, endedAt } = entry;
  const { pagesMax: pages, until } = entry;
  const isOver = end !== undefined || (isSown && isFinished(entry, counts));
  const isPaused = !isOver && pausedAt !== undefined;
  return {
    ...{ id, name, state: isOver ? overState(end) : isPaused ? 'paused' : 'running' },
    ...(isOver && { endedBy: end ?? 'finished' }),
    createdAt,
    ...(isPaused && { pausedAt }),
    ...(isOver && endedAt !== undefined && { endedAt }),
    ...{ seeds, priority, scope, ...(depth !== undefined && { depth }) },
    limits: { ...(pages !== undefined && { pages }), ...(until !== undefined && { until }) },
    counts,
  };
}

function overState(end: JobEnd | undefined): JobState {
  return end === 'cancelled' ? 'cancelled' : 'done';
}

/** Nothing of it waits, is held, or is to be tried again. */
export function isFinished({ id }: JobEntry, { waiting, retrying, held }: JobCounts): boolean {
  return id > 0 && waiting + retrying + held <= 0;
}

/** Why a job in this state cannot be told so; undefined when it can. */
export function refusalOf({ id, state, endedBy = 'finished' }: Job, act: JobAct) {
  const name = id === 0 ? 'The crawl itself' : `Job ${id}`;
  if (id === 0 && act === 'cancel') {
    return 'The crawl itself cannot be cancelled; pause it, or stop the service.';
  }
  if (state === 'done' || state === 'cancelled') return `${name} is over: ${END_TEXT[endedBy]}.`;
  if (act === 'pause' && state === 'paused') return `${name} is paused already.`;
  if (act === 'resume' && state === 'running') return `${name} is not paused.`;
  return undefined;
}

const END_TEXT: Readonly<Record<JobEnd | 'finished', string>> = {
  finished: 'everything it named is done',
  page_limit: 'it reached its limit of pages',
  time_limit: 'its time is up',
  cancelled: 'it was cancelled',
};
