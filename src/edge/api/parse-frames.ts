/** What stands in the heads of frames between a node and its parsers, as schemas. */
import Type from 'typebox';
import { KINDS } from '../../record/url-record.ts';
import { CLOSED } from './endpoint.ts';

const LENGTH = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });
const HEX_64 = Type.String({ pattern: '^[0-9a-f]{1,16}$' });
const YES = Type.Boolean();

export const PAGE = Type.Object({
  lease: Type.String(),
  url: Type.String(),
  kind: Type.Enum([...KINDS]),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Of the answer; the body is still under its content-encoding',
  }),
  decoded_bytes_max: Type.Integer(),
  agent: Type.String({ description: 'The name that robots directives are matched with' }),
  links_max: Type.Optional(Type.Integer()),
  query_charset: Type.Optional(
    Type.String({
      description: 'What the queries of its links are written in; its own if left out',
    }),
  ),
  markdown: Type.Optional(
    Type.Object({
      whole: Type.Optional(YES),
      images: Type.Optional(Type.Enum(['link', 'text', 'none'])),
      frontMatter: Type.Optional(YES),
      contentType: Type.Optional(Type.String()),
    }),
  ),
});

export const DIGEST = Type.Object(
  {
    content_hash: Type.String({ pattern: '^([0-9a-f]{64})?$' }),
    body_bytes: LENGTH,
    as_sent: Type.Boolean({ description: 'The body is the one that was leased: it stays away' }),
    parts: Type.Array(LENGTH, {
      ...{ minItems: 6, maxItems: 6 },
      description: 'Bytes of body, trace, links (a line each), contexts, votes, times (doubles)',
    }),
    title: Type.String(),
    simhash: HEX_64,
    words: LENGTH,
    pairs: HEX_64,
    is_missing: YES,
    is_truncated: YES,
    links_dropped: YES,
    directives: Type.Object(
      {
        ...{ noindex: YES, nofollow: YES, noarchive: YES, noai: YES },
        unavailable_after: Type.Number({ minimum: 0 }),
      },
      CLOSED,
    ),
    named: LENGTH,
    sitemaps: LENGTH,
    markdown: Type.Optional(Type.String()),
    trouble: Type.String(),
  },
  CLOSED,
);
