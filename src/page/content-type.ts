/**
 * A Content-Type value, read as the MIME Sniffing Standard reads it.
 *
 * Of several values the last that names a type counts; if it has no charset, it takes over that of the
 * first of those before it that named the same (Fetch Standard, "extract a MIME type").
 *
 * Strict where browsers are strict (`charset = x` and `charset='x'` name nothing) and lenient
 * where they are lenient (junk after a quoted value, a parameter without a name).
 */
import { fieldValues } from '../base/field-values.ts';

export interface ContentType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  readonly charset: string | undefined;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const QUOTED_TOKEN = /^[\t\x20-\x7e\x80-\xff]*$/;

export function parseContentType(field: string): ContentType | undefined {
  if (!field.includes(',')) return contentTypeOf(field);
  let found: ContentType | undefined;
  let first: string | undefined;
  for (const value of fieldValues(field)) {
    const type = contentTypeOf(value);
    if (type === undefined || type.essence === '*/*') continue;
    if (type.essence !== found?.essence) first = type.charset;
    found = type.charset === undefined ? { ...type, charset: first } : type;
  }
  return found;
}

function contentTypeOf(value: string): ContentType | undefined {
  const input = trimHttpSpace(value);
  const semicolon = input.indexOf(';');
  const head = trimHttpSpace(semicolon < 0 ? input : input.slice(0, semicolon));
  const slash = head.indexOf('/');
  if (slash < 0 || !TOKEN.test(head.slice(0, slash)) || !TOKEN.test(head.slice(slash + 1))) {
    return undefined;
  }
  const charset = semicolon < 0 ? undefined : parameter(input, semicolon, 'charset');
  return { essence: head.toLowerCase(), charset };
}

/** The first valid parameter of that name; each step starts on a semicolon. */
function parameter(input: string, semicolon: number, wanted: string): string | undefined {
  let at = semicolon;
  while (at < input.length) {
    at++;
    while (isHttpSpace(input.charCodeAt(at))) at++;
    const nameAt = at;
    while (at < input.length && input[at] !== ';' && input[at] !== '=') at++;
    if (input[at] !== '=') continue;
    const name = input.slice(nameAt, at).toLowerCase();
    const [value, next] = input[at + 1] === '"' ? quoted(input, at + 1) : bare(input, at + 1);
    at = next;
    if (name === wanted && value !== undefined && QUOTED_TOKEN.test(value)) return value;
  }
  return undefined;
}

function quoted(input: string, openAt: number): [string, number] {
  let value = '';
  let at = openAt + 1;
  for (; at < input.length && input[at] !== '"'; at++) {
    if (input[at] === '\\' && at + 1 < input.length) at++;
    value += input[at];
  }
  const next = input.indexOf(';', at);
  return [value, next < 0 ? input.length : next];
}

function bare(input: string, from: number): [string | undefined, number] {
  const semicolon = input.indexOf(';', from);
  const end = semicolon < 0 ? input.length : semicolon;
  const value = trimHttpSpace(input.slice(from, end));
  return [value === '' ? undefined : value, end];
}

/** A form feed is none. */
function trimHttpSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isHttpSpace(text.charCodeAt(from))) from++;
  while (to > from && isHttpSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isHttpSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}
