/** Arcs, freshness, copies and hosts with something wrong: the crawl as a whole (O2). */
import Type from 'typebox';
import type { Surveys } from '../../crawl/serve-surveys.ts';
import { DUE_COUNTED } from '../../crawl/survey-fresh.ts';
import { HOST_CLASSES, HOST_KEY_BYTES } from '../../record/index.ts';
import { jsonAnswer } from './answer.ts';
import { keyOf, limitOf, NEXT_CURSOR, nextOf, slicing } from './cursor.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { HOST, hostView, TRAP, trapView } from './host-view.ts';
import { isoOf, leaveOut, PAGE, pageView } from './page-view.ts';

const READ = { method: 'GET', role: 'read' } as const;
const AT = Type.String({ format: 'date-time' });

export function surveyEndpoints(surveys: Surveys): readonly Endpoint[] {
  return [shards(surveys), freshness(surveys), copies(surveys), wrongHosts(surveys)];
}

const SHARD = Type.Object({
  shard: Type.Integer(),
  hosts: Type.Integer(),
  waiting: Type.Optional(Type.Integer({ description: 'Left out until they are counted' })),
  visits: Type.Integer({ description: 'Of this run' }),
});

function shards(surveys: Surveys): Endpoint {
  return endpoint({
    ...{ ...READ, path: '/shards' },
    summary: 'The 64 arcs: hosts, waiting URLs and visits of each',
    answers: { 200: { what: 'All arcs', schema: Type.Object({ shards: Type.Array(SHARD) }) } },
    async handle() {
      const rows = await surveys.shards();
      return jsonAnswer(200, { shards: rows.map((row) => leaveOut({ ...row })) });
    },
  });
}

const GROUP = Type.Object({
  tier: Type.Integer(),
  class: Type.Enum([...HOST_CLASSES]),
  pages: Type.Integer(),
  in_time: Type.Integer(),
  interval_ms: Type.Number({ description: 'The middle one' }),
  late_ms_max: Type.Number(),
});

const FRESHNESS = Type.Object({
  now: AT,
  due: Type.Integer({ description: `Due now, counted up to ${DUE_COUNTED}` }),
  due_within: Type.Object({ hour: Type.Integer(), day: Type.Integer(), week: Type.Integer() }),
  counted_max: Type.Integer(),
  lag_ms: Type.Number({ description: 'How long the first of them has been due' }),
  latest: Type.Array(PAGE, { description: 'Those that are due for longest' }),
  sampled: Type.Integer({ description: 'Pages of a sample that are visited again' }),
  in_time: Type.Integer({ description: 'Those of them that are not overdue' }),
  groups: Type.Array(GROUP),
});

function freshness(surveys: Surveys): Endpoint {
  return endpoint({
    ...{ ...READ, path: '/freshness' },
    summary: 'What is due and for how long, and how fresh a sample of pages is',
    answers: { 200: { what: 'As of some seconds ago', schema: FRESHNESS } },
    async handle() {
      const { now, due, soon, latest, sampled, inTime, groups } = await surveys.freshness();
      return jsonAnswer(200, {
        ...{ now: isoOf(now), due, due_within: soon, counted_max: DUE_COUNTED },
        lag_ms: Math.max(0, now - (latest[0]?.nextCrawlAt ?? now)),
        ...{ latest: latest.map((page) => pageView(page)), sampled, in_time: inTime },
        groups: groups.map(({ tier, hostClass, pages, inTime, intervalMs, lateMsMax }) => {
          const times = { interval_ms: intervalMs, late_ms_max: lateMsMax };
          return { tier, class: hostClass, pages, in_time: inTime, ...times };
        }),
      });
    },
  });
}

const CLUSTER = Type.Object({
  kind: Type.Enum(['near', 'exact']),
  copies: Type.Integer(),
  original_url: Type.Optional(Type.String()),
  samples: Type.Array(Type.String()),
});

function copies(surveys: Surveys): Endpoint {
  return endpoint({
    ...{ ...READ, path: '/copies' },
    summary: 'Pages that are repeated most; the first call begins to count, a later one is whole',
    answers: {
      200: {
        what: 'The 50 largest clusters so far',
        schema: Type.Object({
          is_counted: Type.Boolean(),
          looked_urls: Type.Integer(),
          begun_at: Type.Optional(AT),
          clusters: Type.Array(CLUSTER),
        }),
      },
    },
    async handle() {
      const { isCounted, looked, begunAt, clusters } = await surveys.copies();
      return jsonAnswer(200, {
        ...{
          is_counted: isCounted,
          looked_urls: looked,
          ...leaveOut({ begun_at: isoOf(begunAt) }),
        },
        clusters: clusters.map(({ kind, copies, originalUrl, samples }) => {
          return leaveOut({ kind, copies, original_url: originalUrl, samples });
        }),
      });
    },
  });
}

const NOTICED = Type.Optional(Type.Object({ since: AT, reason: Type.String() }));

const WRONG_HOST = Type.Object({
  host: HOST,
  traps: Type.Array(TRAP),
  soft_404: NOTICED,
  farm: NOTICED,
});

function wrongHosts(surveys: Surveys): Endpoint {
  return endpoint({
    ...{ ...READ, path: '/traps' },
    summary: 'Hosts with traps, soft 404s or copied pages, and those that are denied, with reasons',
    query: Type.Object(slicing(HOST_KEY_BYTES), CLOSED),
    answers: {
      200: {
        what: 'A slice of them, in the order of their keys',
        schema: Type.Object({ hosts: Type.Array(WRONG_HOST), next_cursor: NEXT_CURSOR }),
      },
    },
    async handle({ query }) {
      const { rows, next } = await surveys.flagged(keyOf(query), limitOf(query));
      const noticed = (said: { readonly since: number; readonly reason: string } | undefined) =>
        said && { since: isoOf(said.since), reason: said.reason };
      const hosts = rows.map(({ record, traps, soft404, farm }) =>
        leaveOut({
          ...{ host: hostView(record), traps: traps.map(trapView) },
          ...{ soft_404: noticed(soft404), farm: noticed(farm) },
        }),
      );
      return jsonAnswer(200, { hosts, ...nextOf(next) });
    },
  });
}
