/** More about one host: what robots.txt says to a path, what waits there, what happened there. */
import Type from 'typebox';
import type { Surveys } from '../../crawl/serve-surveys.ts';
import type { RobotsAnswer } from '../../crawl/survey-host.ts';
import type { FetchEvent } from '../../events/index.ts';
import { admittedAtOf, HOST_KEY_BYTES, type Waiting } from '../../record/index.ts';
import { jsonAnswer } from './answer.ts';
import { limitOf, NEXT_CURSOR, PLACE_CURSOR, readPlace, slicing, writePlace } from './cursor.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { isoOf, leaveOut, URL_HASH } from './page-view.ts';
import { problem } from './problem.ts';

const READ = { method: 'GET', role: 'read' } as const;
const BY_NAME = Type.Object({ host: Type.String({ minLength: 1, maxLength: 260 }) }, CLOSED);
const instant = () => Type.Optional(Type.String({ format: 'date-time' }));

export function hostMoreEndpoints(surveys: Surveys): readonly Endpoint[] {
  return [robots(surveys), queue(surveys), history(surveys)];
}

const VERDICT = Type.Object({
  origin: Type.String(),
  status: Type.Integer(),
  allowed: Type.Boolean(),
  line: Type.Optional(Type.Integer({ description: 'That decides, counted from 1' })),
  rule: Type.Optional(Type.String()),
  token: Type.Optional(Type.String({ description: 'The name by which the file speaks to us' })),
  agent_lines: Type.Array(Type.Integer()),
  delay_line: Type.Optional(Type.Integer()),
  delay_ms: Type.Optional(Type.Number()),
});

function robots(surveys: Surveys): Endpoint {
  return endpoint({
    ...READ,
    path: '/hosts/{host}/robots',
    summary: 'What its robots.txt says to a path, and in which lines',
    params: BY_NAME,
    query: Type.Object(
      { path: Type.Optional(Type.String({ maxLength: 8_192, pattern: '^/', default: '/' })) },
      CLOSED,
    ),
    answers: {
      200: { what: 'For each origin', schema: Type.Object({ verdicts: Type.Array(VERDICT) }) },
      404: { what: 'The crawl has never heard of it' },
    },
    async handle({ params, query }) {
      const found = await surveys.robots(params.host.toLowerCase(), query.path ?? '/');
      if (found === undefined) return problem('not-found', 'The crawl knows no such host.');
      return jsonAnswer(200, { verdicts: found.map(verdictView) });
    },
  });
}

function verdictView(said: RobotsAnswer): object {
  return leaveOut({
    ...{ origin: said.origin, status: said.status, allowed: said.allowed },
    ...{ line: said.line, rule: said.rule, token: said.token },
    ...{ agent_lines: said.agentLines, delay_line: said.delayLine, delay_ms: said.delayMs },
  });
}

const WAITING = Type.Object({
  url: Type.String(),
  url_hash: URL_HASH,
  kind: Type.String(),
  priority: Type.Number(),
  rank: Type.Integer({ description: 'Smaller is sooner' }),
  depth: Type.Integer(),
  admitted_at: instant(),
  fails: Type.Integer(),
  again: Type.Boolean({ description: 'Visited before' }),
});

function queue(surveys: Surveys): Endpoint {
  return endpoint({
    ...READ,
    path: '/hosts/{host}/queue',
    summary: 'What waits at a host, in the order in which it will be asked',
    params: BY_NAME,
    query: Type.Object({ cursor: PLACE_CURSOR, limit: slicing(HOST_KEY_BYTES).limit }, CLOSED),
    answers: {
      200: {
        what: 'A slice of its queue',
        schema: Type.Object({ waiting: Type.Array(WAITING), next_cursor: NEXT_CURSOR }),
      },
    },
    async handle({ params, query }) {
      const after = query.cursor === undefined ? undefined : waitingPlace(query.cursor);
      const host = params.host.toLowerCase();
      const { rows, next } = await surveys.queue(
        host,
        after,
        limitOf({ ...(query.limit && { limit: query.limit }) }),
      );
      const more = next && { next_cursor: writePlace([next.rank, next.key.toString('hex')]) };
      return jsonAnswer(200, { waiting: rows.map(waitingView), ...more });
    },
  });
}

/** From the beginning where it is no cursor of ours. */
function waitingPlace(cursor: string) {
  const read = readPlace(cursor);
  const [rank, key] = Array.isArray(read) ? (read as unknown[]) : [];
  if (typeof rank !== 'number' || typeof key !== 'string') return undefined;
  return /^[0-9a-f]{48}$/.test(key) ? { rank, key: Buffer.from(key, 'hex') } : undefined;
}

function waitingView(waiting: Waiting): object {
  const { url, key, kind, priority, rank, depth, fails, again } = waiting;
  return {
    ...{ url, url_hash: key.toString('hex'), kind, priority, rank, depth },
    ...{ admitted_at: isoOf(admittedAtOf(waiting)), fails, again },
  };
}

/** A fetch, as the log has it. */
export const FETCH = Type.Object({
  at: Type.String({ format: 'date-time' }),
  url: Type.String(),
  kind: Type.String(),
  status: Type.Integer({ description: '0 when there was no answer' }),
  failure: Type.Optional(Type.String()),
  bytes: Type.Number(),
  took_ms: Type.Number(),
  pause_ms: Type.Number({ description: 'Owed to the host after it' }),
  content_hash: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  redirect_to: Type.Optional(Type.String()),
});

export function fetchView(event: FetchEvent): object {
  return leaveOut({
    ...{ at: new Date(event.startedAt).toISOString(), url: event.url, kind: event.kind },
    ...{ status: event.status, failure: event.failure, bytes: event.bytes },
    ...{ took_ms: event.endedAt - event.startedAt, pause_ms: event.delayMs },
    content_hash: event.contentHash?.replace(/^sha256:/, ''),
    ...{ title: event.title, redirect_to: event.redirectTo },
  });
}

/** How far back the log was looked through. */
export const LOOKED = {
  since: instant(),
  is_whole: Type.Boolean({ description: 'Nothing of it is older than `since`' }),
};

const STEP = Type.Object({
  at: Type.String({ format: 'date-time' }),
  fetched: Type.Integer(),
  failed: Type.Integer(),
  bytes: Type.Number(),
  pause_ms_max: Type.Number(),
});

function history(surveys: Surveys): Endpoint {
  return endpoint({
    ...READ,
    path: '/hosts/{host}/history',
    summary: 'What happened at a host, from the end of the log: in steps, and the last of it',
    params: BY_NAME,
    answers: {
      200: {
        what: 'Its timeline',
        schema: Type.Object({
          ...LOOKED,
          step_ms: Type.Number(),
          steps: Type.Array(STEP),
          fetches: Type.Integer({ description: 'In all steps together' }),
          latest: Type.Array(FETCH),
        }),
      },
    },
    async handle({ params }) {
      const told = await surveys.timeline(params.host.toLowerCase());
      return jsonAnswer(200, {
        ...leaveOut({ since: isoOf(told.since ?? 0) }),
        ...{ is_whole: told.isWhole, step_ms: told.stepMs, fetches: told.fetches },
        steps: told.steps.map(({ at, fetched, failed, bytes, pauseMsMax }) => {
          return { at: isoOf(at), fetched, failed, bytes, pause_ms_max: pauseMsMax };
        }),
        latest: told.events.map(fetchView),
      });
    },
  });
}
