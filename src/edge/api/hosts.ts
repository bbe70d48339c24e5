/** Hosts, and why: what is known of a site, and the story of a URL (A4). */
import Type from 'typebox';
import type { Answers } from '../../crawl/answers.ts';
import type { Lookups } from '../../crawl/serve-lookups.ts';
import type { Surveys } from '../../crawl/serve-surveys.ts';
import { HOST_KEY_BYTES } from '../../record/index.ts';
import { jsonAnswer } from './answer.ts';
import { keyOf, limitOf, NEXT_CURSOR, nextOf, PLACE_CURSOR, slicing } from './cursor.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { foreignCursor, HOST_ORDER, orderedAnswer } from './host-order.ts';
import { HOST, HOST_DETAIL, hostDetailView, hostView } from './host-view.ts';
import { PAGE, pageView } from './page-view.ts';
import { problem } from './problem.ts';

const READ = { method: 'GET', role: 'read' } as const;
const HOST_CURSOR = new RegExp(`^[0-9a-f]{${HOST_KEY_BYTES * 2}}$`);
const HOST_NAME = Type.String({ minLength: 1, maxLength: 260 });

export function hostEndpoints(
  lookups: Lookups,
  surveys: Surveys,
  answers: Answers,
): readonly Endpoint[] {
  return [list(lookups, surveys), one(lookups), why(answers)];
}

const LIST_QUERY = Type.Object(
  {
    host: Type.Optional(HOST_NAME),
    ...HOST_ORDER,
    cursor: PLACE_CURSOR,
    limit: slicing(HOST_KEY_BYTES).limit,
  },
  CLOSED,
);

function list(lookups: Lookups, surveys: Surveys): Endpoint {
  return endpoint({
    ...READ,
    path: '/hosts',
    summary: 'Hosts in the order of their keys, or in another; a name stands for all its ports',
    query: LIST_QUERY,
    answers: {
      200: {
        what: 'A slice of the hosts',
        schema: Type.Object({
          hosts: Type.Array(HOST),
          count: Type.Optional(Type.Integer({ description: 'With `sort` or `search`: of all' })),
          next_cursor: NEXT_CURSOR,
        }),
      },
    },
    async handle({ query }) {
      const { host: _host, ...wanted } = query;
      const ordered = await orderedAnswer(surveys, wanted);
      if (ordered !== undefined) return ordered;
      if (query.cursor !== undefined && !HOST_CURSOR.test(query.cursor)) return foreignCursor();
      const filter = query.host === undefined ? {} : { host: query.host.toLowerCase() };
      const { rows, next } = await lookups.hosts(filter, keyOf(query), limitOf(query));
      return jsonAnswer(200, { hosts: rows.map(hostView), ...nextOf(next) });
    },
  });
}

function one(lookups: Lookups): Endpoint {
  return endpoint({
    ...READ,
    path: '/hosts/{host}',
    summary: 'One host, name or name:port, with its robots.txt and its traps',
    params: Type.Object({ host: HOST_NAME }, CLOSED),
    answers: {
      200: { what: 'The host', schema: HOST_DETAIL },
      404: { what: 'The crawl has never heard of it' },
    },
    async handle({ params }) {
      const detail = await lookups.host(params.host.toLowerCase());
      if (detail === undefined) return problem('not-found', 'The crawl knows no such host.');
      return jsonAnswer(200, hostDetailView(detail));
    },
  });
}

const WHY = Type.Object({
  url: Type.String(),
  verdict: Type.String(),
  story: Type.Array(Type.String()),
  original_url: Type.Optional(Type.String()),
  page: Type.Optional(PAGE),
  host: Type.Optional(HOST),
});

function why(answers: Answers): Endpoint {
  return endpoint({
    ...READ,
    path: '/why',
    summary: 'Why a URL was, was not, or will be crawled, one sentence a step',
    query: Type.Object({ url: Type.String({ minLength: 1, maxLength: 8_192 }) }, CLOSED),
    answers: { 200: { what: 'The story', schema: WHY } },
    async handle({ query }) {
      const { url, verdict, story, originalUrl, record, host } = await answers.why(query.url);
      return jsonAnswer(200, {
        ...{ url, verdict, story },
        ...(originalUrl !== undefined && { original_url: originalUrl }),
        ...(record !== undefined && { page: pageView(record) }),
        ...(host !== undefined && { host: hostView(host) }),
      });
    },
  });
}
