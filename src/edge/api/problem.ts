/**
 * Errors, as RFC 9457 has them: one table of kinds, each with a type that stays the same and
 * can be looked up under its own address.
 */
import Type, { type Static } from 'typebox';
import type { WebAnswer } from '../../ports/web-server.ts';
import { jsonAnswer } from './answer.ts';

export const PROBLEMS = {
  malformed: { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'A token is needed' },
  'wrong-role': { status: 403, title: 'The token may not do this' },
  'foreign-host': { status: 403, title: 'The Host is not one of this service' },
  'foreign-origin': { status: 403, title: 'The Origin is not this service' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'method-not-allowed': { status: 405, title: 'That cannot be done with this' },
  'too-slow': { status: 408, title: 'The request took too long to arrive' },
  held: { status: 409, title: 'Something forbids it' },
  'wrong-state': { status: 409, title: 'Its state does not allow it' },
  lost: { status: 409, title: 'The lease has ended' },
  'other-version': { status: 409, title: 'The two speak different versions' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is of another media type' },
  elsewhere: { status: 421, title: 'Another node is responsible' },
  invalid: { status: 422, title: 'A value is wrong' },
  'key-reused': { status: 422, title: 'The Idempotency-Key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'head-too-large': { status: 431, title: 'The address and headers are too large' },
  broken: { status: 500, title: 'A bug in the service' },
  unavailable: { status: 503, title: 'Not now' },
  'too-many-streams': { status: 503, title: 'Too many event streams are open' },
} as const;

export type ProblemKind = keyof typeof PROBLEMS;

/** A value that is wrong: where it is, as a JSON pointer, and what is wrong with it. */
const PLACE = Type.Object({ in: Type.String(), pointer: Type.String(), detail: Type.String() });
export type Place = Static<typeof PLACE>;

export const PROBLEM = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(PLACE)),
});

export const PROBLEM_MEDIA = 'application/problem+json';

export function problem(
  kind: ProblemKind,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  errors?: readonly Place[],
): WebAnswer {
  const { status, title } = PROBLEMS[kind];
  const body = { type: `/problems/${kind}`, title, status, detail, ...(errors && { errors }) };
  return jsonAnswer(status, body, { ...headers, 'content-type': PROBLEM_MEDIA });
}
