/**
 * What hrefs meant on the last pages: pages of one site carry the same menus, pages of one folder
 * refer to the same neighbours, so most of their links have been resolved before.
 *
 *   https://h/p   means the same anywhere     /x/y   on its site     a.html   in its folder
 *
 * An href is looked up where it stands in the page, as bytes: a known link costs one walk over
 * its bytes and makes nothing new. The same string is handed out each time, which also spares
 * whoever looks it up next: its hash is known.
 *
 * A table of fixed size with a few places for each hash; what finds all of them taken takes
 * the first. Numbers of folders are never given out twice, so a folder that was forgotten is
 * never mistaken for another.
 */
import type { LinkResolver } from './resolver.ts';

const SLOTS = 1 << 17;
const PLACES = 4;
const FOLDERS_MAX = 10_000;
const HREF_BYTES_MAX = 1_000;
const [SPACE, HASH, AMPERSAND, QUESTION, SLASH] = [0x20, 0x23, 0x26, 0x3f, 0x2f];
/** A scheme without slashes, or white space that the parser takes out: read against the page. */
const OF_THE_PAGE = /[\t\n\r]|^[^/?#]*:(?!\/)/;

/** Two numbers and two strings a slot, side by side: looking one up is two visits to memory. */
const marks = new Int32Array(SLOTS * 2);
const texts: string[] = new Array<string>(SLOTS * 2).fill('');
const folders = new Map<string, number>();
let foldersEver = 0;
/** In place of a folder's number, for hrefs that need no base. */
const ANYWHERE = -1;

/** Answers what the href at these places of the page's bytes leads to. */
export type HrefResolver = (from: number, to: number) => string | undefined;

/** `textOf` gives an href as a string; `resolve` is asked when the memory has no answer. */
export function hrefResolver(
  baseUrl: string,
  bytes: Uint8Array,
  textOf: (from: number, to: number) => string,
  resolve: LinkResolver,
): HrefResolver {
  const folder = numberOf(folderOf(baseUrl));
  const site = numberOf(siteOf(baseUrl));
  let page: string | undefined;
  return (from, to) => {
    const first = to > from ? (bytes[from] as number) : 0;
    if (first === HASH) {
      page ??= resolve('#');
      return page;
    }
    const ofPage = first <= SPACE || first === AMPERSAND || first === QUESTION;
    if (ofPage || to - from > HREF_BYTES_MAX) return resolve(textOf(from, to));
    const place = first === SLASH ? site : isAbsolute(bytes, from) ? ANYWHERE : folder;
    const hash = hashOf(bytes, from, to, place);
    const end = hashedTo;
    if (end < to && (bytes[end - 1] as number) <= SPACE) return resolve(textOf(from, to));
    const slot = slotOf(hash, place, bytes, from, end);
    if (slot >= 0) return texts[slot + 1];
    const url = resolve(textOf(from, end));
    return url === undefined ? undefined : keep(hash, place, bytes, from, end, url);
  };
}

/**
 * Where the href that was hashed last ends: before its fragment, which names a part of a page.
 * White space before a fragment is part of the path; at the end of an href it is not.
 */
let hashedTo = 0;

/** After an `&` a `#` may be a number's, and stays. */
function hashOf(bytes: Uint8Array, from: number, to: number, folder: number): number {
  let hash = folder;
  let stop = HASH;
  let at = from;
  for (; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte === stop) break;
    if (byte === AMPERSAND) stop = -1;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  hashedTo = at;
  return hash ^ (hash >>> 15);
}

/** Where the href is known, or -1. */
function slotOf(hash: number, folder: number, bytes: Uint8Array, from: number, to: number) {
  for (let i = 0; i < PLACES; i++) {
    const slot = slotAt(hash, i);
    if (marks[slot] !== hash || marks[slot + 1] !== folder) continue;
    if (isHref(texts[slot] as string, bytes, from, to)) return slot;
  }
  return -1;
}

function isHref(href: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (href.length !== to - from) return false;
  for (let i = 0; i < href.length; i++) if (href.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
}

function keep(
  hash: number,
  folder: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  url: string,
): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  if (OF_THE_PAGE.test(raw)) return url;
  const kept = ownCopy(url);
  const slot = freeSlot(hash);
  marks[slot] = hash;
  marks[slot + 1] = folder;
  texts[slot] = raw;
  texts[slot + 1] = kept;
  return kept;
}

function freeSlot(hash: number): number {
  for (let i = 0; i < PLACES; i++) {
    const slot = slotAt(hash, i);
    if (marks[slot + 1] === 0) return slot;
  }
  return slotAt(hash, 0);
}

/** The nth place for a hash. */
function slotAt(hash: number, nth: number): number {
  return ((hash + nth) & (SLOTS - 1)) * 2;
}

function numberOf(folder: string): number {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  if (folders.size >= FOLDERS_MAX) folders.clear();
  foldersEver++;
  folders.set(ownCopy(folder), foldersEver);
  return foldersEver;
}

/** `http://` or `https://` and more: what it means does not depend on where it stands. */
function isAbsolute(bytes: Uint8Array, from: number): boolean {
  if (bytes[from] !== 0x68 || bytes[from + 1] !== 0x74 || bytes[from + 2] !== 0x74) return false;
  const colon = bytes[from + 4] === 0x73 ? from + 5 : from + 4;
  if (bytes[from + 3] !== 0x70 || bytes[colon] !== 0x3a) return false;
  return bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH;
}

/** Up to the first slash of the path; as a folder it has a name of its own. */
function siteOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end < 0 ? url : url.slice(0, end);
}

/** Up to the last slash of the path, query and fragment aside. */
function folderOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Anything above U+00FF would not survive latin1. */
function isOneByte(text: string): boolean {
  return !/[^\0-\xff]/.test(text);
}

/** A slice of a page keeps the whole page in memory; what is remembered must not. */
export function ownCopy(text: string): string {
  return isOneByte(text)
    ? Buffer.from(text, 'latin1').toString('latin1')
    : Buffer.from(text, 'utf16le').toString('utf16le');
}
