/**
 * Tag names as small numbers: a name of up to fourteen letters is two numbers of eight bytes,
 * found with one look into a table that ../src/page/kernel-tables.ts has filled.
 */
import { ENDS_TAG_NAME } from '../src/page/byte-classes';
import {
  TAG_BYTES,
  TAG_HASH_SHIFT,
  TAG_SPREAD_A,
  TAG_SPREAD_B,
  TAGS_AT,
} from '../src/page/kernel-layout';
import { classOf, GREATER, LOWER_CASE, lettersMask, pageEnd, SLASH, spacesIn } from './bytes';

/** The bit that tells letters from what ends a name, of eight bytes. */
const LETTER_BITS: u64 = 0x40404040 * ((1 as u64) << 32) + 0x40404040;

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

/**
 * The same without looking for the end of a long name. Nearly all names are letters and shorter
 * than eight: no byte that ends a name has the bit 0x40 that all letters have.
 */
export function tagAt(from: i32): i32 {
  const start = load<u64>(from);
  const others = ~start & LETTER_BITS;
  const length = (ctz(others) as i32) >>> 3;
  const isUsual = (classOf(load<u8>(from + length)) & ENDS_TAG_NAME) !== 0;
  if (length >= 8 || !isUsual || from + length > pageEnd) return oddTagAt(from);
  nameEnd = from + length;
  return tagOf((start | LOWER_CASE) & lettersMask(length), 0);
}

function oddTagAt(from: i32): i32 {
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
  return tagOf(low, high);
}

function tagOf(low: u64, high: u64): i32 {
  const at = TAGS_AT + hashOf(low, high) * TAG_BYTES;
  const isTag = ((load<u64>(at) ^ low) | (load<u64>(at, 8) ^ high)) === 0;
  return isTag ? load<i32>(at, 16) : 0;
}

/** As in ../src/page/kernel-tables.ts. */
function hashOf(low: u64, high: u64): u32 {
  const first = (low as u32) ^ ((high as u32) << 3) ^ (((high >>> 32) as u32) << 7);
  return ((first * TAG_SPREAD_A) ^ (((low >>> 32) as u32) * TAG_SPREAD_B)) >>> TAG_HASH_SHIFT;
}
