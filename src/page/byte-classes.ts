/**
 * What a byte is to HTML, as bits of the table in bytes.ts. AssemblyScript reads this file too, so it
 * holds nothing but numbers.
 */
export const IS_SPACE = 1;
export const ENDS_TAG_NAME = 2;
export const ENDS_ATTRIBUTE_NAME = 4;
export const IS_LETTER = 8;
/** Letters, digits, `_` and all of UTF-8's longer characters: what words are made of. */
export const IS_WORD = 16;
/** A value with such a byte isn't its own text: a reference to expand, NUL or CR to replace. */
export const NEEDS_DECODING = 32;
export const IS_HIGH = 64;
