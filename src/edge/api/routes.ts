/**
 * All endpoints, in the order of the document. To add one is to add a line here: it is then
 * guarded, validated, described and tested as the others are.
 */

import Type from 'typebox';
import type { CrawlSession } from '../../crawl/session.ts';
import { jsonAnswer } from './answer.ts';
import { complyEndpoints } from './comply.ts';
import { dedupEndpoint } from './dedup.ts';
import { DOCS_STYLE, docsPage } from './docs-page.ts';
import { CLOSED, type Endpoint, endpoint, textEndpoint } from './endpoint.ts';
import { eventsEndpoint } from './events.ts';
import type { Feed } from './feed.ts';
import { frontierEndpoints } from './frontier.ts';
import { healthEndpoints } from './health.ts';
import { hostMoreEndpoints } from './host-more.ts';
import { hostEndpoints } from './hosts.ts';
import { jobEndpoints } from './jobs.ts';
import { markdownEndpoint } from './markdown.ts';
import { openapiOf } from './openapi.ts';
import { pageMoreEndpoints } from './page-more.ts';
import { pageEndpoints } from './pages.ts';
import { parseEndpoints } from './parse.ts';
import { PROBLEMS, type ProblemKind, problem } from './problem.ts';
import { renderEndpoints } from './render.ts';
import { ringEndpoints } from './ring.ts';
import { seedEndpoints } from './seeds.ts';
import { splitEndpoint } from './shards.ts';
import { statsEndpoint } from './stats.ts';
import { surveyEndpoints } from './surveys.ts';
import type { TokenEntry } from './tokens.ts';

export interface RouteParts {
  readonly session: CrawlSession;
  readonly feed: Feed;
  readonly version: string;
  readonly tokens: readonly TokenEntry[];
  /** Of other parts of the service: a dashboard, metrics. */
  readonly more?: readonly Endpoint[];
  /** A node that leaves the API to others: health, what nodes ask, and `more` alone (K3). */
  readonly isBare?: boolean;
}

export function endpointsOf(parts: RouteParts): readonly Endpoint[] {
  const { session, feed, version, tokens, more = [], isBare } = parts;
  // What nodes ask of each other is no part of the API for people.
  const between = [
    ...frontierEndpoints(session.lending),
    ...parseEndpoints(session.readings),
    ...renderEndpoints(session.renderings),
    dedupEndpoint(session),
  ];
  if (isBare) return [...healthEndpoints(session), ...between, ...more];
  const { lookups, surveys, answers } = session;
  const list: Endpoint[] = [
    ...seedEndpoints(session),
    ...jobEndpoints(session),
    statsEndpoint(session),
    ...pageEndpoints(lookups),
    markdownEndpoint(lookups),
    ...pageMoreEndpoints(lookups, surveys),
    ...hostEndpoints(lookups, surveys, answers),
    ...hostMoreEndpoints(surveys),
    ...surveyEndpoints(surveys),
    splitEndpoint(session),
    ...ringEndpoints(session),
    eventsEndpoint(feed),
    ...between,
    ...complyEndpoints({ answers, lookups, tokens }),
    ...healthEndpoints(session),
    ...more,
    problemEndpoint(),
  ];
  return [...list, ...describing(list, version)];
}

/** The list as a document and as a page; the two are in it themselves. */
function describing(list: readonly Endpoint[], version: string): readonly Endpoint[] {
  const own: Endpoint[] = [
    endpoint({
      ...{ method: 'GET', path: '/openapi.json', role: undefined },
      summary: 'This API as an OpenAPI 3.1 document',
      answers: { 200: { what: 'The document', schema: Type.Object({}) } },
      handle: async () => jsonAnswer(200, openapiOf([...list, ...own], version)),
    }),
    textEndpoint('/docs/', 'This API as a page to read', 'text/html; charset=utf-8', () =>
      docsPage([...list, ...own], version),
    ),
    textEndpoint(
      '/docs/style.css',
      'How that page looks',
      'text/css; charset=utf-8',
      () => DOCS_STYLE,
    ),
  ];
  return own;
}

function problemEndpoint(): Endpoint {
  const kinds = Object.keys(PROBLEMS) as ProblemKind[];
  return endpoint({
    ...{ method: 'GET', path: '/problems/{kind}', role: undefined },
    summary: 'What the type of a problem means',
    params: Type.Object({ kind: Type.String({ maxLength: 60 }) }, CLOSED),
    answers: {
      200: {
        what: 'The kind of problem',
        schema: Type.Object({ type: Type.String(), title: Type.String(), status: Type.Integer() }),
      },
      404: { what: 'No such kind' },
    },
    async handle({ params }) {
      const kind = kinds.find((one) => one === params.kind);
      if (kind === undefined) return problem('not-found', 'There is no such kind of problem.');
      return jsonAnswer(200, { type: `/problems/${kind}`, ...PROBLEMS[kind] });
    },
  });
}
