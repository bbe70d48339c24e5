/**
 * What hrefs meant on the last pages, looked up where they stand. ../src/page/known-hrefs.ts says
 * why and has the URLs; here is the table of hrefs that are known, with a few places for each hash.
 *
 *   a slot: hash │ folder │ length │ – │ up to 80 bytes of href, zeros behind them
 */
import { HREF_BYTES_MAX, HREF_SLOT_BYTES, HREF_SLOTS, HREFS_AT } from '../src/page/kernel-layout';
import { AMPERSAND, lettersMask, QUESTION, SLASH, SPACE } from './bytes';

const PLACES: i32 = 4;
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
  for (let nth = 0; nth < PLACES; nth++) {
    const slot = (hash + nth) & (HREF_SLOTS - 1);
    if (isIn(slot, hash, folder, from, end)) return slot;
  }
  return KEEPABLE - (end - from);
}

/** Makes a place for an href that has none, and answers which. */
export function keepHref(from: i32, end: i32): i32 {
  const folder = folderFor(load<u8>(from), from);
  const hash = hashOf(from, end, folder);
  let slot = hash & (HREF_SLOTS - 1);
  for (let nth = 0; nth < PLACES; nth++) {
    const next = (hash + nth) & (HREF_SLOTS - 1);
    if (load<i32>(addressOf(next), 8) !== 0) continue;
    slot = next;
    break;
  }
  const at = addressOf(slot);
  store<i32>(at, hash);
  store<i32>(at, folder, 4);
  store<i32>(at, end - from, 8);
  memory.fill(at + 16, 0, HREF_SLOT_BYTES - 16);
  memory.copy(at + 16, from, end - from);
  return slot;
}

function addressOf(slot: i32): i32 {
  return HREFS_AT + slot * HREF_SLOT_BYTES;
}

function isIn(slot: i32, hash: i32, folder: i32, from: i32, end: i32): bool {
  const at = addressOf(slot);
  if (load<i32>(at) !== hash || load<i32>(at, 4) !== folder) return false;
  if (load<i32>(at, 8) !== end - from) return false;
  let kept = at + 16;
  for (let here = from; here < end; here += 8, kept += 8) {
    if (load<u64>(kept) !== (load<u64>(here) & lettersMask(end - here))) return false;
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
