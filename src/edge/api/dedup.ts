/** `POST /dedup/check_and_add` (A2, S4): which URLs are new, for one asker alone. */
import Type from 'typebox';
import type { CrawlSession } from '../../crawl/session.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';

const URLS_MAX = 10_000;
const URL_LENGTH_MAX = 8_192;
const BYTES_MAX = 16 * 1024 ** 2;

export function dedupEndpoint(session: CrawlSession): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/dedup/check_and_add', role: 'fetch' },
    summary: 'Which of these URLs are new? Those wait in the queue from now on (S4)',
    body: Type.Object(
      {
        urls: Type.Array(Type.String({ maxLength: URL_LENGTH_MAX }), {
          ...{ minItems: 1, maxItems: URLS_MAX },
        }),
        job_id: Type.Optional(
          Type.String({
            ...{ pattern: '^[0-9]{1,12}$' },
            description: 'On behalf of this job; else of the first in whose scope a URL is',
          }),
        ),
      },
      CLOSED,
    ),
    bodyBytesMax: BYTES_MAX,
    answers: {
      200: {
        what: 'In the order in which they were given',
        schema: Type.Object({
          new_urls: Type.Integer(),
          urls: Type.Array(
            Type.Object({
              url: Type.String({ description: 'In its canonical form, if it has one' }),
              state: Type.Enum(['new', 'known', 'handed_on', 'refused'], {
                description: 'handed_on: another node owns its host, and decides',
              }),
              reason: Type.Optional(Type.String({ description: 'Why it is refused' })),
            }),
          ),
        }),
      },
    },
    async handle({ body: { urls, job_id: job } }) {
      const checked = await session.checkAndAdd(urls, job === undefined ? undefined : Number(job));
      const views = checked.map(({ given, url = given, verdict: state, reason }) => {
        return { url, state, ...(reason !== undefined && { reason }) };
      });
      const fresh = views.filter(({ state }) => state === 'new').length;
      return jsonAnswer(200, { new_urls: fresh, urls: views });
    },
  });
}
