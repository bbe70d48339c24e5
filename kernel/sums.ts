/**
 * How many of many 64-bit values have each bit set, without 64 additions a value.
 *
 *   numbers ─ hashed, four at a time ─ tallied, one by one ─ lanes ─ planes ─ majority
 *
 * Counters stand on their side: plane k holds bit k of all 64 counters, twice, since sixteen
 * bytes are two values; the two are added up at the end. Thirty-two values are added as a tree
 * of carry-save adders, five operations for two, and only the carry out of the sixteens runs up
 * the higher planes. So numbers wait in a list until there are that many.
 *
 * A value that comes again and again is counted a limited number of times, or one that is in
 * every word would decide alone (`word1 word2 …`). Which have come how often is kept in a small
 * table by a few bits of their hash; two that share a place there share the limit, so numbers
 * are tallied in the order of the text.
 */
import { FEATURES_AT, LANES_AT, PLANES_AT, TALLY_AT, TALLY_BITS } from '../src/page/kernel-layout';
import { mixed, times } from './four';

const LANES: i32 = 32;
/** Counts up to 2^30. */
const PLANES: i32 = 30;
const CARRY_PLANE: i32 = 4;

let repeatsMax: i32 = 0;
let count: i32 = 0;
/** Where the next number goes. */
export let featuresEnd: i32 = FEATURES_AT;

export function clearSums(repeats: i32): void {
  memory.fill(TALLY_AT, 0, 4 << TALLY_BITS);
  memory.fill(PLANES_AT, 0, PLANES * 16);
  repeatsMax = repeats;
  count = 0;
  featuresEnd = FEATURES_AT;
}

/** Hashes a number to 64 bits, and adds those. */
export function addHashed(value: i32): void {
  store<i32>(featuresEnd, value);
  addFeatures(featuresEnd + 4);
}

/** The same for numbers that were stored from `featuresEnd` on, up to here. */
export function addFeatures(end: i32): void {
  featuresEnd = end;
  if (end < FEATURES_AT + LANES * 4) return;
  hashFeatures(LANES);
  absorb();
  const more = FEATURES_AT + LANES * 4;
  v128.store(FEATURES_AT, v128.load(more));
  v128.store(FEATURES_AT, v128.load(more, 16), 16);
  featuresEnd = end - LANES * 4;
}

/** Which bits more than half of the values have. */
export function majority(): u64 {
  const left = (featuresEnd - FEATURES_AT) >> 2;
  hashFeatures(left);
  memory.fill(LANES_AT + (left << 3), 0, (LANES - left) << 3);
  absorb();
  addHalves();
  const half = count >>> 1;
  let above: u64 = 0;
  let equal: u64 = ~0;
  for (let plane = PLANES - 1; plane >= 0; plane--) {
    const bits = load<u64>(PLANES_AT + (plane << 4));
    if ((half >>> plane) & 1) equal &= bits;
    else {
      above |= equal & bits;
      equal &= ~bits;
    }
  }
  return above;
}

/** Of the list's first numbers, to lanes. Up to three behind the last are hashed for nothing. */
function hashFeatures(values: i32): void {
  count += values;
  for (let nth = 0; nth < values; nth += 4) {
    const low = mixed(v128.load(FEATURES_AT + (nth << 2)), 15, 0x85ebca6b, 13, 0xc2b2ae35);
    const first = times(v128.xor(low, i32x4.splat(0x27d4eb2f)), 0x9e3779b1);
    const high = times(v128.xor(first, i32x4.shr_u(first, 15)), 0x85ebca6b);
    const lanes = LANES_AT + (nth << 3);
    v128.store(lanes, v128.shuffle<i32>(low, high, 0, 4, 1, 5));
    v128.store(lanes, v128.shuffle<i32>(low, high, 2, 6, 3, 7), 16);
    const places = i32x4.shl(i32x4.shr_u(first, 32 - TALLY_BITS), 2);
    const ab = i64x2.extract_lane(places, 0);
    const cd = i64x2.extract_lane(places, 1);
    const a = tally(ab as i32);
    const b = tally((ab >>> 32) as i32);
    const c = tally(cd as i32);
    const d = tally((cd >>> 32) as i32);
    if ((a | b | c | d) >= 0) continue;
    leaveOut(nth, values, a);
    leaveOut(nth + 1, values, b);
    leaveOut(nth + 2, values, c);
    leaveOut(nth + 3, values, d);
  }
}

/** How many more of this may come; below 0 this was one too many. */
function tally(place: i32): i32 {
  const before = load<i32>(place, TALLY_AT);
  store<i32>(place, before + 1, TALLY_AT);
  return repeatsMax - 1 - before;
}

function leaveOut(nth: i32, values: i32, left: i32): void {
  if (left >= 0 || nth >= values) return;
  store<u64>(LANES_AT + (nth << 3), 0);
  count--;
}

function absorb(): void {
  let ones = v128.load(PLANES_AT);
  let twos = v128.load(PLANES_AT, 16);
  let fours = v128.load(PLANES_AT, 32);
  let eights = v128.load(PLANES_AT, 48);
  let carry = i64x2.splat(0);
  for (let at = LANES_AT; at < LANES_AT + LANES * 8; at += 128) {
    const twosA = pairCarry(ones, v128.load(at), v128.load(at, 16));
    ones = sum(ones, v128.load(at), v128.load(at, 16));
    const twosB = pairCarry(ones, v128.load(at, 32), v128.load(at, 48));
    ones = sum(ones, v128.load(at, 32), v128.load(at, 48));
    const foursA = pairCarry(twos, twosA, twosB);
    twos = sum(twos, twosA, twosB);
    const twosC = pairCarry(ones, v128.load(at, 64), v128.load(at, 80));
    ones = sum(ones, v128.load(at, 64), v128.load(at, 80));
    const twosD = pairCarry(ones, v128.load(at, 96), v128.load(at, 112));
    ones = sum(ones, v128.load(at, 96), v128.load(at, 112));
    const foursB = pairCarry(twos, twosC, twosD);
    twos = sum(twos, twosC, twosD);
    const eight = pairCarry(fours, foursA, foursB);
    fours = sum(fours, foursA, foursB);
    carry = v128.or(carry, v128.and(eights, eight));
    eights = v128.xor(eights, eight);
  }
  v128.store(PLANES_AT, ones);
  v128.store(PLANES_AT, twos, 16);
  v128.store(PLANES_AT, fours, 32);
  v128.store(PLANES_AT, eights, 48);
  for (let at = PLANES_AT + (CARRY_PLANE << 4); v128.any_true(carry); at += 16) {
    const old = v128.load(at);
    v128.store(at, v128.xor(old, carry));
    carry = v128.and(carry, old);
  }
}

/** Leaves in each plane's first half the sum of both. */
function addHalves(): void {
  let carry: u64 = 0;
  for (let at = PLANES_AT; at < PLANES_AT + PLANES * 16; at += 16) {
    const a = load<u64>(at);
    const b = load<u64>(at, 8);
    store<u64>(at, a ^ b ^ carry);
    carry = (a & b) | ((a ^ b) & carry);
  }
}

/** A full adder: its carry, and its sum. */
function pairCarry(a: v128, b: v128, c: v128): v128 {
  return v128.or(v128.and(a, b), v128.and(v128.xor(a, b), c));
}

function sum(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c);
}
