/**
 * robots.txt as a list of records: `key: value`, with the line it stood on.
 *
 * The text is handled as octets, one character each, because RFC 9309 compares octets and a
 * file may hold bytes that are no UTF-8. Whatever is no record is passed over: a broken line
 * never ends the reading (RFC 9309, 2.2).
 *
 * Two liberties beyond the grammar, both towards obeying more: common misspellings, and a
 * missing colon where exactly two words stand on the line.
 */
import { Buffer } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { toOctets } from './octets.ts';

/** RFC 9309, 2.5: at least 500 KiB are read; we read exactly that, and no part of a cut line. */
export const ROBOTS_BYTES_MAX = 500 * 1024;

export type RecordKind = 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap' | 'preference';

/** `kind` is undefined for a record whose key nobody here knows. */
export type RecordVisitor = (
  kind: RecordKind | undefined,
  value: string,
  line: number,
  key: string,
) => void;

const KINDS: ReadonlyMap<string, RecordKind> = new Map([
  ['user-agent', 'agent'],
  ['useragent', 'agent'],
  ['user agent', 'agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['desallow', 'disallow'],
  ['crawl-delay', 'delay'],
  ['crawldelay', 'delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['content-signal', 'preference'],
  ['content-usage', 'preference'],
]);

const LONGEST_KEY = 40;

export function readRecords(body: string | Uint8Array, visit: RecordVisitor): void {
  const text = withoutMark(readable(body));
  let line = 0;
  let start = 0;
  while (start < text.length) {
    line += 1;
    const end = lineEnd(text, start);
    readLine(text.slice(start, end), line, visit);
    const crlf = text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF;
    start = end + (crlf ? 2 : 1);
  }
}

const CR = 13;
const LF = 10;

function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF || code === CR) return at;
  }
  return text.length;
}

function readLine(raw: string, line: number, visit: RecordVisitor): void {
  const hash = raw.indexOf('#');
  const text = trimmed(hash < 0 ? raw : raw.slice(0, hash));
  if (text === '') return;
  const colon = text.indexOf(':');
  if (colon >= 0) {
    const key = trimmed(text.slice(0, Math.min(colon, LONGEST_KEY))).toLowerCase();
    visit(KINDS.get(key), trimmed(text.slice(colon + 1)), line, key);
    return;
  }
  const words = text.split(/[ \t]+/, 3);
  const kind = words.length === 2 ? KINDS.get(words[0]!.toLowerCase()) : undefined;
  if (kind !== undefined) visit(kind, words[1]!, line, words[0]!.toLowerCase());
}

/** At most the limit, as octets; a line that the limit cuts is left out, not half obeyed. */
function readable(body: string | Uint8Array): string {
  if (typeof body === 'string') return whole(toOctets(body.slice(0, ROBOTS_BYTES_MAX + 1)));
  const utf16 = body[0] === 0xff && body[1] === 0xfe && body[3] === 0;
  const utf16be = body[0] === 0xfe && body[1] === 0xff && body[2] === 0;
  const bytes = body.subarray(0, ROBOTS_BYTES_MAX + 1);
  if (utf16) return whole(toOctets(new TextDecoder('utf-16le').decode(bytes)));
  if (utf16be) return whole(toOctets(new TextDecoder('utf-16be').decode(bytes)));
  return whole(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

function whole(octets: string): string {
  if (octets.length <= ROBOTS_BYTES_MAX) return octets;
  const lf = octets.lastIndexOf('\n', ROBOTS_BYTES_MAX);
  const cr = octets.lastIndexOf('\r', ROBOTS_BYTES_MAX);
  return octets.slice(0, Math.max(lf, cr, 0));
}

/** A byte order mark, or the part of one that a careless editor left. */
function withoutMark(text: string): string {
  let at = 0;
  while (at < 3 && text[at] === '\xef\xbb\xbf'[at]) at += 1;
  return text.slice(at);
}

/** Not String.trim: 0xA0 is white space there, and the second octet of `à` here. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0;
}
