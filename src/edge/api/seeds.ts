/**
 * Seeds and requests to come back (A1): what an operator tells the crawl to do.
 *
 * A call with seeds is answered when its URLs are in the store. Its receipt is kept, the last
 * thousand of them, for as long as the service runs.
 */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { SeedAnswer } from '../../crawl/serve-seeds.ts';
import type { CrawlSession } from '../../crawl/session.ts';
import { SEED_PRIORITY } from '../../quality/index.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';

const URLS_MAX = 100_000;
const URL_LENGTH_MAX = 8_192;
/** Room for 100,000 long URLs. */
const SEEDS_BYTES_MAX = 32 * 1024 ** 2;
const RECEIPTS_MAX = 1_000;

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
        ...{ minimum: 0, maximum: 87_600 },
        description: 'A page that is known already is fetched again if its copy is older',
      }),
    ),
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
type Receipt = Static<typeof RECEIPT>;

export function seedEndpoints(session: CrawlSession): readonly Endpoint[] {
  const receipts = new Map<string, Receipt>();
  return [sow(session, receipts), receipt(receipts), again(session)];
}

function sow(session: CrawlSession, receipts: Map<string, Receipt>): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/crawl/seeds', role: 'operate', isKeyed: true },
    summary: 'Crawl from these URLs, too; their hosts join the scope as those of seeds do',
    body: SEEDS,
    bodyBytesMax: SEEDS_BYTES_MAX,
    answers: {
      202: { what: 'They wait; refused ones have reasons', schema: RECEIPT, headers: ['location'] },
    },
    async handle({ body }) {
      const { urls, priority = 'normal', crawl_depth: depth, recrawl_ttl_hours: ttl } = body;
      const answer = await session.sow({
        ...{ urls, priority },
        ...(depth !== undefined && { depth }),
        ...(ttl !== undefined && { ttlHours: ttl }),
      });
      const id = idOf(session, receipts.size, urls[0] as string);
      const made = receiptOf(id, answer);
      keep(receipts, made);
      return jsonAnswer(202, made, { location: `/crawl/seeds/${id}` });
    },
  });
}

function keep(receipts: Map<string, Receipt>, made: Receipt): void {
  receipts.set(made.job_id, made);
  if (receipts.size <= RECEIPTS_MAX) return;
  for (const oldest of receipts.keys()) {
    receipts.delete(oldest);
    break;
  }
}

function idOf(session: CrawlSession, nth: number, first: string): string {
  const { now, totals } = session.progress();
  const what = `${now} ${totals.known} ${nth} ${first}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 24);
}

function receiptOf(id: string, answer: SeedAnswer): Receipt {
  return {
    job_id: id,
    queued_urls: answer.queued + answer.asked,
    known_urls: answer.known,
    refused_urls: answer.refusedCount,
    refused: [...answer.refused],
    estimated_start: new Date(answer.startAt).toISOString(),
  };
}

function receipt(receipts: ReadonlyMap<string, Receipt>): Endpoint {
  return endpoint({
    ...{ method: 'GET', path: '/crawl/seeds/{job_id}', role: 'read' },
    summary: 'What a call with seeds came to; kept for as long as the service runs',
    params: Type.Object({ job_id: Type.String({ pattern: '^[0-9a-f]{24}$' }) }, CLOSED),
    answers: { 200: { what: 'The receipt', schema: RECEIPT }, 404: { what: 'No such call' } },
    async handle({ params }) {
      const found = receipts.get(params.job_id);
      return found === undefined
        ? problem('not-found', 'No call with seeds has this id, or it was too long ago.')
        : jsonAnswer(200, found);
    },
  });
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
