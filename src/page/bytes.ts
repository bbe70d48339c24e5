/**
 * The bytes that HTML's tokenizer stops at, as a table of bits: one load and one test answer
 * "does this byte end the name?" in the loops that see every byte of every page.
 */
export const TAB = 0x09;
export const LF = 0x0a;
export const FF = 0x0c;
export const CR = 0x0d;
export const SPACE = 0x20;
export const BANG = 0x21;
export const QUOTE = 0x22;
export const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const DASH = 0x2d;
export const SLASH = 0x2f;
export const LESS = 0x3c;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const QUESTION = 0x3f;

export const IS_SPACE = 1;
export const ENDS_TAG_NAME = 2;
export const ENDS_ATTRIBUTE_NAME = 4;
export const IS_LETTER = 8;
/** Letters, digits, `_` and all of UTF-8's longer characters: what words are made of. */
export const IS_WORD = 16;
/** A value with such a byte isn't its own text: a reference to expand, NUL or CR to replace. */
export const NEEDS_DECODING = 32;
export const IS_HIGH = 64;

export const CLASS = new Uint8Array(256);
for (const byte of [TAB, LF, FF, CR, SPACE]) {
  CLASS[byte] = IS_SPACE | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
}
for (const byte of [SLASH, GREATER]) CLASS[byte] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
CLASS[EQUALS] = ENDS_ATTRIBUTE_NAME;
for (let byte = 0x61; byte <= 0x7a; byte++) {
  CLASS[byte] = IS_LETTER | IS_WORD;
  CLASS[byte - 0x20] = IS_LETTER | IS_WORD;
}
for (let byte = 0x30; byte <= 0x39; byte++) CLASS[byte] = IS_WORD;
CLASS[0x5f] = IS_WORD;
CLASS[AMPERSAND] = NEEDS_DECODING;
CLASS[0] = NEEDS_DECODING;
CLASS[CR] = (CLASS[CR] ?? 0) | NEEDS_DECODING;
for (let byte = 0x80; byte <= 0xff; byte++) CLASS[byte] = IS_WORD | IS_HIGH;

/** Further than this, asking the engine's own search is quicker than looking. */
const NEAR = 40;

/** Where the byte stands next; the end of the input if nowhere. */
export function indexOfByte(bytes: Buffer, byte: number, from: number): number {
  const end = bytes.length;
  const near = Math.min(end, from + NEAR);
  let at = from;
  for (; at < near; at++) if (bytes[at] === byte) return at;
  if (at >= end) return end;
  const found = bytes.indexOf(byte, at);
  return found < 0 ? end : found;
}

/** Without white space around it; by hand, because a regular expression would go back and forth. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LF || code === TAB || code === CR || code === FF;
}
