/**
 * A second fingerprint, of pairs of neighbouring words: do two texts that speak alike say the
 * same, too?
 *
 * Each pair falls into one of 64 bins by its hash; a bin keeps one bit of its smallest pair
 * (MinHash of one bit, in one pass). Where a share of all pairs is not common to both texts,
 * half of that share of the bins differ: 2 or 3 bits after an edit of 3% of the words, 20 and
 * more between pages that only share a vocabulary. Too coarse to search by, sharp enough to
 * confirm what was found.
 *
 * Words wait in a list, behind the one before them, and are paired four at a time: four from a
 * place on are the neighbours of the four one further.
 */
import { NEIGHBOURS_AT, SMALLEST_AT } from '../src/page/kernel-layout';
import { mixed, times } from './four';

const BINS: i32 = 64;
const EMPTY: u32 = 0xffffffff;
const WAITING: i32 = 32;
const FIRST_AT: i32 = NEIGHBOURS_AT + 4;

/** Where the next word goes. Up to four may be put there at once. */
export let wordsEnd: i32 = FIRST_AT;
let paired: i32 = 0;

export function clearPairs(): void {
  memory.fill(SMALLEST_AT, 0xff, BINS * 4);
  store<i32>(NEIGHBOURS_AT, 0);
  wordsEnd = FIRST_AT;
  paired = 0;
}

/** The word behind the one that was added before. */
export function addToPairs(word: i32): void {
  store<i32>(wordsEnd, word);
  addNeighbours(wordsEnd + 4);
}

/** The same for words that were stored from `wordsEnd` on, up to here. */
export function addNeighbours(end: i32): void {
  wordsEnd = end;
  if (end < FIRST_AT + WAITING * 4) return;
  for (let nth = 0; nth < WAITING; nth += 4) {
    const pairs = pairsAt(nth);
    const ab = i64x2.extract_lane(pairs, 0);
    const cd = i64x2.extract_lane(pairs, 1);
    keep(ab as u32);
    keep((ab >>> 32) as u32);
    keep(cd as u32);
    keep((cd >>> 32) as u32);
  }
  paired += WAITING;
  const more = NEIGHBOURS_AT + WAITING * 4;
  v128.store(NEIGHBOURS_AT, v128.load(more));
  wordsEnd = end - WAITING * 4;
}

/** How many words have been added. */
export function wordsPaired(): i32 {
  return paired + ((wordsEnd - FIRST_AT) >> 2);
}

/** The bit of an empty bin is not set. */
export function pairBits(): u64 {
  keepLast();
  let bits: u64 = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const smallest = load<u32>(SMALLEST_AT + (bin << 2));
    if (smallest !== EMPTY && ((smallest >>> 6) & 1) === 1) bits |= (1 as u64) << bin;
  }
  return bits;
}

/** What still waits; of a last four that are not four words, only those. */
function keepLast(): void {
  const left = (wordsEnd - FIRST_AT) >> 2;
  for (let nth = 0; nth < left; nth += 4) {
    const pairs = pairsAt(nth);
    keep(i32x4.extract_lane(pairs, 0));
    if (nth + 1 < left) keep(i32x4.extract_lane(pairs, 1));
    if (nth + 2 < left) keep(i32x4.extract_lane(pairs, 2));
    if (nth + 3 < left) keep(i32x4.extract_lane(pairs, 3));
  }
}

function pairsAt(nth: i32): v128 {
  const before = v128.load(NEIGHBOURS_AT + (nth << 2));
  const words = v128.load(FIRST_AT + (nth << 2));
  const spread = times(v128.xor(before, i32x4.shr_u(before, 15)), 0x2c1b3c6d);
  return mixed(v128.xor(spread, words), 16, 0x85ebca6b, 13, 0xc2b2ae35);
}

/** Written whether it is smaller or not: which is so can't be foretold. */
function keep(pair: u32): void {
  const bin = (pair >>> 26) << 2;
  store<u32>(bin, min(pair << 6, load<u32>(bin, SMALLEST_AT)), SMALLEST_AT);
}
