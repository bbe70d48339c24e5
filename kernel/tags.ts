/**
 * Tag names as small numbers: a name of up to fourteen letters is two numbers of eight bytes,
 * found in an open table that ../src/page/kernel-tables.ts has filled.
 */
import { TAG_BYTES, TAG_SLOTS, TAGS_AT } from '../src/page/kernel-layout';
import {
  classOf,
  ENDS_TAG_NAME,
  GREATER,
  LOWER_CASE,
  lettersMask,
  pageEnd,
  SLASH,
  spacesIn,
} from './bytes';

/** Spreads names over the table; as in ../src/page/kernel-tables.ts. */
const SPREAD: u64 = 0x9e3779b1 * ((1 as u64) << 32) + 0x85ebca6b;
const HIGH_SPREAD: u64 = 31;

/** Where the name ends that was read last; 0 when that is further away than any of ours would. */
export let nameEnd: i32 = 0;

/** The number of the tag whose name starts at `from`, 0 for one we don't know. */
export function readTagName(from: i32): i32 {
  const tag = tagAt(from);
  if (nameEnd !== 0) return tag;
  let at = from + 16;
  while (at < pageEnd && (classOf(load<u8>(at)) & ENDS_TAG_NAME) === 0) at++;
  nameEnd = min(at, pageEnd);
  return 0;
}

/** The same without looking for the end of a long name. */
export function tagAt(from: i32): i32 {
  const bytes = v128.load(from);
  const isSlash = i8x16.eq(bytes, i8x16.splat(SLASH as i8));
  const isGreater = i8x16.eq(bytes, i8x16.splat(GREATER as i8));
  const ends = i8x16.bitmask(v128.or(spacesIn(bytes), v128.or(isSlash, isGreater)));
  const length = min(ctz(ends | 0x10000), pageEnd - from);
  nameEnd = 0;
  if (length === 16) return 0;
  nameEnd = from + length;
  const low = (i64x2.extract_lane(bytes, 0) | LOWER_CASE) & lettersMask(length);
  const high = (i64x2.extract_lane(bytes, 1) | LOWER_CASE) & lettersMask(length - 8);
  let slot = (((low ^ (high * HIGH_SPREAD)) * SPREAD) >>> 55) as i32;
  while (true) {
    const at = TAGS_AT + slot * TAG_BYTES;
    const tag = load<i32>(at, 16);
    if (tag === 0 || (load<u64>(at) === low && load<u64>(at, 8) === high)) return tag;
    slot = (slot + 1) & (TAG_SLOTS - 1);
  }
}
