/**
 * What hrefs meant on the last pages, looked up where they stand. ../src/page/known-hrefs.ts says
 * why and has the URLs; here is the table of hrefs that are known, with a few places for each hash. By
 * which bytes one is known: href-keys.ts.
 *
 *   heads   of each slot: hash and length in one number, site or folder
 *   hrefs   of each slot: up to 80 bytes
 *
 * Apart, because a table of this size is in no cache: the few heads that are looked at lie side by
 * side, and most hrefs are one line of memory.
 */
import { HREF_BYTES_MAX, HREF_HEADS_AT, HREF_SLOTS, HREFS_AT } from '../src/page/kernel-layout';
import { AMPERSAND, lettersMask, QUESTION, SPACE } from './bytes';
import {
  findKey,
  keyBytes,
  keyEnd,
  keyHead,
  keyHeadEnd,
  keyMiddle,
  keyPlace,
  keyRest,
} from './href-keys';

const PLACES: i32 = 4;
/** Enough for the longest href that is kept. */
const LENGTH_BITS: i32 = 127;
const HASH: u8 = 0x23;
const SPREAD: u64 = 0x9e3779b1 * ((1 as u64) << 32) + 0x85ebca6b;

/** What is said of an href that has no slot; by how much it is less: its length, fragment aside. */
const UNKNOWN: i32 = -1;
const SELF: i32 = -2;
const KEEPABLE: i32 = -3;

/** The href's slot, or what else is said of it. */
export function lookUpHref(from: i32, to: i32): i32 {
  const first = load<u8>(from);
  if (from === to || first <= SPACE || first === AMPERSAND || first === QUESTION) return UNKNOWN;
  if (first === HASH) return SELF;
  const end = hrefEnd(from, to);
  if (end < to && load<u8>(end - 1) <= SPACE) return UNKNOWN;
  findKey(from, end);
  if (keyBytes > HREF_BYTES_MAX) return UNKNOWN;
  const hash = hashOfKey();
  const head = headOfKey(hash);
  for (let nth = 0; nth < PLACES; nth++) {
    const slot = slotAt(hash, nth);
    if (load<u64>(HREF_HEADS_AT + (slot << 3)) === head && isKeyOf(slot)) return slot;
  }
  return KEEPABLE - (end - from);
}

/** Makes a place for an href that has none, and answers which. */
export function keepHref(from: i32, end: i32): i32 {
  findKey(from, end);
  const hash = hashOfKey();
  let nth: i32 = 0;
  while (nth < PLACES && load<u64>(HREF_HEADS_AT + (slotAt(hash, nth) << 3)) !== 0) nth++;
  const slot = slotAt(hash, nth === PLACES ? 0 : nth);
  store<u64>(HREF_HEADS_AT + (slot << 3), headOfKey(hash));
  writeKey(addressOf(slot));
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
function headOfKey(hash: i32): u64 {
  return ((keyPlace as u64) << 32) | (((hash & ~LENGTH_BITS) | keyBytes) as u32 as u64);
}

/** Up to seven zeros too many, which is what a row has room for. */
function writeKey(row: i32): void {
  let out = row;
  for (let at = keyHead; at < keyHeadEnd; at += 8, out += 8) store<u64>(out, load<u64>(at));
  store<u64>(out, keyMiddle);
  for (let at = keyRest; at < keyEnd; at += 8) {
    out += 8;
    store<u64>(out, load<u64>(at) & lettersMask(keyEnd - at));
  }
}

function isKeyOf(slot: i32): bool {
  let kept = addressOf(slot);
  for (let at = keyHead; at < keyHeadEnd; at += 8, kept += 8) {
    if (load<u64>(kept) !== load<u64>(at)) return false;
  }
  if (load<u64>(kept) !== keyMiddle) return false;
  for (let at = keyRest; at < keyEnd; at += 8) {
    kept += 8;
    if (load<u64>(kept) !== (load<u64>(at) & lettersMask(keyEnd - at))) return false;
  }
  return true;
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

function hashOfKey(): i32 {
  let hash: u64 = (keyPlace as u64) * SPREAD;
  for (let at = keyHead; at < keyHeadEnd; at += 8) hash = mixed(hash, load<u64>(at));
  hash = mixed(hash, keyMiddle);
  for (let at = keyRest; at < keyEnd; at += 8) {
    hash = mixed(hash, load<u64>(at) & lettersMask(keyEnd - at));
  }
  return (hash ^ (hash >>> 17)) as i32;
}

function mixed(hash: u64, letters: u64): u64 {
  const spread = (hash ^ letters) * SPREAD;
  return spread ^ (spread >>> 32);
}
