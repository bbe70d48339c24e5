/** What a call brings, against the schemas of its endpoint; each wrong value with its place. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { WebAnswer, WebCall } from '../../ports/web-server.ts';
import type { ApiInput, Endpoint } from './endpoint.ts';
import { type Place, problem } from './problem.ts';

export type Reader = (call: WebCall) => ApiInput<never, never, never> | WebAnswer;

export function isRefused(read: ReturnType<Reader>): read is WebAnswer {
  return 'status' in read;
}

export function inputReader({ params, query, body, takesBytes }: Endpoint): Reader {
  const checks = [part('path', params, true), part('query', query, true)] as const;
  const bodyCheck =
    body === undefined ? undefined : takesBytes ? bytesIn : part('body', body, false);
  return (call) => {
    const [inPath, inQuery] = [checks[0](call.params), checks[1](call.query)];
    const inBody = bodyCheck?.(call.body) ?? bodyIn(call);
    if (inPath.wrong.length + inQuery.wrong.length + inBody.wrong.length > 0) {
      const wrong = [...inPath.wrong, ...inQuery.wrong, ...inBody.wrong];
      return problem('invalid', sentenceOf(wrong), {}, wrong);
    }
    const input = { params: inPath.value, query: inQuery.value, body: inBody.value, call };
    return input as ApiInput<never, never, never>;
  };
}

interface Checked {
  readonly value: unknown;
  readonly wrong: readonly Place[];
}

const NONE: readonly Place[] = [];

/** Paths and queries are text: numbers in them are read as such. */
function part(where: string, schema: TSchema, isText: boolean): (given: unknown) => Checked {
  const validator = Compile(schema);
  return (given) => {
    if (validator.Check(given)) return { value: given, wrong: NONE };
    const value = isText ? validator.Convert(given) : given;
    if (isText && validator.Check(value)) return { value, wrong: NONE };
    return { value, wrong: placesOf(where, validator.Errors(value)) };
  };
}

function bytesIn(given: unknown): Checked {
  const isBytes = given instanceof Uint8Array && given.length > 0;
  const wrong = { in: 'body', pointer: '', detail: 'must be bytes' };
  return { value: given, wrong: isBytes ? NONE : [wrong] };
}

function bodyIn({ body }: WebCall): Checked {
  const wrong = { in: 'body', pointer: '', detail: 'must be left out' };
  return { value: undefined, wrong: body === undefined || body === null ? [] : [wrong] };
}

const ERRORS_SHOWN = 8;
const POINTER_LENGTH_MAX = 200;

type Errors = ReturnType<ReturnType<typeof Compile>['Errors']>;

function placesOf(where: string, errors: Errors): Place[] {
  const places = new Map<string, Place>();
  for (const error of errors) {
    if (error.keyword === 'additionalProperties') continue;
    const pointer = error.instancePath.slice(0, POINTER_LENGTH_MAX);
    const detail = error.keyword === 'boolean' ? 'is not known' : error.message;
    // A union complains once for each of its members; the last of them sums up.
    places.set(pointer, { in: where, pointer, detail: choicesIn(errors, error) ?? detail });
  }
  return [...places.values()].slice(0, ERRORS_SHOWN);
}

function choicesIn(errors: Errors, { instancePath, keyword, params }: Errors[number]) {
  if (keyword === 'enum') return `must be one of ${params.allowedValues.map(String).join(', ')}`;
  if (keyword !== 'anyOf') return undefined;
  const known = errors.flatMap((error) =>
    error.keyword === 'const' && error.instancePath === instancePath
      ? [String(error.params.allowedValue)]
      : [],
  );
  return known.length === 0 ? undefined : `must be one of ${known.join(', ')}`;
}

function sentenceOf(wrong: readonly Place[]): string {
  const first = wrong[0] as Place;
  const rest = wrong.length > 1 ? `, and ${wrong.length - 1} more` : '';
  const whole = `The ${first.in} ${first.detail}${rest}.`;
  return first.pointer === ''
    ? whole
    : `In the ${first.in}, '${first.pointer}' ${first.detail}${rest}.`;
}
