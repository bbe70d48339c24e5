/** Pages: looked up by hash or URL, listed in slices, with their links and their bytes. */
import Type from 'typebox';
import type { Lookups } from '../../crawl/serve-lookups.ts';
import {
  FLAGS,
  type Flag,
  URL_KEY_BYTES,
  URL_STATES,
  type UrlRecord,
  urlKeyOf,
} from '../../record/index.ts';
import { jsonAnswer, strangeAnswer } from './answer.ts';
import { keyOf, limitOf, NEXT_CURSOR, nextOf, slicing } from './cursor.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { PAGE, pageView, pageViewWith, REGION, URL_HASH } from './page-view.ts';
import { problem } from './problem.ts';

const BY_HASH = Type.Object({ url_hash: URL_HASH }, CLOSED);
const READ = { method: 'GET', role: 'read' } as const;
const UNKNOWN = 'The crawl has never heard of it.';

export function pageEndpoints(lookups: Lookups): readonly Endpoint[] {
  return [list(lookups), one(lookups), links(lookups), content(lookups)];
}

const LIST_QUERY = Type.Object(
  {
    url: Type.Optional(Type.String({ minLength: 1, description: 'That page alone' })),
    state: Type.Optional(Type.Enum([...URL_STATES])),
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 260 })),
    flag: Type.Optional(Type.Enum(Object.keys(FLAGS) as Flag[])),
    region: Type.Optional(REGION),
    ...slicing(URL_KEY_BYTES),
  },
  CLOSED,
);

function list(lookups: Lookups): Endpoint {
  return endpoint({
    ...READ,
    path: '/pages',
    summary: 'Pages in the order of their keys, host by host; or one, by its URL',
    query: LIST_QUERY,
    answers: {
      200: {
        what: 'A slice of the pages',
        schema: Type.Object({ pages: Type.Array(PAGE), next_cursor: NEXT_CURSOR }),
      },
    },
    async handle({ query }) {
      const { url, cursor: _cursor, limit: _limit, ...filters } = query;
      if (url !== undefined) return jsonAnswer(200, { pages: await byUrl(lookups, url) });
      const wanted = { ...filters, ...(filters.host && { host: filters.host.toLowerCase() }) };
      const { rows, next } = await lookups.pages(wanted, keyOf(query), limitOf(query));
      return jsonAnswer(200, { pages: rows.map(pageView), ...nextOf(next) });
    },
  });
}

async function byUrl(lookups: Lookups, given: string): Promise<object[]> {
  const url = lookups.canonical(given);
  const page = url === undefined ? undefined : await lookups.page(urlKeyOf(url));
  return page === undefined ? [] : [pageView(page)];
}

const ONE_QUERY = Type.Object(
  {
    headers: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true adds those of the last answer, at the price of undoing a block of them',
      }),
    ),
  },
  CLOSED,
);

function one(lookups: Lookups): Endpoint {
  return endpoint({
    ...READ,
    path: '/pages/{url_hash}',
    summary: 'What is known of one page; with its headers if asked',
    params: BY_HASH,
    query: ONE_QUERY,
    answers: {
      200: {
        what: 'The page',
        schema: Type.Object({
          page: PAGE,
          headers: Type.Optional(Type.Record(Type.String(), Type.String())),
        }),
      },
      404: { what: UNKNOWN },
    },
    async handle({ params, query }) {
      const key = Buffer.from(params.url_hash, 'hex');
      const page = await lookups.page(key);
      if (page === undefined) return problem('not-found', UNKNOWN);
      const view = pageViewWith(params.url_hash, page);
      if (query.headers !== true) return jsonAnswer(200, { page: view });
      const headers = page.httpStatus === 0 ? {} : await lookups.headers(key);
      return jsonAnswer(200, { page: view, headers });
    },
  });
}

const LINK = Type.Object({
  target: Type.String(),
  target_hash: URL_HASH,
  text: Type.String(),
  rel: Type.String(),
  kind: Type.String(),
});

const LINKS_QUERY = Type.Object(
  {
    cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
    limit: slicing(0).limit,
  },
  CLOSED,
);

function links(lookups: Lookups): Endpoint {
  return endpoint({
    ...READ,
    path: '/pages/{url_hash}/links',
    summary: 'The links of the page, as its last visit found them',
    params: BY_HASH,
    query: LINKS_QUERY,
    answers: {
      200: {
        what: 'A slice of the links',
        schema: Type.Object({ links: Type.Array(LINK), next_cursor: NEXT_CURSOR }),
      },
      404: { what: UNKNOWN },
    },
    async handle({ params, query }) {
      const key = Buffer.from(params.url_hash, 'hex');
      if ((await lookups.page(key)) === undefined) return problem('not-found', UNKNOWN);
      const [from, limit] = [Number(query.cursor ?? 0), limitOf(query)];
      const found = await lookups.links(key, from, limit + 1);
      const shown = found.slice(0, limit).map(({ target, text, rel, kind }) => {
        return { target, target_hash: urlKeyOf(target).toString('hex'), text, rel, kind };
      });
      const next = found.length > limit ? { next_cursor: String(from + limit) } : {};
      return jsonAnswer(200, { links: shown, ...next });
    },
  });
}

function content(lookups: Lookups): Endpoint {
  return endpoint({
    ...READ,
    path: '/pages/{url_hash}/content',
    summary: 'The stored body, decoded: as a file to save, never as a page to show',
    params: BY_HASH,
    answers: {
      200: {
        what: 'The bytes; text/plain for plain text, application/octet-stream for all else',
        media: 'application/octet-stream',
        schema: Type.Unsafe<string>({ type: 'string', format: 'binary' }),
      },
      404: { what: 'The page is not known, or has no body that may be shown' },
    },
    async handle({ params }) {
      const key = Buffer.from(params.url_hash, 'hex');
      const page = await lookups.page(key);
      const body = page && (await lookups.body(key));
      if (body === undefined) return problem('not-found', page ? NO_BODY : UNKNOWN);
      return strangeAnswer(body, `${params.url_hash}.bin`, isPlainText(page as UrlRecord, body));
    },
  });
}

const NO_BODY = 'The page has no stored body, or its site does not allow it to be shown.';

/** Called plain by its server, and nothing but UTF-8 text: no browser makes more of it. */
function isPlainText({ contentType }: UrlRecord, body: Uint8Array): boolean {
  if (!/^text\/plain\b/i.test(contentType)) return false;
  return !body.includes(0) && Buffer.from(body).toString('utf8').indexOf('\ufffd') < 0;
}
