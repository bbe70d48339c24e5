/**
 * The head of a stored answer, and of the request that it answers, as HTTP writes them.
 *
 * A head must describe what stands under it. The body is kept decoded, so the fields that tell
 * of another form are kept under another name, `x-orig-…`, as browsertrix does, and
 * Content-Length is the true one. What was not kept is not made up: names are in lower case,
 * the version is 1.1, and the reason is the usual one.
 *
 * Header bytes come from servers: whatever could end a line is a space here.
 */
import { hostOf, pathOf } from '../url/index.ts';

export type Fields = Readonly<Record<string, string>>;

/** About the way, not the content. */
const FRAMING = new Set(['content-encoding', 'transfer-encoding', 'content-length', 'trailer']);

export function responseHead(status: number, headers: Fields, bodyBytes: number): Buffer {
  const lines = [`HTTP/1.1 ${status} ${REASONS[status] ?? ''}`];
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) continue;
    if (name === 'content-length' && value.trim() === String(bodyBytes)) continue;
    const kept = FRAMING.has(name) ? `x-orig-${name}` : name;
    for (const one of value.split('\n')) lines.push(`${kept}: ${fieldValue(one)}`);
  }
  return headBytes(textOf([...lines, `content-length: ${bodyBytes}`]));
}

export function requestHead(url: string, headers: Fields): Buffer {
  const lines = [`GET ${pathOf(url) || '/'} HTTP/1.1`, `host: ${hostOf(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (TOKEN.test(name) && name !== 'host') lines.push(`${name}: ${fieldValue(value)}`);
  }
  return headBytes(textOf(lines));
}

export const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/;

export function fieldValue(text: string): string {
  if (!CONTROLS.test(text)) return text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f]+/g, ' ').trim();
}

function textOf(lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Bytes that were read as Latin-1 are written as such; other text can only be UTF-8. */
export function headBytes(text: string): Buffer {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1 is meant
  return Buffer.from(text, /^[\x00-\xff]*$/.test(text) ? 'latin1' : 'utf8');
}

export const REASONS: Readonly<Record<number, string>> = {
  ...{ 200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information' },
  ...{ 204: 'No Content', 206: 'Partial Content', 300: 'Multiple Choices' },
  ...{ 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 304: 'Not Modified' },
  ...{ 307: 'Temporary Redirect', 308: 'Permanent Redirect', 400: 'Bad Request' },
  ...{ 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden', 404: 'Not Found' },
  ...{ 405: 'Method Not Allowed', 406: 'Not Acceptable', 408: 'Request Timeout' },
  ...{ 409: 'Conflict', 410: 'Gone', 429: 'Too Many Requests' },
  ...{ 451: 'Unavailable For Legal Reasons', 500: 'Internal Server Error' },
  ...{ 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable' },
  504: 'Gateway Timeout',
};
