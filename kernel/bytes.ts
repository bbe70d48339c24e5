/**
 * Looking at bytes: one by one through a table of bits (../src/page/bytes.ts fills it), or for
 * the next of a kind, sixteen at a time. Reading a little beyond the end is harmless: zeros are
 * there.
 */
import { IS_SPACE } from '../src/page/byte-classes';
import { CLASS_AT } from '../src/page/kernel-layout';

export const SPACE: u8 = 0x20;
export const BANG: u8 = 0x21;
export const QUOTE: u8 = 0x22;
export const AMPERSAND: u8 = 0x26;
export const APOSTROPHE: u8 = 0x27;
export const DASH: u8 = 0x2d;
export const DOT: u8 = 0x2e;
export const SLASH: u8 = 0x2f;
export const COLON: u8 = 0x3a;
export const SEMICOLON: u8 = 0x3b;
export const LESS: u8 = 0x3c;
export const EQUALS: u8 = 0x3d;
export const GREATER: u8 = 0x3e;
export const QUESTION: u8 = 0x3f;
export const BACKSLASH: u8 = 0x5c;

/** Where the page ends that is read now. */
export let pageEnd: i32 = 0;

export function setPageEnd(end: i32): void {
  pageEnd = end;
}

export function classOf(byte: u8): i32 {
  return load<u8>(CLASS_AT + (byte as i32));
}

export function isSpace(at: i32): bool {
  return (classOf(load<u8>(at)) & IS_SPACE) !== 0;
}

/** Which of sixteen bytes are white space: tab, LF, FF, CR, space. */
export function spacesIn(bytes: v128): v128 {
  const control = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x09)), i8x16.splat(5));
  const isVertical = i8x16.eq(bytes, i8x16.splat(0x0b));
  return v128.or(v128.andnot(control, isVertical), i8x16.eq(bytes, i8x16.splat(0x20)));
}

/** Where the byte stands next; the end of the page if nowhere. */
export function find(byte: u8, from: i32): i32 {
  const wanted = i8x16.splat(byte as i8);
  for (let at = from; at < pageEnd; at += 16) {
    const here = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (here !== 0) return min(at + ctz(here), pageEnd);
  }
  return pageEnd;
}

/** Where one of two bytes stands next. */
export function findEither(one: u8, other: u8, from: i32): i32 {
  const first = i8x16.splat(one as i8);
  const second = i8x16.splat(other as i8);
  for (let at = from; at < pageEnd; at += 16) {
    const bytes = v128.load(at);
    const here = i8x16.bitmask(v128.or(i8x16.eq(bytes, first), i8x16.eq(bytes, second)));
    if (here !== 0) return min(at + ctz(here), pageEnd);
  }
  return pageEnd;
}

/** Behind white space, at most at `to`. */
export function skipSpaces(from: i32, to: i32): i32 {
  for (let at = from; at < to; at += 16) {
    const others = i8x16.bitmask(spacesIn(v128.load(at))) ^ 0xffff;
    if (others !== 0) return min(at + ctz(others), to);
  }
  return to;
}

/** Copies a few bytes, and up to fifteen more; answers where they end. */
export function copyBytes(from: i32, to: i32, out: i32): i32 {
  for (let at = from; at < to; at += 16) v128.store(out + at - from, v128.load(at));
  return out + to - from;
}

/** Which bits of eight bytes are those of the first so many; no branch, as none is foretold. */
export function lettersMask(length: i32): u64 {
  const few = ((1 as u64) << (max(length, 0) << 3)) - 1;
  return length >= 8 ? ~(0 as u64) : few;
}

/** Each of eight bytes, as a letter in lower case would be. */
export const LOWER_CASE: u64 = 0x20202020 * ((1 as u64) << 32) + 0x20202020;

/** A word's letters in lower case, and zeros behind them; of one beyond sixteen, something. */
export function lettersOf(start: i32, length: i32): v128 {
  const nth = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const bytes = v128.or(v128.load(start), i8x16.splat(0x20));
  return v128.and(bytes, i8x16.lt_s(nth, i8x16.splat(length as i8)));
}
