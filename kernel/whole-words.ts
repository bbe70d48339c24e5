/**
 * Words that are one piece each, as in long texts: three numbers are all of a word of up to
 * twelve letters, and its hash is made of those, of four words at once.
 *
 *   edges      where each begins and ends
 *   letters    sixteen bytes of each, in lower case, and what lies behind its end masked away
 *   turned     the first number of all four, the second of all, the third
 *   hashes     to the sums as features, to the pairs as words
 *
 * A word with letters beyond ASCII, or of more, goes the long way; so that all keep their order,
 * its three neighbours go one by one then.
 */
import { EDGES_AT } from '../src/page/kernel-layout';
import { LOWER_CASE, lettersMask, lettersOf } from './bytes';
import { times } from './four';
import { takeOdd } from './odd-words';
import { addNeighbours, addToPairs, wordsEnd } from './pairs';
import { addFeatures, addHashed, featuresEnd } from './sums';

const BEYOND_ASCII: u64 = 0x80808080 * ((1 as u64) << 32) + 0x80808080;
/** The longest word that is three numbers. */
const LENGTH_MAX: i32 = 12;

/** Behind the last edge there is room for those of three words more. */
export function takeWhole(stop: i32): void {
  // Words of no letters make the last group one of four; they are not taken.
  v128.store(stop, i64x2.splat(0));
  store<u64>(stop, 0, 16);
  for (let edge = EDGES_AT; edge < stop; edge += 32) takeFour(edge, min(stop - edge, 32));
}

/** The words between up to four pairs of edges; `taken` is how many bytes those are. */
function takeFour(edge: i32, taken: i32): void {
  const a = lengthAt(edge);
  const b = lengthAt(edge + 8);
  const c = lengthAt(edge + 16);
  const d = lengthAt(edge + 24);
  const lettersA = lettersOf(load<i32>(edge), a);
  const lettersB = lettersOf(load<i32>(edge, 8), b);
  const lettersC = lettersOf(load<i32>(edge, 16), c);
  const lettersD = lettersOf(load<i32>(edge, 24), d);
  const long = (LENGTH_MAX - a) | (LENGTH_MAX - b) | (LENGTH_MAX - c) | (LENGTH_MAX - d);
  const any = v128.or(v128.or(lettersA, lettersB), v128.or(lettersC, lettersD));
  if ((long >>> 31) | i8x16.bitmask(any)) {
    for (let at = edge; at < edge + taken; at += 8) takeOne(at);
    return;
  }
  const startsAB = v128.shuffle<i32>(lettersA, lettersB, 0, 4, 1, 5);
  const startsCD = v128.shuffle<i32>(lettersC, lettersD, 0, 4, 1, 5);
  const endsAB = v128.shuffle<i32>(lettersA, lettersB, 2, 6, 3, 7);
  const endsCD = v128.shuffle<i32>(lettersC, lettersD, 2, 6, 3, 7);
  const first = times(v128.shuffle<i64>(startsAB, startsCD, 0, 2), 0x9e3779b1);
  const second = times(v128.shuffle<i64>(startsAB, startsCD, 1, 3), 0x85ebca6b);
  const third = times(v128.shuffle<i64>(endsAB, endsCD, 0, 2), 0xc2b2ae35);
  const hashes = v128.xor(v128.xor(first, second), third);
  v128.store(featuresEnd, hashes);
  addFeatures(featuresEnd + (taken >> 1));
  v128.store(wordsEnd, hashes);
  addNeighbours(wordsEnd + (taken >> 1));
}

function lengthAt(edge: i32): i32 {
  return load<i32>(edge, 4) - load<i32>(edge);
}

/** The same for one word of any letters and any length. */
function takeOne(edge: i32): void {
  const start = load<i32>(edge);
  const length = lengthAt(edge);
  const ab = (load<u64>(start) | LOWER_CASE) & lettersMask(length);
  const c = (load<u32>(start, 8) | 0x20202020) & (lettersMask(length - 8) as u32);
  if (length > LENGTH_MAX || ((ab | c) & BEYOND_ASCII) !== 0) {
    takeOdd(start, start + length);
    return;
  }
  const hash = ((ab as u32) * 0x9e3779b1) ^ (((ab >>> 32) as u32) * 0x85ebca6b) ^ (c * 0xc2b2ae35);
  addHashed(hash);
  addToPairs(hash);
}
