/**
 * What a node and the hands that work for it say to each other (K3), whatever the work is:
 *
 *   POST /WORK/lease_batch   {worker, n, seconds, version, …} ─▶ frames: a piece in each
 *   POST /WORK/ack           frames: what came of it ─▶ taken, returned, lost or refused, each
 *   POST /WORK/keep          {worker, leases} ─▶ they last as long again
 *
 * Frames are in ../../base/frames.ts. Pages that are read: parse.ts; rendered: render.ts.
 */
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { FRAMES_MEDIA, type Frame, readFrames } from '../../base/frames.ts';
import type { Role } from '../../config/sections/serve.ts';
import type { Outwork } from '../../crawl/outwork.ts';
import type { WebAnswer } from '../../ports/web-server.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';

export const PIECES_MAX = 200;
const SECONDS_MAX = 300;
/** How long a hand is let wait for a first piece: it asks again then. */
export const WAIT_MS = 2_000;

export const WORKER = Type.String({
  ...{ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' },
  description: 'Its own name: what it leased, it alone can bring back',
});
export const LEASE = Type.String({ minLength: 1, maxLength: 100 });
const VERSION = Type.Integer({ description: 'Which words it knows' });

export const ASKS = {
  worker: WORKER,
  n: Type.Integer({ minimum: 1, maximum: PIECES_MAX }),
  seconds: Type.Optional(Type.Number({ minimum: 1, maximum: SECONDS_MAX, default: 30 })),
  version: VERSION,
};

/** Bytes in the document; their heads are under `x-head`, for programs. */
export function framesOf(head: TSchema, description: string): TSchema {
  return Type.Unsafe<Uint8Array>({
    ...{ type: 'string', contentMediaType: FRAMES_MEDIA },
    description:
      `${description}, one frame behind the other: length of the head and of the body, ` +
      '4 bytes each, big-endian; the head as JSON; the body',
    'x-head': head,
  });
}

/** What is known of a kind of work; `none` is what a node says that does it itself. */
export interface WorkDesk {
  readonly path: string;
  readonly role: Role;
  readonly version: number;
  readonly outwork: Outwork<never, never> | undefined;
  readonly none: string;
}

const ENDS = Type.Object({
  pages: Type.Array(
    Type.Object({
      lease: Type.String(),
      state: Type.Enum(['taken', 'returned', 'lost', 'refused']),
      detail: Type.Optional(Type.String({ description: 'Why it is refused' })),
    }),
  ),
});

export type TakenEnd = 'taken' | 'lost' | { readonly wrong: string };

export interface AckParts {
  readonly summary: string;
  /** Of what was made. */
  readonly head: TSchema;
  readonly bodyBytesMax: number;
  take(worker: string, lease: string, made: never, body: Buffer): TakenEnd;
}

export function ackEndpoint(desk: WorkDesk, { summary, head, take, ...rest }: AckParts): Endpoint {
  const brought = Type.Object(
    { lease: LEASE, made: Type.Optional(head) },
    { ...CLOSED, description: 'Without `made` it is given back undone' },
  );
  const isBrought = Compile(brought);
  return endpoint({
    ...{ method: 'POST', path: `${desk.path}/ack`, role: desk.role, summary, takesBytes: true },
    query: Type.Object({ worker: WORKER, version: VERSION }, CLOSED),
    body: framesOf(brought, 'What came of each'),
    bodyBytesMax: rest.bodyBytesMax,
    answers: {
      200: { what: 'What became of each, in their order', schema: ENDS },
      404: { what: desk.none },
      409: { what: 'It is of another version' },
    },
    async handle({ query: { worker, version }, call }) {
      const refused = refusalOf(desk, version);
      if (refused !== undefined) return refused;
      const frames = readFrames(call.body as Uint8Array, PIECES_MAX);
      if (typeof frames === 'string') return nonsense('', frames);
      const odd = frames.findIndex(({ head }) => !isBrought.Check(head));
      if (odd >= 0) return nonsense(`/${odd}`, 'has a head that no hand of ours would send');
      const pages = frames.map((frame) => ({ lease: leaseIn(frame), ...endOf(frame, worker) }));
      return jsonAnswer(200, { pages });
    },
  });

  function endOf({ head, body }: Frame, worker: string) {
    const { lease, made } = head as { readonly lease: string; readonly made?: never };
    if (made === undefined) return { state: desk.outwork?.handBack(worker, lease) ?? 'lost' };
    const end = take(worker, lease, made, body);
    return typeof end === 'string' ? { state: end } : { state: 'refused', detail: end.wrong };
  }
}

function leaseIn({ head }: Frame): string {
  return (head as { readonly lease: string }).lease;
}

export function keepEndpoint(desk: WorkDesk): Endpoint {
  return endpoint({
    ...{ method: 'POST', path: `${desk.path}/keep`, role: desk.role },
    summary: 'Still at it: these leases last as long again (K3)',
    body: Type.Object({ worker: WORKER, leases: Type.Array(LEASE, { maxItems: 10_000 }) }, CLOSED),
    answers: {
      200: {
        what: 'How many were kept, and which have ended',
        schema: Type.Object({ kept: Type.Integer(), lost: Type.Array(Type.String()) }),
      },
      404: { what: desk.none },
    },
    async handle({ body: { worker, leases } }) {
      const { outwork } = desk;
      if (outwork === undefined) return problem('not-found', desk.none);
      const lost = leases.filter((lease) => outwork.keep(worker, lease) === 'lost');
      return jsonAnswer(200, { kept: leases.length - lost.length, lost });
    },
  });
}

/** Nobody to work for, or somebody who speaks otherwise. */
export function refusalOf(desk: WorkDesk, version: number): WebAnswer | undefined {
  if (desk.outwork === undefined) return problem('not-found', desk.none);
  if (version === desk.version) return undefined;
  const both = `This node speaks version ${desk.version} of ${desk.path}, this one ${version}`;
  return problem('other-version', `${both}: start both from one release.`);
}

function nonsense(pointer: string, wrong: string): WebAnswer {
  return problem('invalid', `The body ${wrong}.`, {}, [{ in: 'body', pointer, detail: wrong }]);
}
