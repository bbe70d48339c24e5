/**
 * The one spelling in which a path of a URL and a path of robots.txt are compared.
 *
 * RFC 9309, 2.2.2: octets outside ASCII are percent-encoded; an encoded octet that is
 * unreserved in RFC 3986 is decoded; any other encoded octet stays encoded, in upper case.
 * So `%7E` is `~`, `ツ` is `%E3%83%84`, and `%2F` is not `/`.
 *
 * `*` and `$` are special in a pattern and ordinary in a URL. A URL spells them `%2A` and
 * `%24`, which is also how a pattern asks for them literally (2.2.3).
 */
import { Buffer } from 'node:buffer';

const STAR = 42;
const DOLLAR = 36;
const PERCENT = 37;

const COPY = 1;
const UNRESERVED = 3;
const CLASS = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of "/?:@!&'()+,;=[]") table[char.charCodeAt(0)] = COPY;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (const char of `${letters}0123456789-._~`) table[char.charCodeAt(0)] = UNRESERVED;
  return table;
}

const HEX = Array.from({ length: 256 }, (_, octet) => {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
});

/** One character for each octet of the text's UTF-8. */
export function toOctets(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 127) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

/** A URL's path and query, as robots.txt rules see them; `/` when it has none. */
export function pathToMatch(url: string): string {
  const from = pathStart(url);
  const hash = url.indexOf('#');
  if (from < 0 || (hash >= 0 && hash < from)) return '/';
  const path = hash < 0 ? url.slice(from) : url.slice(from, hash);
  return comparable(path.charCodeAt(0) === 47 ? path : `/${path}`);
}

/** Where the path starts in `scheme://host/path`, `//host/path`, `host/path` and `/path`. */
function pathStart(url: string): number {
  const relative = url.startsWith('//') ? 2 : 0;
  const early = firstOf(url, relative);
  const scheme = url.indexOf('://', relative);
  if (scheme < 0 || (early >= 0 && early < scheme)) return early;
  return firstOf(url, scheme + 3);
}

function firstOf(url: string, from: number): number {
  for (let at = from; at < url.length; at += 1) {
    const code = url.charCodeAt(at);
    if (code === 47 || code === 63 || code === 59) return at;
  }
  return -1;
}

/** A path in the common spelling; most are in it already and are returned as they are. */
export function comparable(path: string): string {
  for (let at = 0; at < path.length; at += 1) {
    const code = path.charCodeAt(at);
    if (code > 127 || CLASS[code] === 0) return spelled(toOctets(path), false);
  }
  return path;
}

/** A rule's pattern in the common spelling, `*` and a last `$` kept as the signs they are. */
export function comparablePattern(octets: string): string {
  const rooted = octets[0] === '/' || octets[0] === '*' ? octets : `/${octets}`;
  return spelled(rooted, true);
}

function spelled(octets: string, pattern: boolean): string {
  let out = '';
  for (let at = 0; at < octets.length; at += 1) {
    const code = octets.charCodeAt(at);
    const special = code === STAR || (code === DOLLAR && at === octets.length - 1);
    if (CLASS[code] !== 0 || (pattern && special)) {
      out += octets[at];
    } else if (code === PERCENT) {
      const octet = encodedOctet(octets, at);
      out +=
        octet < 0 ? '%' : CLASS[octet] === UNRESERVED ? String.fromCharCode(octet) : HEX[octet];
      if (octet >= 0) at += 2;
    } else {
      out += HEX[code];
    }
  }
  return out;
}

/** The octet that `%xx` at this place stands for, or -1 when it is no such thing. */
function encodedOctet(octets: string, at: number): number {
  const high = hexDigit(octets.charCodeAt(at + 1));
  const low = hexDigit(octets.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
