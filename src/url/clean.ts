/**
 * The quick way: most links are clean, and a clean link needs no parser.
 *
 * One pass over a character table decides. Clean means that the WHATWG parser would copy the
 * text as it is and that nothing of U1 applies to it; whatever is unusual (other characters,
 * stray escapes, `;`, a segment that begins with a dot or a bracket) is not clean, and the
 * caller takes the long way. Saying "not clean" is always right, only slower; a differential
 * test holds both ways to the same answers.
 */
import { isUnreserved } from './percent.ts';
import { orderedParams } from './query.ts';

const IN_PATH = 1;
const IN_QUERY = 2;
const IN_HOST = 4;
const IN_RELATIVE = 8;
const IS_HEX = 16;

const [SLASH, DOT, HASH, QUESTION, PERCENT, OPEN] = [0x2f, 0x2e, 0x23, 0x3f, 0x25, 0x28];
const COLON = 0x3a;
const PORT_MAX = 65_535;
const HTTPS_HOST_AT = 'https://'.length;
const HOST_LENGTH_MAX = 253;

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const KIND = new Uint8Array(0x10000);
mark(`${ALNUM}-._~!$&'()*+,=@`, IN_PATH | IN_RELATIVE);
mark(':', IN_PATH);
mark(`${ALNUM}-._~!$&()*+,=:@/?`, IN_QUERY);
mark('abcdefghijklmnopqrstuvwxyz0123456789-.', IN_HOST);
mark('0123456789ABCDEF', IS_HEX);

function mark(characters: string, kind: number): void {
  for (const character of characters) KIND[character.charCodeAt(0)]! |= kind;
}

/**
 * Where a clean path that starts at `from` ends: at `?`, `#` or the end of the text; -1 if it
 * is not clean. `relative` refuses colons too, as one may end a scheme. A dot or bracket at
 * `from` itself is the caller's to check.
 */
export function cleanPathEnd(text: string, from: number, relative = false): number {
  const length = text.length;
  const wanted = relative ? IN_RELATIVE : IN_PATH;
  for (let at = from; at < length; at++) {
    const code = text.charCodeAt(at);
    if ((KIND[code]! & wanted) !== 0) continue;
    if (code === SLASH) {
      if (!startsClean(text.charCodeAt(at + 1))) return -1;
    } else if (code === HASH || code === QUESTION) return at;
    else if (code === PERCENT && isUniformEscape(text, at)) at += 2;
    else return -1;
  }
  return length;
}

/** Where a clean query ends: at the fragment or the end of the text; -1 if it is not clean. */
function cleanQueryEnd(text: string, from: number): number {
  const length = text.length;
  for (let at = from; at < length; at++) {
    const code = text.charCodeAt(at);
    if ((KIND[code]! & IN_QUERY) !== 0) continue;
    if (code === HASH) return at;
    if (code === PERCENT && isUniformEscape(text, at)) at += 2;
    else return -1;
  }
  return length;
}

/** A segment that may be a dot segment or a cookieless session begins with one of these. */
export function startsClean(code: number): boolean {
  return code !== DOT && code !== OPEN;
}

function isUniformEscape(text: string, at: number): boolean {
  const high = text.charCodeAt(at + 1);
  const low = text.charCodeAt(at + 2);
  if (at + 2 >= text.length || (KIND[high]! & KIND[low]! & IS_HEX) === 0) return false;
  return !isUnreserved((hexValue(high) << 4) | hexValue(low));
}

function hexValue(code: number): number {
  return code < 0x41 ? code - 0x30 : code - 0x37;
}

/**
 * `prefix` followed by the clean path from `from` to `pathEnd` and by the query after it, put in
 * order; undefined if that query is not clean. The prefix ends where a segment can begin.
 */
export function joinClean(
  prefix: string,
  text: string,
  from: number,
  pathEnd: number,
): string | undefined {
  const page = prefix + text.slice(from, pathEnd);
  if (text.charCodeAt(pathEnd) !== QUESTION) return page;
  const end = cleanQueryEnd(text, pathEnd + 1);
  if (end < 0) return undefined;
  const query = orderedParams(text.slice(pathEnd + 1, end));
  return query === '' ? page : `${page}?${query}`;
}

/** The canonical form of a clean absolute http(s) URL; undefined when it isn't one. */
export function cleanAbsolute(href: string, stripWww = false): string | undefined {
  const hostAt = href.startsWith('https://') ? HTTPS_HOST_AT : href.startsWith('http://') ? 7 : 0;
  if (hostAt === 0 || (stripWww && href.startsWith('www.', hostAt))) return undefined;
  const pathAt = cleanHostEnd(href, hostAt);
  if (pathAt < 0) return undefined;
  if (pathAt === href.length) return `${href}/`;
  const end = cleanPathEnd(href, pathAt);
  if (end < 0) return undefined;
  return end === href.length ? href : joinClean('', href, 0, end);
}

/**
 * Where a plain host name ends, with its port: at a slash or the end of the text; -1 if it is not
 * plain. Names whose last label begins with a digit may be IPv4 addresses, and `xn--` labels need
 * checking, so neither is plain.
 */
function cleanHostEnd(href: string, from: number): number {
  let at = from;
  let label = from;
  for (; at < href.length; at++) {
    const code = href.charCodeAt(at);
    if (code === SLASH || code === COLON) break;
    if ((KIND[code]! & IN_HOST) === 0) return -1;
    if (code !== DOT) continue;
    if (at === label || href.startsWith('xn--', label)) return -1;
    label = at + 1;
  }
  const isPlain = at > label && href.charCodeAt(label) > 0x39 && !href.startsWith('xn--', label);
  if (!isPlain || at - from > HOST_LENGTH_MAX) return -1;
  return href.charCodeAt(at) === COLON ? cleanPortEnd(href, at + 1, from) : at;
}

/** Digits as a person writes them, and not the port that the scheme has anyway. */
function cleanPortEnd(href: string, from: number, hostAt: number): number {
  let port = 0;
  let at = from;
  for (; at < href.length && href.charCodeAt(at) !== SLASH; at++) {
    const digit = href.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9 || (digit === 0 && at === from)) return -1;
    port = 10 * port + digit;
    if (port > PORT_MAX) return -1;
  }
  const own = hostAt === HTTPS_HOST_AT ? 443 : 80;
  return at > from && port !== own ? at : -1;
}
