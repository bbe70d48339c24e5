/**
 * A second fingerprint, of pairs of neighbouring words: do two texts that speak alike say the
 * same, too?
 *
 * Each pair falls into one of 64 bins by its hash; a bin keeps one bit of its smallest pair
 * (MinHash of one bit, in one pass). Where a share of all pairs is not common to both texts,
 * half of that share of the bins differ: 2 or 3 bits after an edit of 3% of the words, 20 and
 * more between pages that only share a vocabulary. Too coarse to search by, sharp enough to
 * confirm what was found.
 */
import { SMALLEST_AT } from '../src/page/kernel-layout';

const BINS: i32 = 64;
const EMPTY: u32 = 0xffffffff;

let before: i32 = 0;

export function clearPairs(): void {
  memory.fill(SMALLEST_AT, 0xff, BINS * 4);
  before = 0;
}

/** The word behind the one that was added before. */
export function addToPairs(word: i32): void {
  let pair: u32 = ((before ^ (before >>> 15)) * 0x2c1b3c6d) ^ word;
  before = word;
  pair = (pair ^ (pair >>> 16)) * 0x85ebca6b;
  pair = (pair ^ (pair >>> 13)) * 0xc2b2ae35;
  pair ^= pair >>> 16;
  const bin = SMALLEST_AT + ((pair >>> 26) << 2);
  const rest = pair << 6;
  if (rest < load<u32>(bin)) store<u32>(bin, rest);
}

/** The bit of an empty bin is not set. */
export function pairBits(): u64 {
  let bits: u64 = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const smallest = load<u32>(SMALLEST_AT + (bin << 2));
    if (smallest !== EMPTY && ((smallest >>> 6) & 1) === 1) bits |= (1 as u64) << bin;
  }
  return bits;
}
