/**
 * What hrefs meant on the last pages, looked up where they stand. ../src/page/known-hrefs.ts says
 * why and has the URLs; here is the table of hrefs that are known, with a few places for each hash.
 *
 *   heads   of each slot: hash and length in one number, folder
 *   hrefs   of each slot: up to 80 bytes
 *
 * Apart, because a table of this size is in no cache: the few heads that are looked at lie side by
 * side, and most hrefs are one line of memory.
 */
import { HREF_BYTES_MAX, HREF_HEADS_AT, HREF_SLOTS, HREFS_AT } from '../src/page/kernel-layout';
import { AMPERSAND, lettersMask, QUESTION, SLASH, SPACE } from './bytes';

const PLACES: i32 = 4;
/** Enough for the longest href that is kept. */
const LENGTH_BITS: i32 = 127;
const HASH: u8 = 0x23;
/** In place of a folder's number, for hrefs that need no base. */
const ANYWHERE: i32 = -1;
const SPREAD: u64 = 0x9e3779b1 * ((1 as u64) << 32) + 0x85ebca6b;

/** What is said of an href that has no slot; by how much it is less: its length, fragment aside. */
const UNKNOWN: i32 = -1;
const SELF: i32 = -2;
const KEEPABLE: i32 = -3;

let folderNow: i32 = 0;
let siteNow: i32 = 0;

/** Where the page stands whose hrefs are looked up next, as numbers. */
export function setFolder(folder: i32, site: i32): void {
  folderNow = folder;
  siteNow = site;
}

/** The href's slot, or what else is said of it. */
export function lookUpHref(from: i32, to: i32): i32 {
  const first = load<u8>(from);
  if (from === to || first <= SPACE || first === AMPERSAND || first === QUESTION) return UNKNOWN;
  if (first === HASH) return SELF;
  const end = hrefEnd(from, to);
  if (end - from > HREF_BYTES_MAX) return UNKNOWN;
  if (end < to && load<u8>(end - 1) <= SPACE) return UNKNOWN;
  const folder = folderFor(first, from);
  const hash = hashOf(from, end, folder);
  const head = headOf(hash, folder, end - from);
  for (let nth = 0; nth < PLACES; nth++) {
    const slot = slotAt(hash, nth);
    if (load<u64>(HREF_HEADS_AT + (slot << 3)) === head && isHref(slot, from, end)) return slot;
  }
  return KEEPABLE - (end - from);
}

/** Makes a place for an href that has none, and answers which. */
export function keepHref(from: i32, end: i32): i32 {
  const folder = folderFor(load<u8>(from), from);
  const hash = hashOf(from, end, folder);
  let nth: i32 = 0;
  while (nth < PLACES && load<u64>(HREF_HEADS_AT + (slotAt(hash, nth) << 3)) !== 0) nth++;
  const slot = slotAt(hash, nth === PLACES ? 0 : nth);
  store<u64>(HREF_HEADS_AT + (slot << 3), headOf(hash, folder, end - from));
  memory.copy(addressOf(slot), from, end - from);
  return slot;
}

/** The nth place for a hash. */
function slotAt(hash: i32, nth: i32): i32 {
  return (hash + nth) & (HREF_SLOTS - 1);
}

function addressOf(slot: i32): i32 {
  return HREFS_AT + slot * HREF_BYTES_MAX;
}

/** Never 0: that is a free one. The slot has the hash's other bits, but for a few. */
function headOf(hash: i32, folder: i32, length: i32): u64 {
  return ((folder as u64) << 32) | (((hash & ~LENGTH_BITS) | length) as u32 as u64);
}

function isHref(slot: i32, from: i32, end: i32): bool {
  let kept = addressOf(slot);
  for (let here = from; here < end; here += 8, kept += 8) {
    if (((load<u64>(kept) ^ load<u64>(here)) & lettersMask(end - here)) !== 0) return false;
  }
  return true;
}

/** `/x` means the same on its site, `https://h/x` anywhere, and `x` in its folder. */
function folderFor(first: u8, from: i32): i32 {
  if (first === SLASH) return siteNow;
  return isAbsolute(from) ? ANYWHERE : folderNow;
}

/** `http://` or `https://`. */
function isAbsolute(from: i32): bool {
  const next = load<u32>(from, 4);
  return load<u32>(from) === 0x70747468 && (next === 0x2f2f3a73 || (next & 0xffffff) === 0x2f2f3a);
}

/**
 * Before the fragment, which names a part of a page. White space before one is part of the path,
 * at the end of an href it is not. After an `&` a `#` may be a number's, and stays.
 */
function hrefEnd(from: i32, to: i32): i32 {
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const isHash = i8x16.eq(bytes, i8x16.splat(HASH as i8));
    const isReference = i8x16.eq(bytes, i8x16.splat(AMPERSAND as i8));
    const here = i8x16.bitmask(v128.or(isHash, isReference));
    if (here === 0) continue;
    const end = at + ctz(here);
    return end < to && load<u8>(end) === HASH ? end : to;
  }
  return to;
}

function hashOf(from: i32, end: i32, folder: i32): i32 {
  let hash: u64 = (folder as u64) * SPREAD;
  for (let at = from; at < end; at += 8) {
    hash = (hash ^ (load<u64>(at) & lettersMask(end - at))) * SPREAD;
    hash ^= hash >>> 32;
  }
  return (hash ^ (hash >>> 17)) as i32;
}
