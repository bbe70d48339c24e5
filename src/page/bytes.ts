/**
 * The bytes that HTML's tokenizer stops at, as a table of bits: one load and one test answer
 * "does this byte end the name?" in the loops that see every byte of every page.
 */
import * as is from './byte-classes.ts';

const [TAB, LF, FF, CR] = [0x09, 0x0a, 0x0c, 0x0d];
export const SPACE = 0x20;
const [AMPERSAND, SLASH, EQUALS, GREATER] = [0x26, 0x2f, 0x3d, 0x3e];

export const CLASS = new Uint8Array(256);
for (const byte of [TAB, LF, FF, CR, SPACE]) {
  CLASS[byte] = is.IS_SPACE | is.ENDS_TAG_NAME | is.ENDS_ATTRIBUTE_NAME;
}
for (const byte of [SLASH, GREATER]) CLASS[byte] = is.ENDS_TAG_NAME | is.ENDS_ATTRIBUTE_NAME;
CLASS[EQUALS] = is.ENDS_ATTRIBUTE_NAME;
for (let byte = 0x61; byte <= 0x7a; byte++) {
  CLASS[byte] = is.IS_LETTER | is.IS_WORD;
  CLASS[byte - 0x20] = is.IS_LETTER | is.IS_WORD;
}
for (let byte = 0x30; byte <= 0x39; byte++) CLASS[byte] = is.IS_WORD;
CLASS[0x5f] = is.IS_WORD;
CLASS[AMPERSAND] = is.NEEDS_DECODING;
CLASS[0] = is.NEEDS_DECODING;
CLASS[CR] = (CLASS[CR] ?? 0) | is.NEEDS_DECODING;
for (let byte = 0x80; byte <= 0xff; byte++) CLASS[byte] = is.IS_WORD | is.IS_HIGH;

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
