/**
 * Pages that parsers elsewhere read (K3): they lease them of the node that fetched them, and bring
 * back what they hold; the node settles a page with its links, as ever.
 *
 *   POST /parse/lease_batch   {parser, n, version, types} ─▶ frames: a page and its bytes in each
 *   POST /parse/ack           frames: what a page holds ─▶ taken, returned, lost or refused, each
 *
 * Frames are in ../../base/frames.ts, what is in a digest's in ../../content/digest-wire.ts.
 */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { FRAMES_MEDIA, type Frame, readFrames, writeFrames } from '../../base/frames.ts';
import { type RawPage, READING_VERSION } from '../../content/index.ts';
import type { Piece } from '../../crawl/outwork.ts';
import type { Readings } from '../../crawl/readings.ts';
import type { WebAnswer } from '../../ports/web-server.ts';
import { bytesAnswer, jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { BROUGHT, framesOf, PAGE } from './parse-frames.ts';
import { problem } from './problem.ts';

const PAGES_MAX = 200;
const SECONDS_MAX = 300;
/** How long a parser is let wait for a page: it asks again then. */
const WAIT_MS = 2_000;
/** Beside a body: what is told of it, and its links. */
const BESIDE_BYTES_MAX = 32 << 20;

const PARSER = Type.String({
  ...{ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' },
  description: "The parser's own name: what it leased, it alone can bring back",
});
const VERSION = Type.Integer({ description: `What the two speak; here ${READING_VERSION}` });

const ASK = Type.Object(
  {
    parser: PARSER,
    n: Type.Integer({ minimum: 1, maximum: PAGES_MAX }),
    seconds: Type.Optional(Type.Number({ minimum: 1, maximum: SECONDS_MAX, default: 30 })),
    version: VERSION,
    types: Type.Array(Type.String({ maxLength: 200 }), {
      ...{ maxItems: 1_000 },
      description: "Media types that its plugins read: those of the node's own, in any order",
    }),
  },
  CLOSED,
);

const ENDS = Type.Object({
  pages: Type.Array(
    Type.Object({
      lease: Type.String(),
      state: Type.Enum(['taken', 'returned', 'lost', 'refused']),
      detail: Type.Optional(Type.String({ description: 'Why it is refused' })),
    }),
  ),
});

export function parseEndpoints(readings: Readings | undefined): readonly Endpoint[] {
  return [leaseBatch(readings), ack(readings)];
}

function leaseBatch(readings: Readings | undefined): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/parse/lease_batch', role: 'parse' },
    summary: 'Lease pages to be read; waits two seconds for a first one (K3)',
    body: ASK,
    answers: {
      200: {
        what: 'Pages, as frames; none when none came',
        media: FRAMES_MEDIA,
        schema: framesOf(PAGE, 'A page, and its bytes as they were sent'),
      },
      404: { what: 'This node reads its pages itself' },
      409: { what: 'The parser is of another version, or has other plugins' },
    },
    async handle({ body: { parser: worker, n, seconds = 30, version, types }, call }) {
      if (readings === undefined) return readsItself();
      const refused = otherVersion(version) ?? otherPlugins(types, readings.rules.pluginTypes);
      if (refused !== undefined) return refused;
      const isGone = () => call.isGone;
      const pieces = await readings.lease({ worker, n, seconds, waitMs: WAIT_MS, isGone });
      return bytesAnswer(FRAMES_MEDIA, writeFrames(pieces.map(frameOf)));
    },
  });
}

function ack(readings: Readings | undefined): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/parse/ack', role: 'parse' },
    summary: 'What pages hold, as frames; their visits go on with it (K3)',
    query: Type.Object({ parser: PARSER, version: VERSION }, CLOSED),
    body: framesOf(BROUGHT, 'What was read, and its bytes'),
    takesBytes: true,
    bodyBytesMax: (readings?.rules.decodedBytesMax ?? 0) + BESIDE_BYTES_MAX,
    answers: {
      200: { what: 'What became of each, in their order', schema: ENDS },
      404: { what: 'This node reads its pages itself' },
      409: { what: 'The parser is of another version' },
    },
    async handle({ query: { parser, version }, call }) {
      if (readings === undefined) return readsItself();
      const refused = otherVersion(version);
      if (refused !== undefined) return refused;
      const frames = readFrames(call.body as Uint8Array, PAGES_MAX);
      if (typeof frames === 'string') return nonsense('', frames);
      const odd = frames.findIndex(({ head }) => !IS_BROUGHT.Check(head));
      if (odd >= 0) return nonsense(`/${odd}`, 'is not the head of what a parser brings');
      const pages = frames.map((frame) => endOf(readings, parser, frame));
      return jsonAnswer(200, { pages });
    },
  });
}

const IS_BROUGHT = Compile(BROUGHT);

function endOf(
  readings: Readings,
  parser: string,
  { head, body }: Frame,
): Static<typeof ENDS>['pages'][number] {
  const { lease, digest } = head as Static<typeof BROUGHT>;
  if (digest === undefined) return { lease, state: readings.work.handBack(parser, lease) };
  const end = readings.bring(parser, lease, digest, body);
  return typeof end === 'string' ? { lease, state: end } : { lease, ...refusedFor(end.wrong) };
}

function refusedFor(detail: string) {
  return { state: 'refused', detail } as const;
}

function frameOf({ id, job: page, from, until }: Piece<RawPage>) {
  const { url, kind, headers, decodedBytesMax, agent, linksMax, markdown } = page;
  const head: Static<typeof PAGE> = {
    ...{ lease: id, seconds: (until - from) / 1_000, url, kind, headers, agent },
    decoded_bytes_max: decodedBytesMax,
    ...(linksMax !== undefined && { links_max: linksMax }),
    ...(markdown && { markdown }),
  };
  return { head, parts: [page.body] };
}

function readsItself(): WebAnswer {
  const detail = 'This node reads its pages itself; start it without parse among its --roles.';
  return problem('not-found', detail);
}

function otherVersion(version: number): WebAnswer | undefined {
  if (version === READING_VERSION) return undefined;
  const both = `This node speaks version ${READING_VERSION} with parsers, this one ${version}`;
  return problem('other-version', `${both}: start both from one release.`);
}

/** A page that one of them could not read would lose its links in silence. */
function otherPlugins(theirs: readonly string[], ours: readonly string[]): WebAnswer | undefined {
  const lists = [ours, theirs].map((types) => [...new Set(types)].sort().join(', ') || 'nothing');
  if (lists[0] === lists[1]) return undefined;
  const both = `Plugins of this node read ${lists[0]}, those of the parser ${lists[1]}`;
  return problem('other-version', `${both}: give both the same --plugin.`);
}

function nonsense(pointer: string, wrong: string): WebAnswer {
  return problem('invalid', `The body ${wrong}.`, {}, [{ in: 'body', pointer, detail: wrong }]);
}
