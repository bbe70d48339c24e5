/**
 * As what an href is known: if it leads to its own site, by the path there, so that it is one href
 * in whichever folder it stands and however it is spelled.
 *
 *   on http://h/a/b/   c.html   ../b/c.html   /a/b/c.html   //h/a/b/c.html   http://H/a/b/c.html
 *   are all known as   /a/b/c.html of this site
 *
 * Promise: the key, read as an href from the root of its site, leads where the href leads. What
 * follows the folder may be anything then (escapes, more dots, a query): it is read the same in
 * both. But for what makes the front of an href something else than a path: those keep their own
 * bytes as a key, and are known on their site, in their folder, or anywhere.
 */
import { ABOVE_AT, FOLDER_AT, HREF_BYTES_MAX } from '../src/page/kernel-layout';
import { AMPERSAND, BACKSLASH, COLON, DOT, lettersMask, QUESTION, SLASH, SPACE } from './bytes';

/** In place of a number, for hrefs that need no base. */
const ANYWHERE: i32 = -1;
/** `./`, and the last two of `../`. */
const DOT_SLASH: u16 = 0x2f2e;
/** Of `//`, behind `http:` or `https:`. */
const HOST_AT: i32 = 5;

let folderNow: i32 = 0;
let siteNow: i32 = 0;
/** Of the folder's URL; where it has none, nothing is known by a path. */
let pathFrom: i32 = 0;
let pathEnd: i32 = 0;
/** So many folders are above it. */
let upMost: i32 = 0;

/**
 * The key found last, eight bytes at a time: whole eights of the folder, eight in which folder and
 * href may meet, and the rest of the href. Bytes that were just put together in memory would have
 * to be waited for.
 */
export let keyHead: i32 = 0;
export let keyHeadEnd: i32 = 0;
export let keyMiddle: u64 = 0;
export let keyRest: i32 = 0;
export let keyEnd: i32 = 0;
export let keyBytes: i32 = 0;
/** The site or the folder that the bytes are read in. */
export let keyPlace: i32 = 0;

/**
 * Where the page stands whose hrefs are looked up next, as numbers. Its folder's URL is at
 * FOLDER_AT: as the parser writes it, from `siteBytes` on a path that doesn't begin with `//`. Or
 * there is no path, and both are the same.
 */
export function setFolder(folder: i32, site: i32, siteBytes: i32, bytes: i32): void {
  folderNow = folder;
  siteNow = site;
  pathFrom = FOLDER_AT + siteBytes;
  pathEnd = FOLDER_AT + bytes;
  upMost = -1;
  for (let end = pathEnd; end > pathFrom; end--) {
    if (load<u8>(end - 1) === SLASH) store<i32>(ABOVE_AT + (++upMost << 2), end - pathFrom);
  }
}

/** Of an href without its fragment. Behind its end stands no dot and no slash. */
export function findKey(from: i32, end: i32): void {
  const isRooted = load<u8>(from) === SLASH;
  const isWhole = isAbsolute(from);
  setKey(0, from, end, isRooted ? siteNow : isWhole ? ANYWHERE : folderNow);
  if (pathEnd === pathFrom) return;
  if (isWhole) leaveSite(from, end, FOLDER_AT);
  else if (!isRooted) joinFolder(from, end);
  else if (load<u8>(from, 1) === SLASH) leaveSite(from, end, hostAt());
}

/** So many bytes of the folder's path, then those from here. */
function setKey(folderBytes: i32, from: i32, end: i32, place: i32): void {
  const odd = folderBytes & 7;
  keyHead = pathFrom;
  keyHeadEnd = pathFrom + folderBytes - odd;
  const both = (load<u64>(keyHeadEnd) & lettersMask(odd)) | (load<u64>(from) << (odd << 3));
  keyMiddle = both & lettersMask(odd + end - from);
  keyRest = from + 8 - odd;
  keyEnd = end;
  keyBytes = folderBytes + end - from;
  keyPlace = place;
}

/** `http://` or `https://`. */
function isAbsolute(from: i32): bool {
  const next = load<u32>(from, 4);
  return load<u32>(from) === 0x70747468 && (next === 0x2f2f3a73 || (next & 0xffffff) === 0x2f2f3a);
}

function hostAt(): i32 {
  return FOLDER_AT + HOST_AT + (load<u8>(FOLDER_AT, HOST_AT - 1) === COLON ? 0 : 1);
}

/** A URL of this site, which begins as the site's does there, becomes its path. */
function leaveSite(from: i32, end: i32, siteAt: i32): void {
  const path = from + pathFrom - siteAt;
  // A path that begins with two would be read as a host.
  if (path >= end || load<u8>(path) !== SLASH || load<u8>(path, 1) === SLASH) return;
  if (!isSite(from, path, siteAt) || !isPath(path, end, false)) return;
  setKey(0, path, end, siteNow);
}

/** Letters of a host's name may be large ones. */
function isSite(from: i32, to: i32, siteAt: i32): bool {
  for (let at = from; at < to; at++) {
    const byte = load<u8>(at);
    const isLarge = byte >= 0x41 && byte <= 0x5a;
    if ((isLarge ? byte | 0x20 : byte) !== load<u8>(siteAt + at - from)) return false;
  }
  return true;
}

/** A path from the folder, or from one above it. Nothing is above the root: up is there, too. */
function joinFolder(from: i32, end: i32): void {
  let at = from;
  let up: i32 = 0;
  while (load<u8>(at) === DOT) {
    if (load<u16>(at) === DOT_SLASH) at += 2;
    else if (load<u16>(at, 1) === DOT_SLASH) {
      at += 3;
      up++;
    } else break;
  }
  const folderBytes = load<i32>(ABOVE_AT + (min(up, upMost) << 2));
  if (folderBytes + end - at > HREF_BYTES_MAX) return;
  // With a slash it would be a host when the folder is the root.
  if (load<u8>(at) === SLASH || !isPath(at, end, at === from)) return;
  // A folder alone is one piece: eight bytes of nothing would be another key.
  if (at === end) setKey(0, pathFrom, pathFrom + folderBytes, siteNow);
  else setKey(folderBytes, at, end, siteNow);
}

/**
 * Nothing before the query that can be read as a slash, a scheme or nothing at all: a backslash, a
 * reference, white space, a colon where a scheme can be.
 */
function isPath(from: i32, end: i32, hasScheme: bool): bool {
  const colon = i8x16.splat((hasScheme ? COLON : BACKSLASH) as i8);
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at);
    const isEnd = i8x16.eq(bytes, i8x16.splat(QUESTION as i8));
    const isBlank = i8x16.le_u(bytes, i8x16.splat(SPACE as i8));
    const isReference = i8x16.eq(bytes, i8x16.splat(AMPERSAND as i8));
    const isSlash = i8x16.eq(bytes, i8x16.splat(BACKSLASH as i8));
    const isOdd = v128.or(v128.or(isBlank, isReference), v128.or(isSlash, i8x16.eq(bytes, colon)));
    const here = i8x16.bitmask(v128.or(isOdd, isEnd));
    if (here === 0) continue;
    const found = at + ctz(here);
    return found >= end || load<u8>(found) === QUESTION;
  }
  return true;
}
