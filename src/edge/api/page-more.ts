/** More about one page: what links to it, and what it was before. */
import Type from 'typebox';
import type { Lookups } from '../../crawl/serve-lookups.ts';
import type { Surveys } from '../../crawl/serve-surveys.ts';
import { URL_KEY_BYTES, urlKeyOf } from '../../record/index.ts';
import { jsonAnswer } from './answer.ts';
import { keyOf, NEXT_CURSOR, nextOf, slicing } from './cursor.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { FETCH, fetchView, LOOKED } from './host-more.ts';
import { isoOf, leaveOut, URL_HASH } from './page-view.ts';
import { problem } from './problem.ts';

const READ = { method: 'GET', role: 'read' } as const;
const BY_HASH = Type.Object({ url_hash: URL_HASH }, CLOSED);
const UNKNOWN = 'The crawl has never heard of it.';

export function pageMoreEndpoints(lookups: Lookups, surveys: Surveys): readonly Endpoint[] {
  return [linkedFrom(lookups, surveys), versions(lookups, surveys)];
}

const LINK_IN = Type.Object({
  source: Type.String(),
  source_hash: URL_HASH,
  text: Type.String(),
  rel: Type.String(),
  kind: Type.String(),
  is_first: Type.Boolean({ description: 'The page that named it first' }),
});

function linkedFrom(lookups: Lookups, surveys: Surveys): Endpoint {
  return endpoint({
    ...READ,
    path: '/pages/{url_hash}/linked-from',
    summary: 'The page that named it first, and pages of its own host that link to it',
    params: BY_HASH,
    query: Type.Object({ cursor: slicing(URL_KEY_BYTES).cursor }, CLOSED),
    answers: {
      200: {
        what: 'At most 20 of those among the next 500 pages of its host',
        schema: Type.Object({
          links: Type.Array(LINK_IN),
          looked_pages: Type.Integer(),
          next_cursor: NEXT_CURSOR,
        }),
      },
      404: { what: UNKNOWN },
    },
    async handle({ params, query }) {
      const page = await lookups.page(Buffer.from(params.url_hash, 'hex'));
      if (page === undefined) return problem('not-found', UNKNOWN);
      const after = keyOf(query.cursor === undefined ? {} : { cursor: query.cursor });
      const { rows, looked, next } = await surveys.linksTo(page, after);
      const links = rows.map(({ source, text, rel, kind, isFirst }) => {
        const hash = urlKeyOf(source).toString('hex');
        return { source, source_hash: hash, text, rel, kind, is_first: isFirst };
      });
      return jsonAnswer(200, { links, looked_pages: looked, ...nextOf(next) });
    },
  });
}

function versions(lookups: Lookups, surveys: Surveys): Endpoint {
  return endpoint({
    ...READ,
    path: '/pages/{url_hash}/versions',
    summary: 'Its fetches in the end of the log, newest first, with the hash of each body',
    params: BY_HASH,
    answers: {
      200: {
        what: 'At most 100 of them',
        schema: Type.Object({ ...LOOKED, versions: Type.Array(FETCH) }),
      },
      404: { what: UNKNOWN },
    },
    async handle({ params }) {
      const page = await lookups.page(Buffer.from(params.url_hash, 'hex'));
      if (page === undefined) return problem('not-found', UNKNOWN);
      const { since, isWhole, events } = await surveys.versions(page.url);
      return jsonAnswer(200, {
        ...leaveOut({ since: isoOf(since ?? 0) }),
        ...{ is_whole: isWhole, versions: events.map(fetchView) },
      });
    },
  });
}
