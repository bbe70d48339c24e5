/**
 * The list of endpoints as OpenAPI 3.1 (A3). The schemas are those that validate: TypeBox
 * schemas are JSON Schema, which is what OpenAPI 3.1 takes.
 */
import type { TSchema } from 'typebox';
import { FRAMES_MEDIA } from '../../base/frames.ts';
import type { AnswerShape, Endpoint } from './endpoint.ts';
import { PROBLEM, PROBLEM_MEDIA, PROBLEMS, type ProblemKind } from './problem.ts';

export function openapiOf(endpoints: readonly Endpoint[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {};
    paths[endpoint.path] = { ...path, [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Orbweaver', version },
      description: 'A polite web crawler, as a service. Errors are problem details (RFC 9457).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(endpoint: Endpoint): object {
  const { method, path, summary, role, body, takesBytes } = endpoint;
  const media = takesBytes ? FRAMES_MEDIA : 'application/json';
  return {
    operationId: operationId(method, path),
    summary,
    ...(role !== undefined && { description: `Role: ${role}. On loopback no token is needed.` }),
    security: role === undefined ? [] : [{ token: [] }, {}],
    parameters: [
      ...parametersIn('path', endpoint.params),
      ...parametersIn('query', endpoint.query),
      ...(endpoint.isKeyed ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { [media]: { schema: body } } },
    }),
    responses: responses(endpoint),
  };
}

const IDEMPOTENCY_KEY = {
  ...{ name: 'Idempotency-Key', in: 'header', required: false },
  description: 'The same key with the same body is answered as before, for a day',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** What can happen to any call, and to one with a body. */
const ALWAYS: readonly ProblemKind[] = [
  'unauthorized',
  'wrong-role',
  'too-many-requests',
  'broken',
];
const WITH_INPUT: readonly ProblemKind[] = ['malformed', 'invalid'];
const WITH_BODY: readonly ProblemKind[] = ['too-large', 'unsupported-media-type'];

function responses({ answers, body }: Endpoint): Record<string, object> {
  const kinds = [...ALWAYS, ...WITH_INPUT, ...(body === undefined ? [] : WITH_BODY)];
  const found: Record<string, object> = {};
  for (const kind of kinds) {
    found[PROBLEMS[kind].status] = response({ what: PROBLEMS[kind].title });
  }
  for (const [status, shape] of Object.entries(answers)) found[status] = response(shape);
  return found;
}

function response({ what, media = 'application/json', schema, headers = [] }: AnswerShape): object {
  const problem = { [PROBLEM_MEDIA]: { schema: { $ref: '#/components/schemas/Problem' } } };
  const named = headers.map((name) => [name, { schema: { type: 'string' } }]);
  return {
    description: what,
    ...(named.length > 0 && { headers: Object.fromEntries(named) }),
    content: schema === undefined ? problem : { [media]: { schema } },
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema & { description?: string }>>;
  readonly required?: readonly string[];
}

export function parametersIn(where: 'path' | 'query', schema: TSchema): ParameterShape[] {
  const { properties = {}, required = [] } = schema as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    ...{ name, in: where, required: required.includes(name), schema: rest },
    ...(description !== undefined && { description }),
  }));
}

export interface ParameterShape {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
  readonly description?: string;
}

function operationId(method: string, path: string): string {
  const words = path.replace(/[{}]/g, '').split(/[/_.-]+/);
  const named = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  return method.toLowerCase() + (named || 'Root');
}
