/**
 * Jobs (A1): what was asked for, how far it is, and an operator's word on it. They are begun by
 * POST /crawl/seeds (seeds.ts); job 0 is the crawl itself.
 */
import Type, { type Static } from 'typebox';
import type { Job, JobAct } from '../../crawl/job-view.ts';
import type { Jobs } from '../../crawl/jobs.ts';
import type { CrawlSession } from '../../crawl/session.ts';
import { jsonAnswer } from './answer.ts';
import { keyOf, limitOf, NEXT_CURSOR, nextOf, slicing } from './cursor.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';

const INSTANT = () => Type.String({ format: 'date-time' });
const COUNT = (description: string) => Type.Integer({ description });
const ID_BYTES = 4;

const JOB = Type.Object({
  job_id: Type.String(),
  name: Type.String(),
  state: Type.Enum(['running', 'paused', 'done', 'cancelled']),
  ended_by: Type.Optional(Type.Enum(['finished', 'page_limit', 'time_limit', 'cancelled'])),
  created_at: INSTANT(),
  paused_at: Type.Optional(INSTANT()),
  ended_at: Type.Optional(INSTANT()),
  seeds: COUNT('URLs that its call brought'),
  priority: Type.Enum(['high', 'normal', 'low']),
  scope: Type.Enum(['host', 'domain', 'any']),
  crawl_depth: Type.Optional(Type.Integer()),
  limits: Type.Object({
    pages: Type.Optional(Type.Integer()),
    until: Type.Optional(INSTANT()),
  }),
  counts: Type.Object({
    named: COUNT('URLs that it named first: they are its own'),
    waiting: COUNT('Those that wait for their turn, or for another try'),
    held: COUNT('Those set aside, because it is paused'),
    fetched: COUNT('Those that were fetched'),
    failed: COUNT('Those that could not be'),
    skipped: COUNT('Those not asked for: forbidden by robots.txt, traps, denied'),
    bytes: Type.Number({ description: 'Of their bodies' }),
  }),
});

export function jobEndpoints({ jobs }: CrawlSession): readonly Endpoint[] {
  const acts = ['pause', 'resume', 'cancel'] as const;
  return [list(jobs), one(jobs), ...acts.map((act) => steer(jobs, act))];
}

function list(jobs: Jobs): Endpoint {
  return endpoint({
    ...{ method: 'GET', path: '/jobs', role: 'read' },
    summary: 'The jobs, the newest first; the last is the crawl itself',
    query: Type.Object(slicing(ID_BYTES), CLOSED),
    answers: {
      200: {
        what: 'Some of them',
        schema: Type.Object({ jobs: Type.Array(JOB), next_cursor: NEXT_CURSOR }),
      },
    },
    async handle({ query }) {
      const before = keyOf(query)?.readUInt32BE(0) ?? Number.POSITIVE_INFINITY;
      const found = jobs.list().filter(({ id }) => id < before);
      const shown = found.slice(0, limitOf(query));
      const last = shown.length < found.length ? shown[shown.length - 1] : undefined;
      return jsonAnswer(200, { jobs: shown.map(view), ...nextOf(last && cursorOf(last)) });
    },
  });
}

function cursorOf({ id }: Job): Buffer {
  const key = Buffer.alloc(ID_BYTES);
  key.writeUInt32BE(id);
  return key;
}

const PARAMS = Type.Object({ job_id: Type.String({ pattern: '^\\d{1,9}$' }) }, CLOSED);
const NO_JOB = { what: 'No such job' };

function one(jobs: Jobs): Endpoint {
  return endpoint({
    ...{ method: 'GET', path: '/jobs/{job_id}', role: 'read' },
    summary: 'One job: what was asked for, and how far it is',
    params: PARAMS,
    answers: { 200: { what: 'The job', schema: JOB }, 404: NO_JOB },
    async handle({ params }) {
      const job = jobs.one(Number(params.job_id));
      return job === undefined
        ? problem('not-found', `There is no job ${params.job_id}.`)
        : jsonAnswer(200, view(job));
    },
  });
}

const ACTS: Readonly<Record<JobAct, string>> = {
  pause: 'Ask for nothing more of a job, and keep what waits',
  resume: 'Go on with a paused job',
  cancel: 'End a job, and forget what it has not fetched; others may name it then',
};

function steer(jobs: Jobs, act: JobAct): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: `/jobs/{job_id}/${act}`, role: 'operate', isKeyed: true },
    summary: ACTS[act],
    params: PARAMS,
    answers: {
      200: { what: 'The job as it is now', schema: JOB },
      404: NO_JOB,
      409: { what: 'Its state does not allow it' },
    },
    async handle({ params }) {
      const steered = await jobs.steer(Number(params.job_id), act);
      if ('job' in steered) return jsonAnswer(200, view(steered.job));
      return problem(steered.refused === 'unknown' ? 'not-found' : 'wrong-state', steered.reason);
    },
  });
}

function view(job: Job): Static<typeof JOB> {
  const { id, name, state, endedBy, pausedAt, endedAt, seeds, priority, scope, depth } = job;
  const { pages, until } = job.limits;
  const { named, waiting, retrying, held, fetched, failed, skipped, bytes } = job.counts;
  return {
    ...{ job_id: String(id), name, state, ...(endedBy && { ended_by: endedBy }) },
    created_at: textOf(job.createdAt),
    ...(pausedAt !== undefined && { paused_at: textOf(pausedAt) }),
    ...(endedAt !== undefined && { ended_at: textOf(endedAt) }),
    ...{ seeds, priority, scope, ...(depth !== undefined && { crawl_depth: depth }) },
    limits: {
      ...(pages !== undefined && { pages }),
      ...(until !== undefined && { until: textOf(until) }),
    },
    counts: { named, waiting: waiting + retrying, held, fetched, failed, skipped, bytes },
  };
}

function textOf(at: number): string {
  return new Date(at).toISOString();
}
