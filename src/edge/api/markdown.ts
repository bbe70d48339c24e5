/** A page's main text as Markdown, made from its stored body when asked for (X5). */
import Type from 'typebox';
import type { Lookups } from '../../crawl/serve-lookups.ts';
import { strangeAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { URL_HASH } from './page-view.ts';
import { problem } from './problem.ts';

const UNKNOWN = 'The crawl has never heard of it.';
const NO_TEXT = 'The page has no stored text, or its site does not allow it to be shown.';

const QUERY = Type.Object(
  {
    front_matter: Type.Optional(
      Type.Boolean({ description: 'Title, URL, date and language as YAML above the text' }),
    ),
    whole: Type.Optional(Type.Boolean({ description: 'With menus and footers' })),
    images: Type.Optional(Type.Enum(['link', 'text', 'none'])),
  },
  CLOSED,
);

export function markdownEndpoint(lookups: Lookups): Endpoint {
  return endpoint({
    ...{ method: 'GET', role: 'read', path: '/pages/{url_hash}/markdown' },
    summary: 'The main text of the page as Markdown',
    params: Type.Object({ url_hash: URL_HASH }, CLOSED),
    query: QUERY,
    answers: {
      200: {
        what: 'The text, as a file to save',
        media: 'text/plain; charset=utf-8',
        schema: Type.String(),
      },
      404: { what: 'The page is not known, or has no text that may be shown' },
    },
    async handle({ params, query }) {
      const key = Buffer.from(params.url_hash, 'hex');
      const page = await lookups.page(key);
      const body = page && (await lookups.body(key));
      if (page === undefined || body === undefined) {
        return problem('not-found', page ? NO_TEXT : UNKNOWN);
      }
      const { front_matter: frontMatter = false, whole = false, images = 'link' } = query;
      const text = await lookups.markdown(body, page, { frontMatter, whole, images });
      if (text === undefined) return problem('not-found', NO_TEXT);
      return strangeAnswer(Buffer.from(text), `${params.url_hash}.md`, true);
    },
  });
}
