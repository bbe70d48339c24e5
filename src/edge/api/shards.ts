/** A hot shard in halves, while the crawl runs (F8). */
import Type from 'typebox';
import type { CrawlSession } from '../../crawl/session.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';

const PARTS = Type.Object({
  shard: Type.Integer(),
  parts: Type.Array(Type.Integer(), { description: 'May be split once more' }),
});

export function splitEndpoint(session: CrawlSession): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/shards/{shard}/split', role: 'operate', isKeyed: true },
    summary: 'Split a hot shard in halves, so that another node takes one of them',
    params: Type.Object({ shard: Type.String({ pattern: '^[0-9]{1,3}$' }) }, CLOSED),
    answers: {
      200: { what: 'What it is split into', schema: PARTS },
      409: { what: 'It is split already, too small, or the crawl cannot' },
    },
    async handle({ params }) {
      const shard = Number(params.shard);
      const split = await session.splitShard(shard);
      if ('refused' in split) return problem('wrong-state', split.refused);
      return jsonAnswer(200, { shard, parts: [...split.parts] });
    },
  });
}
