/**
 * A part of the vocabulary, of the longest texts: a half, a quarter … of all words that there
 * are, the same ones wherever they stand.
 *
 * A word's first letters say whether it is taken, and where those are not all of it, its length.
 */
import { EDGES_AT } from '../src/page/kernel-layout';
import { times } from './four';

let hashMax: u32 = 0xffffffff;
/** Words that are counted, but not taken. */
export let leftOut: i32 = 0;

export function beginSample(halvings: i32): void {
  hashMax = (0xffffffff as u32) >>> halvings;
  leftOut = 0;
}

/**
 * Leaves the edges of words that are taken; answers where those end. Behind the last edge there
 * is room for those of three words more.
 */
export function sampled(stop: i32): i32 {
  // Words of no letters make the last group one of four.
  v128.store(stop, i64x2.splat(0));
  store<u64>(stop, 0, 16);
  let kept = EDGES_AT;
  for (let edge = EDGES_AT; edge < stop; edge += 32) {
    const taken = takenOf(edge) & (0xf >>> max(4 - ((stop - edge) >> 3), 0));
    // Which are can't be foretold: each is written, and the next one over it if it is not.
    store<u64>(kept, load<u64>(edge));
    kept += (taken & 1) << 3;
    store<u64>(kept, load<u64>(edge, 8));
    kept += (taken & 2) << 2;
    store<u64>(kept, load<u64>(edge, 16));
    kept += (taken & 4) << 1;
    store<u64>(kept, load<u64>(edge, 24));
    kept += taken & 8;
  }
  leftOut += (stop - kept) >> 3;
  return kept;
}

/** A bit for each of four words. */
function takenOf(edge: i32): i32 {
  const ab = v128.load(edge);
  const cd = v128.load(edge, 16);
  const starts = v128.shuffle<i32>(ab, cd, 0, 2, 4, 6);
  const lengths = i32x4.sub(v128.shuffle<i32>(ab, cd, 1, 3, 5, 7), starts);
  let first = v128.load32_zero(load<i32>(edge));
  first = v128.load32_lane(load<i32>(edge, 8), first, 1);
  first = v128.load32_lane(load<i32>(edge, 16), first, 2);
  first = v128.load32_lane(load<i32>(edge, 24), first, 3);
  first = v128.or(first, i32x4.splat(0x20202020));
  const second = v128.and(i32x4.gt_s(lengths, i32x4.splat(1)), i32x4.splat(0xff00));
  const third = v128.and(i32x4.gt_s(lengths, i32x4.splat(2)), i32x4.splat(0xff0000));
  const few = v128.and(first, v128.or(v128.or(second, third), i32x4.splat(0xff)));
  const isLong = i32x4.gt_s(lengths, i32x4.splat(3));
  const letters = v128.bitselect(v128.xor(first, lengths), few, isLong);
  const once = times(v128.xor(letters, i32x4.shr_u(letters, 15)), 0x2c1b3c6d);
  const hash = times(v128.xor(once, i32x4.shr_u(once, 13)), 0x85ebca6b);
  return i32x4.bitmask(i32x4.le_u(hash, i32x4.splat(hashMax)));
}
