/**
 * Pages that browsers elsewhere render (K3, J2): they lease them of the node that fetched them, ask
 * it for whatever the pages want, and bring back what the scripts made of them.
 *
 *   POST /render/lease_batch, /render/ack, /render/keep   as in work.ts
 *   POST /render/ask   {worker, lease, url, kind} ─▶ a frame: the answer, or why there is none
 *
 * A renderer connects to nobody but this node. What its page asks for waits here for its host's
 * turn, as everything does.
 */
import Type, { type Static } from 'typebox';
import { FRAMES_MEDIA, writeFrames } from '../../base/frames.ts';
import type { Piece } from '../../crawl/outwork.ts';
import type { Renderings } from '../../crawl/renderings.ts';
import {
  RENDER_FAILURES,
  RENDERING_VERSION,
  type RenderJob,
  WISH_KINDS,
} from '../../ports/renderer.ts';
import type { WebAnswer } from '../../ports/web-server.ts';
import { bytesAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';
import {
  ASKS,
  ackEndpoint,
  framesOf,
  keepEndpoint,
  LEASE,
  refusalOf,
  type TakenEnd,
  WAIT_MS,
  WORKER,
  type WorkDesk,
} from './work.ts';

const URL_LENGTH_MAX = 16_384;
/** A document and a picture of it. */
const MADE_BYTES_MAX = 64 << 20;
const COUNT = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });
const MS = Type.Number({ minimum: 0, maximum: 3_600_000 });
const HEADERS = Type.Record(Type.String(), Type.String());

const TASK = Type.Object({
  lease: Type.String(),
  url: Type.String(),
  status: Type.Integer(),
  headers: HEADERS,
  user_agent: Type.String(),
  screenshot: Type.Boolean(),
  limits: Type.Object({
    ...{ page_ms: Type.Number(), whole_ms: Type.Number(), requests: Type.Integer() },
    ...{ bytes: Type.Integer(), dom_bytes: Type.Integer(), scrolls: Type.Integer() },
  }),
});

const MADE = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('rendered'),
      base: Type.String({ maxLength: URL_LENGTH_MAX }),
      is_cut: Type.Boolean(),
      requests: COUNT,
      ms: MS,
      html_bytes: Type.Integer({ minimum: 0, description: 'The rest of the body is a PNG' }),
    },
    CLOSED,
  ),
  Type.Object(
    {
      kind: Type.Literal('failed'),
      reason: Type.Enum([...RENDER_FAILURES]),
      detail: Type.String({ maxLength: 1_000 }),
      ms: MS,
    },
    CLOSED,
  ),
]);

const ANSWER = Type.Union([
  Type.Object({ kind: Type.Literal('answered'), status: Type.Integer(), headers: HEADERS }),
  Type.Object({ kind: Type.Literal('refused'), reason: Type.String() }),
]);

export function renderEndpoints(renderings: Renderings | undefined): readonly Endpoint[] {
  const desk: WorkDesk = {
    ...{ path: '/render', role: 'render', version: RENDERING_VERSION },
    outwork: renderings?.work as WorkDesk['outwork'],
    none: 'This node renders its pages itself; start it without render among its --roles.',
  };
  const ack = ackEndpoint(desk, {
    summary: 'What became of pages in the browser (K3, J2)',
    ...{ head: MADE, bodyBytesMax: MADE_BYTES_MAX },
    take: (worker, lease, made: Static<typeof MADE>, body) =>
      renderings === undefined ? 'lost' : taken(renderings, worker, lease, made, body),
  });
  return [leaseBatch(desk, renderings), ask(desk, renderings), ack, keepEndpoint(desk)];
}

function leaseBatch(desk: WorkDesk, renderings: Renderings | undefined): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/render/lease_batch', role: desk.role },
    summary: 'Lease pages to be rendered; waits two seconds for a first one (K3)',
    body: Type.Object(ASKS, CLOSED),
    answers: {
      200: {
        what: 'Pages; none when none came',
        media: FRAMES_MEDIA,
        schema: framesOf(TASK, 'Pages, without their content-encoding'),
      },
      404: { what: desk.none },
      409: { what: 'The renderer is of another version' },
    },
    async handle({ body: { worker, n, seconds = 30, version }, call }) {
      const refused = refusalOf(desk, version);
      if (refused !== undefined || renderings === undefined) return refused as WebAnswer;
      const isGone = () => call.isGone;
      const pieces = await renderings.work.lease({ worker, n, seconds, waitMs: WAIT_MS, isGone });
      return bytesAnswer(FRAMES_MEDIA, writeFrames(pieces.map(frameOf)));
    },
  });
}

function ask(desk: WorkDesk, renderings: Renderings | undefined): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: '/render/ask', role: desk.role },
    summary: 'What a page asks for while it is rendered: fetched by the node, at its turn (J2)',
    body: Type.Object(
      {
        ...{ worker: WORKER, lease: LEASE, kind: Type.Enum([...WISH_KINDS]) },
        url: Type.String({ maxLength: URL_LENGTH_MAX, pattern: '^https?://' }),
      },
      CLOSED,
    ),
    answers: {
      200: {
        what: 'The answer, without its content-encoding, or why there is none',
        media: FRAMES_MEDIA,
        schema: framesOf(ANSWER, 'One answer'),
      },
      404: { what: desk.none },
      409: { what: 'The page is not yours, or not any more' },
    },
    async handle({ body: { worker, lease, url, kind } }) {
      if (renderings === undefined) return problem('not-found', desk.none);
      const answer = await renderings.ask(worker, lease, url, kind);
      if (answer === undefined) return problem('lost', 'This page is not yours any more.');
      const { body, ...head } = answer.kind === 'answered' ? answer : { ...answer, body: NONE };
      return bytesAnswer(FRAMES_MEDIA, writeFrames([{ head, parts: [body] }]));
    },
  });
}

const NONE = new Uint8Array(0);

function taken(
  renderings: Renderings,
  worker: string,
  lease: string,
  made: Static<typeof MADE>,
  body: Buffer,
): TakenEnd {
  if (made.kind === 'failed') return renderings.bring(worker, lease, made);
  const job = renderings.work.leased(worker, lease)?.job;
  if (job === undefined) return 'lost';
  const { html_bytes: length, is_cut: isCut, ...rest } = made;
  const isLong = length > body.length || length > UTF8_BYTES_MAX * job.limits.domBytes;
  if (isLong) {
    renderings.work.handBack(worker, lease);
    return { wrong: 'its document is not as long as it is said to be, or too long' };
  }
  const picture = body.subarray(length);
  const screenshot = picture.length > 0 && job.screenshot ? picture : undefined;
  const html = body.toString('utf8', 0, length);
  return renderings.bring(worker, lease, { ...rest, html, isCut, screenshot });
}

/** Of a letter: a document's limit counts those. */
const UTF8_BYTES_MAX = 3;

function frameOf({ id: lease, job }: Piece<RenderJob>) {
  const { url, status, headers, body, userAgent, screenshot, limits } = job;
  const { pageMs, wholeMs, domBytes, ...rest } = limits;
  const head: Static<typeof TASK> = {
    ...{ lease, url, status, headers, user_agent: userAgent, screenshot },
    limits: { page_ms: pageMs, whole_ms: wholeMs, dom_bytes: domBytes, ...rest },
  };
  return { head, parts: [body] };
}
