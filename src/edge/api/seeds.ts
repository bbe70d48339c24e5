/**
 * Seeds and requests to come back (A1): what an operator tells the crawl to do.
 *
 * A call with seeds is a job (jobs.ts), and answered when its URLs are in the store. One that is
 * sent again with the same key finds its job, also after a restart.
 */
import Type, { type Static } from 'typebox';
import type { JobCall } from '../../crawl/jobs.ts';
import type { CrawlSession } from '../../crawl/session.ts';
import type { JobReceipt } from '../../ports/job-book.ts';
import { SEED_PRIORITY } from '../../quality/index.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { keyIn, REUSED } from './idempotency.ts';
import { problem } from './problem.ts';

const URLS_MAX = 100_000;
const URL_LENGTH_MAX = 8_192;
/** Room for 100,000 long URLs. */
const SEEDS_BYTES_MAX = 32 * 1024 ** 2;
const NAME_LENGTH_MAX = 200;
const PAGES_MAX = 1e12;
const HOURS_MAX = 87_600;

type SeedPriority = keyof typeof SEED_PRIORITY;

export const SEEDS = Type.Object(
  {
    urls: Type.Array(Type.String({ maxLength: URL_LENGTH_MAX }), {
      ...{ minItems: 1, maxItems: URLS_MAX },
      description: 'Whole http: and https: URLs',
    }),
    priority: Type.Optional(
      Type.Enum(Object.keys(SEED_PRIORITY) as SeedPriority[], { default: 'normal' }),
    ),
    crawl_depth: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: 10_000 },
        description: 'Links to follow away from these seeds, up to what the crawl itself allows',
      }),
    ),
    recrawl_ttl_hours: Type.Optional(
      Type.Number({
        ...{ minimum: 0, maximum: HOURS_MAX },
        description: 'A page that is known already is fetched again if its copy is older',
      }),
    ),
    scope: Type.Optional(
      Type.Enum(['host', 'domain', 'any'], {
        description: "Links that are followed: on the seeds' hosts, their domains, or anywhere",
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          pages: Type.Optional(
            Type.Integer({
              ...{ minimum: 1, maximum: PAGES_MAX },
              description: 'Requests for pages, retries included',
            }),
          ),
          hours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: HOURS_MAX })),
        },
        { ...CLOSED, description: 'What it does not fetch within them is forgotten' },
      ),
    ),
    name: Type.Optional(Type.String({ maxLength: NAME_LENGTH_MAX })),
  },
  CLOSED,
);

const RECEIPT = Type.Object({
  job_id: Type.String(),
  queued_urls: Type.Integer({ description: 'URLs that wait now: new ones, and copies too old' }),
  known_urls: Type.Integer({ description: 'Known before, or named twice; left as they are' }),
  refused_urls: Type.Integer(),
  refused: Type.Array(Type.Object({ url: Type.String(), reason: Type.String() }), {
    description: 'The first hundred of them',
  }),
  estimated_start: Type.String({ format: 'date-time' }),
});

export function seedEndpoints(session: CrawlSession): readonly Endpoint[] {
  return [sow(session), again(session)];
}

function sow({ jobs }: CrawlSession): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/crawl/seeds', role: 'operate', isKeyed: true },
    summary: 'Begin a job: crawl from these URLs, too, within a scope and limits of its own',
    body: SEEDS,
    bodyBytesMax: SEEDS_BYTES_MAX,
    answers: {
      202: { what: 'They wait; refused ones have reasons', schema: RECEIPT, headers: ['location'] },
    },
    async handle({ body, call }) {
      const started = await jobs.start(callOf(body, keyIn(call)));
      if (started === 'reused') return REUSED;
      const { id, receipt, isRepeated } = started;
      return jsonAnswer(202, receiptOf(id, receipt), {
        location: `/jobs/${id}`,
        ...(isRepeated && { 'idempotency-replayed': 'true' }),
      });
    },
  });
}

function callOf(body: Static<typeof SEEDS>, key: JobCall['key']): JobCall {
  const { urls, priority, crawl_depth: depth, recrawl_ttl_hours: ttlHours, scope, name } = body;
  const { pages: pagesMax, hours: hoursMax } = body.limits ?? {};
  return {
    ...{ urls, ...(priority && { priority }), ...(name && { name }), ...(scope && { scope }) },
    ...(depth !== undefined && { depth }),
    ...(ttlHours !== undefined && { ttlHours }),
    ...(pagesMax !== undefined && { pagesMax }),
    ...(hoursMax !== undefined && { hoursMax }),
    ...(key && { key }),
  };
}

function receiptOf(id: number, receipt: JobReceipt): Static<typeof RECEIPT> {
  return {
    job_id: String(id),
    queued_urls: receipt.queued,
    known_urls: receipt.known,
    refused_urls: receipt.refusedCount,
    refused: [...receipt.refused],
    estimated_start: new Date(receipt.startAt).toISOString(),
  };
}

const RECRAWL = Type.Object(
  {
    what: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX }), {
        ...{ minItems: 1, maxItems: 1_000 },
        description: 'URLs, hosts, and patterns such as https://example.com/news/*',
      }),
    ),
    all: Type.Optional(Type.Boolean()),
  },
  CLOSED,
);

function again({ answers }: CrawlSession): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/crawl/recrawl', role: 'operate', isKeyed: true },
    summary: 'Visit pages again at once (T4): by URL, host or pattern, or all',
    body: RECRAWL,
    answers: {
      202: {
        what: 'They are due now',
        schema: Type.Object({
          due_pages: Type.Integer(),
          waiting_urls: Type.Integer({ description: 'Never visited, in the queue already' }),
          unknown: Type.Array(Type.String()),
        }),
      },
    },
    async handle({ body: { what = [], all = false } }) {
      if (what.length === 0 && !all) {
        const place = { in: 'body', pointer: '/what', detail: 'is missing, and all is not true' };
        return problem('invalid', 'Nothing is named that should be visited again.', {}, [place]);
      }
      const { asked, waiting, unknown } = await answers.recrawl({ what, all });
      return jsonAnswer(202, { due_pages: asked, waiting_urls: waiting, unknown });
    },
  });
}
