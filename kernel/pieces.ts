/**
 * The pieces that words are made of, as in short texts, where few words come twice:
 *
 *   ^word$    →   ^w  ^wo  ord      three letters a piece, the last of them the first of the next,
 *   ^words$   →   ^wo  ord  ds$     and of every word of an even length its first letter alone
 *
 * Each word is read as whole numbers, and what lies behind its end is masked away. Words with
 * letters beyond ASCII take the long way (odd-words.ts), to the same numbers.
 */
import { EDGES_AT } from '../src/page/kernel-layout';
import { lettersOf } from './bytes';
import { chain, initialOf, takeOdd } from './odd-words';
import { addToPairs } from './pairs';
import { addFeatures, featuresEnd } from './sums';

/** The longest word that is read by numbers: of its eight pieces none is asked for alone. */
const READ_LENGTH_MAX: i32 = 13;

export function takePieces(stop: i32): void {
  for (let edge = EDGES_AT; edge < stop; edge += 8) {
    const start = load<i32>(edge);
    const length = load<i32>(edge, 4) - start;
    const letters = lettersOf(start, length);
    if (((READ_LENGTH_MAX - length) >>> 31) | i8x16.bitmask(letters)) {
      takeOdd(start, start + length);
    } else takeRead(letters, length);
  }
}

/** What is behind the pieces that the word has is written, too, and the next word over it. */
function takeRead(letters: v128, length: i32): void {
  const odds = i32x4.splat(length);
  const before = i8x16(-1, 0, 1, -1, 1, 2, 3, -1, 3, 4, 5, -1, 5, 6, 7, -1);
  const behind = i8x16(7, 8, 9, -1, 9, 10, 11, -1, 11, 12, 13, -1, 13, 14, 15, -1);
  const pieces = v128.and(i8x16.swizzle(letters, before), i32x4.ge_s(odds, i32x4(1, 3, 5, 7)));
  const more = i8x16.swizzle(letters, behind);
  const first = i32x4.extract_lane(pieces, 0);
  const end = featuresEnd;
  store<i32>(end, initialOf(first));
  const from = end + ((~length & 1) << 2);
  v128.store(from, pieces);
  v128.store(from, more, 16);
  let hash = chain(first, i32x4.extract_lane(pieces, 1));
  hash = chain(hash, i32x4.extract_lane(pieces, 2));
  hash = chain(hash, i32x4.extract_lane(pieces, 3));
  for (let nth = 4; nth < (length + 1) >> 1; nth++)
    hash = chain(hash, load<i32>(from + (nth << 2)));
  addFeatures(from + (((length + 1) >> 1) << 2));
  addToPairs(hash);
}
