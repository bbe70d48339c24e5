/**
 * One endpoint: what it takes, what it answers and who may call it. The schemas here validate
 * calls and are printed as OpenAPI; there is no second description.
 */
import Type, { type Static, type TSchema } from 'typebox';
import type { Role } from '../../config/sections/serve.ts';
import type { WebAnswer, WebCall, WebMethod } from '../../ports/web-server.ts';
import { textAnswer } from './answer.ts';

/** Bodies are small, but for lists of seeds. */
export const BODY_BYTES_MAX = 1024 ** 2;

export interface Endpoint<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
> {
  readonly method: WebMethod;
  /** With `{name}` for a part that differs. */
  readonly path: string;
  readonly summary: string;
  /** Undefined for everybody. */
  readonly role: Role | undefined;
  readonly params: P;
  readonly query: Q;
  /** Undefined takes none. */
  readonly body?: B;
  readonly bodyBytesMax?: number;
  /** The body is bytes, and its schema only describes it: the handler reads them. */
  readonly takesBytes?: boolean;
  /** Takes an Idempotency-Key: the same call again is answered as before. */
  readonly isKeyed?: boolean;
  readonly answers: Readonly<Record<number, AnswerShape>>;
  handle(input: ApiInput<Static<P>, Static<Q>, Static<B>>): Promise<WebAnswer>;
}

export interface AnswerShape {
  readonly what: string;
  readonly media?: string;
  readonly schema?: TSchema;
  readonly headers?: readonly string[];
}

export interface ApiInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly call: WebCall;
}

/** Unknown fields are refused, with their place. */
export const CLOSED = { additionalProperties: false } as const;
export const NOTHING_TAKEN = Type.Object({}, CLOSED);

type Shape<P extends TSchema, Q extends TSchema, B extends TSchema> = Omit<
  Endpoint<P, Q, B>,
  'params' | 'query'
> & { readonly params?: P; readonly query?: Q };

/** Keeps the types of the schemas for the handler, and forgets them for the list. */
export function endpoint<
  P extends TSchema = typeof NOTHING_TAKEN,
  Q extends TSchema = typeof NOTHING_TAKEN,
  B extends TSchema = TSchema,
>(shape: Shape<P, Q, B>): Endpoint {
  return { params: NOTHING_TAKEN, query: NOTHING_TAKEN, ...shape } as unknown as Endpoint;
}

/** A text that is made anew for each call, such as metrics. */
export function textEndpoint(
  path: string,
  summary: string,
  media: string,
  text: () => string | Promise<string>,
  role?: Role,
): Endpoint {
  return endpoint({
    ...{ method: 'GET', path, summary, role },
    answers: {
      200: { what: summary, media: media.split(';')[0] as string, schema: Type.String() },
    },
    handle: async () => textAnswer(media, await text()),
  });
}
