/**
 * Pages that parsers elsewhere read (K3): they lease them of the node that fetched them, and bring
 * back what they hold; the node settles a page with its links, as ever. How: work.ts; what is in
 * the heads: parse-frames.ts.
 */
import Type, { type Static } from 'typebox';
import { FRAMES_MEDIA, writeFrames } from '../../base/frames.ts';
import { type DigestHead, type RawPage, READING_VERSION } from '../../content/index.ts';
import type { Piece } from '../../crawl/outwork.ts';
import type { Readings } from '../../crawl/readings.ts';
import type { WebAnswer } from '../../ports/web-server.ts';
import { bytesAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { DIGEST, PAGE } from './parse-frames.ts';
import { problem } from './problem.ts';
import {
  ASKS,
  ackEndpoint,
  framesOf,
  keepEndpoint,
  refusalOf,
  WAIT_MS,
  type WorkDesk,
} from './work.ts';

/** Beside a body: what is told of it, and its links. */
const BESIDE_BYTES_MAX = 32 << 20;

const ASK = Type.Object(
  {
    ...ASKS,
    types: Type.Array(Type.String({ maxLength: 200 }), {
      ...{ maxItems: 1_000 },
      description: "Media types that its plugins read: those of the node's own, in any order",
    }),
  },
  CLOSED,
);

export function parseEndpoints(readings: Readings | undefined): readonly Endpoint[] {
  const desk: WorkDesk = {
    ...{ path: '/parse', role: 'parse', version: READING_VERSION },
    outwork: readings?.work as WorkDesk['outwork'],
    none: 'This node reads its pages itself; start it without parse among its --roles.',
  };
  const ack = ackEndpoint(desk, {
    summary: 'What pages hold; their visits go on with it (K3)',
    head: DIGEST,
    bodyBytesMax: (readings?.rules.decodedBytesMax ?? 0) + BESIDE_BYTES_MAX,
    take: (worker, lease, made: DigestHead, body) =>
      readings?.bring(worker, lease, made, body) ?? 'lost',
  });
  return [leaseBatch(desk, readings), ack, keepEndpoint(desk)];
}

function leaseBatch(desk: WorkDesk, readings: Readings | undefined): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/parse/lease_batch', role: desk.role, body: ASK },
    summary: 'Lease pages to be read; waits two seconds for a first one (K3)',
    answers: {
      200: {
        what: 'Pages; none when none came',
        media: FRAMES_MEDIA,
        schema: framesOf(PAGE, 'Pages, with their bytes as they were sent'),
      },
      404: { what: desk.none },
      409: { what: 'The parser is of another version, or has other plugins' },
    },
    async handle({ body: { worker, n, seconds = 30, version, types }, call }) {
      const refused = refusalOf(desk, version) ?? otherPlugins(types, readings);
      if (refused !== undefined || readings === undefined) return refused as WebAnswer;
      const isGone = () => call.isGone;
      const pieces = await readings.work.lease({ worker, n, seconds, waitMs: WAIT_MS, isGone });
      return bytesAnswer(FRAMES_MEDIA, writeFrames(pieces.map(frameOf)));
    },
  });
}

function frameOf({ id: lease, job: page }: Piece<RawPage>) {
  const { url, kind, headers, decodedBytesMax, agent, linksMax, queryCharset, markdown } = page;
  const head: Static<typeof PAGE> = {
    ...{ lease, url, kind, headers, agent, decoded_bytes_max: decodedBytesMax },
    ...(linksMax !== undefined && { links_max: linksMax }),
    ...(queryCharset !== undefined && { query_charset: queryCharset }),
    ...(markdown && { markdown }),
  };
  return { head, parts: [page.body] };
}

/** A page that one of them could not read would lose its links in silence. */
function otherPlugins(
  theirs: readonly string[],
  readings: Readings | undefined,
): WebAnswer | undefined {
  const ours = readings?.rules.pluginTypes ?? [];
  const lists = [ours, theirs].map((types) => [...new Set(types)].sort().join(', ') || 'nothing');
  if (lists[0] === lists[1]) return undefined;
  const both = `Plugins of this node read ${lists[0]}, those of the parser ${lists[1]}`;
  return problem('other-version', `${both}: give both the same --plugin.`);
}
