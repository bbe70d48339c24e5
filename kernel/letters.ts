/**
 * What a character is to a fingerprint: part of a word, a word of its own, or between words.
 * The engine's Unicode tables know, so the host is asked, 256 neighbours at a time, and what it
 * says is kept: a block for each 256 characters of the first plane, shared with the planes above.
 */
import { LETTER_BLOCK_AT, LETTER_BLOCKS, LETTERS_AT } from '../src/page/kernel-layout';
import { fillLetters } from './host';

/** Set for a character that is a word of its own (../src/page/kernel-letters.ts). */
export const ALONE: i32 = 1 << 24;

/** 0 between words, else the code point in lower case, with `ALONE` where it is a whole word. */
export function letterOf(code: i32): i32 {
  const nth = code >>> 8;
  const place = nth & (LETTER_BLOCKS - 1);
  const known = LETTER_BLOCK_AT + (place << 2);
  const block = LETTERS_AT + (place << 10);
  if (load<i32>(known) !== nth + 1) {
    fillLetters(nth, block);
    store<i32>(known, nth + 1);
  }
  return load<i32>(block + ((code & 0xff) << 2));
}
