/**
 * The words of a page, gathered as UTF-8 bytes with single spaces between them.
 *
 * What separates words: white space, and tags, except that letters on both sides of an inline
 * tag are one word (`<b>W</b>ord`). So every word is whole, though punctuation after a tag
 * stands apart.
 *
 * Marks say whose words they are: the page's own, those of a link, or those of a part that all
 * pages of the site share. Links and shared parts say where a page stands, not what it says.
 */
import { IS_SPACE, IS_WORD } from '../src/page/byte-classes';
import { MARKS_AT, MARKS_MAX, REFERENCE_AT } from '../src/page/kernel-layout';
import { AMPERSAND, classOf, find, LESS, SPACE, skipSpaces, spacesIn } from './bytes';
import { readReference } from './host';

export const GAP_NONE: i32 = 0;
export const GAP_INLINE: i32 = 1;
export const GAP_WORDS: i32 = 2;

/** Bits. `VOICE_TEXT` is what the page itself marks as its text: `main` and `article`. */
export const VOICE_OWN: i32 = 0;
export const VOICE_LINK: i32 = 1;
export const VOICE_SHARED: i32 = 2;
export const VOICE_TEXT: i32 = 4;
/** Of a mark (../src/page/words.ts): the rest of it is where in the text it stands. */
export const VOICE_BITS: i32 = 3;

const NBSP_CODE: i32 = 0xa0;

export let textLength: i32 = 0;
export let markCount: i32 = 0;
let base: i32 = 0;
let bytesMax: i32 = 0;
let gap: i32 = GAP_NONE;
let voice: i32 = VOICE_OWN;

/** Words go to `at`; no more are added when there are so many bytes of them. */
export function clearText(at: i32, most: i32): void {
  base = at;
  bytesMax = most;
  textLength = 0;
  markCount = 0;
  gap = GAP_NONE;
  voice = VOICE_OWN;
}

/** What has come since the last word: the widest gap counts. */
export function widenGap(wide: i32): void {
  gap = max(gap, wide);
}

/** Whose words come from here on. */
export function speakAs(whose: i32): void {
  if (whose === voice || markCount >= MARKS_MAX) return;
  voice = whose;
  store<i32>(MARKS_AT + (markCount << 2), (textLength << VOICE_BITS) | whose);
  markCount++;
}

/** Adds text as it stands in the page. */
export function addText(from: i32, to: i32, references: bool): void {
  if (textLength < bytesMax) copy(from, to, references, AMPERSAND);
}

/** The same from here to the next tag, or to the end of the page; answers where that is. */
export function addToTag(from: i32, to: i32): i32 {
  return textLength < bytesMax ? copy(from, to, true, LESS) : find(LESS, from);
}

/** Up to `to`, or to the first `stop` that is no ampersand. */
function copy(from: i32, to: i32, references: bool, stop: u8): i32 {
  let at = from;
  while (at < to) {
    const byte = load<u8>(at);
    if ((classOf(byte) & IS_SPACE) !== 0) {
      gap = GAP_WORDS;
      if (++at < to && load<u8>(at) <= SPACE) at = skipSpaces(at, to);
    } else if (byte < SPACE || byte === AMPERSAND) at = addOdd(byte, at, to, references);
    else if (byte === stop) break;
    else {
      closeGap(byte);
      at = copyRun(at, to, stop);
    }
  }
  return at;
}

/**
 * Copies up to whatever has to be looked at closely, sixteen bytes at a time: white space as
 * spaces, and of several in a row one. A space at the end is none but a gap.
 */
function copyRun(from: i32, to: i32, stop: u8): i32 {
  const stops = i8x16.splat(stop as i8);
  let at = from;
  let out = base + textLength;
  let wasSpace: i32 = 0;
  while (at < to) {
    const bytes = v128.load(at);
    const spaces = spacesIn(bytes);
    const spaceBits = i8x16.bitmask(spaces);
    const control = v128.andnot(i8x16.lt_u(bytes, i8x16.splat(0x20)), spaces);
    const isReference = i8x16.eq(bytes, i8x16.splat(AMPERSAND as i8));
    const odd = v128.or(control, v128.or(isReference, i8x16.eq(bytes, stops)));
    const oddBits = i8x16.bitmask(odd);
    const again = spaceBits & ((spaceBits << 1) | wasSpace);
    v128.store(out, v128.bitselect(i8x16.splat(0x20), bytes, spaces));
    const run = min(ctz(oddBits | again | 0x10000), to - at);
    at += run;
    out += run;
    if (run > 0) wasSpace = (spaceBits >>> (run - 1)) & 1;
    if (run === 16) continue;
    if (at >= to || ((oddBits >>> run) & 1) !== 0) break;
    at = skipSpaces(at, to);
  }
  textLength = out - base - wasSpace;
  if (wasSpace !== 0) gap = GAP_WORDS;
  return at;
}

/** A space, where one belongs between what was written last and what comes. */
function closeGap(next: u8): void {
  const last = base + textLength;
  if (
    gap !== GAP_NONE &&
    textLength > 0 &&
    (gap === GAP_WORDS || !joins(load<u8>(last - 1), next))
  ) {
    store<u8>(last, SPACE);
    textLength++;
  }
  gap = GAP_NONE;
}

function joins(before: u8, after: u8): bool {
  return (classOf(before) & classOf(after) & IS_WORD) !== 0;
}

/** A reference, or a control character; answers where it ends. */
function addOdd(byte: u8, at: i32, to: i32, references: bool): i32 {
  if (byte === 0) return at + 1;
  if (references && byte === AMPERSAND) {
    const past = addReference(at, to);
    if (past > at) return past;
  }
  closeGap(byte);
  store<u8>(base + textLength, byte);
  textLength++;
  return at + 1;
}

/** Half of all references are one: `&nbsp;`. It is known here, with those that code is full of. */
function addReference(at: i32, to: i32): i32 {
  const next = load<u64>(at, 1);
  if ((next & 0xffffffffff) === 0x3b7073626e && at + 6 <= to) {
    closeGap(NBSP_CODE as u8);
    store<u16>(base + textLength, 0xa0c2);
    textLength += 2;
    return at + 6;
  }
  if ((next & 0xffffff) === 0x3b746c && at + 4 <= to) return addByte(0x3c, at + 4);
  if ((next & 0xffffff) === 0x3b7467 && at + 4 <= to) return addByte(0x3e, at + 4);
  if ((next & 0xffffffff) === 0x3b706d61 && at + 5 <= to) return addByte(0x26, at + 5);
  if ((next & 0xffffffffff) === 0x3b746f7571 && at + 6 <= to) return addByte(0x22, at + 6);
  return addRare(at, to);
}

function addByte(byte: u8, past: i32): i32 {
  closeGap(byte);
  store<u8>(base + textLength, byte);
  textLength++;
  return past;
}

/** Any other reference, as the host reads it: its first UTF-16 unit, then its bytes. */
function addRare(at: i32, to: i32): i32 {
  const length = readReference(at, to);
  if (length === 0) return at;
  const unit = load<i32>(REFERENCE_AT);
  if (unit <= 0x20 && (classOf(unit as u8) & IS_SPACE) !== 0) {
    gap = GAP_WORDS;
    return at + length;
  }
  closeGap(min(unit, 0xff) as u8);
  const bytes = load<i32>(REFERENCE_AT, 4);
  memory.copy(base + textLength, REFERENCE_AT + 8, bytes);
  textLength += bytes;
  return at + length;
}
