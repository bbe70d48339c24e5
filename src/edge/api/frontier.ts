/**
 * Between subsystems (A2, F4): fetchers elsewhere lease requests of a shard and bring back what
 * came of them; the owner of a host decides everything else about it.
 *
 *   POST /frontier/{shard}/lease_batch   {fetcher, n, region, seconds} ─▶ leases: hosts whose turn it is
 *   POST /frontier/{shard}/ack           {fetcher, lease, results} ─▶ durable, or 409 lost
 *
 * A shard is one of the 64 arcs of the circle; `all` are those of the node that is asked.
 */
import Type, { type Static } from 'typebox';
import type { Lending, Lent } from '../../crawl/lend.ts';
import type { FetcherResult } from '../../crawl/lend-result.ts';
import { REGION_PATTERN } from '../../region/index.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { ANSWERED, FAILED, REFUSED, RETURNED, resultOf } from './frontier-results.ts';
import { problem } from './problem.ts';

const LEASES_MAX = 1_000;
const SECONDS_MAX = 300;
const SHARDS = 64;

const PARAMS = Type.Object(
  {
    shard: Type.String({
      pattern: '^([0-9]|[1-5][0-9]|6[0-3]|all)$',
      description: `0 to ${SHARDS - 1}, or all that this node owns`,
    }),
  },
  CLOSED,
);

const FETCHER = Type.String({
  ...{ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' },
  description: "The fetcher's own name: what it leased, it alone can acknowledge",
});

const ASK = Type.Object(
  {
    fetcher: FETCHER,
    n: Type.Integer({ minimum: 1, maximum: LEASES_MAX }),
    region: Type.Optional(
      Type.String({
        pattern: REGION_PATTERN,
        description: 'Where it is, such as eu: hosts that are near it come first (K4)',
      }),
    ),
    seconds: Type.Optional(
      Type.Number({
        ...{ minimum: 1, maximum: SECONDS_MAX, default: 60 },
        description: 'How long it wants them; it may be given less',
      }),
    ),
  },
  CLOSED,
);

const LEASE = Type.Object({
  lease: Type.String(),
  shard: Type.Integer(),
  url: Type.String(),
  host: Type.String(),
  kind: Type.Enum(['page', 'aside'], { description: 'aside: robots.txt, and what a page needs' }),
  address: Type.String({
    description: 'Where to connect, and nowhere else; check the connected address, too',
  }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'To be sent as they are; If-None-Match and If-Modified-Since are among them',
  }),
  limits: Type.Object({
    connect_ms: Type.Number(),
    first_byte_ms: Type.Number(),
    whole_ms: Type.Number(),
    header_bytes: Type.Integer(),
    body_bytes: Type.Integer(),
  }),
  seconds: Type.Number({ description: 'What is left of it: ask at once, break off by then' }),
  until: Type.String({ format: 'date-time' }),
});

export function frontierEndpoints(lending: Lending): readonly Endpoint[] {
  return [leaseBatch(lending), ack(lending)];
}

function leaseBatch(lending: Lending): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/frontier/{shard}/lease_batch', role: 'fetch' },
    summary: 'Lease requests: one a host, only hosts whose turn has come (F4)',
    params: PARAMS,
    body: ASK,
    answers: {
      200: {
        what: 'Requests to make now; none when nobody may be asked now',
        schema: Type.Object({
          leases: Type.Array(LEASE),
          next_in_seconds: Type.Number({ description: 'When it is worth to ask again' }),
        }),
      },
      421: { what: 'Another node owns this shard' },
    },
    async handle({ params, body: { fetcher, n, region, seconds = 60 } }) {
      const shard = shardIn(params);
      if (shard !== undefined && !lending.owns(shard)) return elsewhere(shard);
      const { leases, waitMs } = await lending.lease({ fetcher, n, region, seconds, shard });
      return jsonAnswer(200, { leases: leases.map(leaseView), next_in_seconds: waitMs / 1_000 });
    },
  });
}

function ack(lending: Lending): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/frontier/{shard}/ack', role: 'fetch' },
    summary: 'What came of a lease: judged, read and stored as a visit of our own (F4)',
    params: PARAMS,
    body: Type.Object(
      {
        fetcher: FETCHER,
        lease: Type.String({ minLength: 1, maxLength: 100 }),
        results: Type.Union([ANSWERED, FAILED, REFUSED, RETURNED]),
      },
      CLOSED,
    ),
    // As base64, and what stands around it.
    bodyBytesMax: Math.ceil((lending.bodyBytesMax * 4) / 3) + 1024 ** 2,
    answers: {
      200: {
        what: 'It is stored; or back in the queue, if it was returned',
        schema: Type.Object({ lease: Type.String(), state: Type.Enum(['settled', 'returned']) }),
      },
      409: { what: 'The lease has ended, or is not yours: nothing was changed' },
      421: { what: 'Another node owns this shard' },
    },
    async handle({ params, body: { fetcher, lease, results } }) {
      const shard = shardIn(params);
      const result: FetcherResult = resultOf(results);
      const end = await lending.ack(shard, fetcher, lease, result);
      if (end === 'lost') {
        if (shard !== undefined && !lending.owns(shard)) return elsewhere(shard);
        const detail = 'This lease has ended, or is not yours; what it brings is not taken.';
        return problem('lost', detail);
      }
      if (end !== 'settled') {
        const place = { in: 'body', pointer: `/results${end.at}`, detail: end.wrong };
        return problem('invalid', `In the body, '${place.pointer}' ${end.wrong}.`, {}, [place]);
      }
      return jsonAnswer(200, { lease, state: result.kind === 'returned' ? 'returned' : 'settled' });
    },
  });
}

function shardIn({ shard }: Static<typeof PARAMS>): number | undefined {
  return shard === 'all' ? undefined : Number(shard);
}

function elsewhere(shard: number) {
  const detail = `Shard ${shard} is not owned by this node now; ask the other nodes.`;
  return problem('elsewhere', detail);
}

function leaseView({ id, shard, isPage, request, from, until }: Lent): Static<typeof LEASE> {
  const { url, address, headers, limits } = request;
  const { connectMs, firstByteMs, wholeMs, headerBytes, bodyBytes } = limits;
  return {
    ...{ lease: id, shard, url, host: new URL(url).host, kind: isPage ? 'page' : 'aside' },
    ...{ address, headers },
    limits: {
      ...{ connect_ms: connectMs, first_byte_ms: firstByteMs, whole_ms: wholeMs },
      ...{ header_bytes: headerBytes, body_bytes: bodyBytes },
    },
    seconds: (until - from) / 1_000,
    until: new Date(until).toISOString(),
  };
}
