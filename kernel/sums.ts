/**
 * How many of many 64-bit values have each bit set, without 64 additions a value.
 *
 * Counters stand on their side: plane k holds bit k of all 64 counters. Sixteen values are added
 * as a tree of carry-save adders, five operations a value, and only the carry out of the
 * sixteens runs up the higher planes.
 *
 * A value that comes again and again is counted a limited number of times, or one that is in
 * every word would decide alone (`word1 word2 …`). Which have come how often is kept in a small
 * table by a few bits of their hash; two that share a place there share the limit.
 */
import { LANES_AT, PLANES_AT, TALLY_AT, TALLY_BITS } from '../src/page/kernel-layout';

const LANES: i32 = 16;
/** Counts up to 2^30. */
const PLANES: i32 = 30;
const CARRY_PLANE: i32 = 4;

let repeatsMax: i32 = 0;
let count: i32 = 0;
let lane: i32 = 0;

export function clearSums(repeats: i32): void {
  memory.fill(TALLY_AT, 0, 4 << TALLY_BITS);
  memory.fill(PLANES_AT, 0, PLANES * 8);
  repeatsMax = repeats;
  count = 0;
  lane = 0;
}

/** Hashes a number to 64 bits, and adds those. */
export function addHashed(value: i32): void {
  let low: u32 = (value ^ (value >>> 15)) * 0x85ebca6b;
  low = (low ^ (low >>> 13)) * 0xc2b2ae35;
  low ^= low >>> 16;
  let high: u32 = (low ^ 0x27d4eb2f) * 0x9e3779b1;
  const place = TALLY_AT + ((high >>> (32 - TALLY_BITS)) << 2);
  const times = load<i32>(place);
  store<i32>(place, times + 1);
  const counts = (times - repeatsMax) >> 31;
  count -= counts;
  high = (high ^ (high >>> 15)) * 0x85ebca6b;
  store<u64>(LANES_AT + (lane << 3), (((high as u64) << 32) | (low as u64)) & (counts as i64));
  if (++lane === LANES) absorb();
}

/** Which bits more than half of the values have. */
export function majority(): u64 {
  if (lane > 0) {
    memory.fill(LANES_AT + (lane << 3), 0, (LANES - lane) << 3);
    absorb();
  }
  const half = count >>> 1;
  let above: u64 = 0;
  let equal: u64 = ~0;
  for (let plane = PLANES - 1; plane >= 0; plane--) {
    const bits = load<u64>(PLANES_AT + (plane << 3));
    if ((half >>> plane) & 1) equal &= bits;
    else {
      above |= equal & bits;
      equal &= ~bits;
    }
  }
  return above;
}

function absorb(): void {
  let ones = load<u64>(PLANES_AT);
  let twos = load<u64>(PLANES_AT, 8);
  let fours = load<u64>(PLANES_AT, 16);
  let eights = load<u64>(PLANES_AT, 24);
  let carry: u64 = 0;
  for (let at = LANES_AT; at < LANES_AT + 128; at += 64) {
    const twosA = pairCarry(ones, load<u64>(at), load<u64>(at, 8));
    ones ^= load<u64>(at) ^ load<u64>(at, 8);
    const twosB = pairCarry(ones, load<u64>(at, 16), load<u64>(at, 24));
    ones ^= load<u64>(at, 16) ^ load<u64>(at, 24);
    const foursA = pairCarry(twos, twosA, twosB);
    twos ^= twosA ^ twosB;
    const twosC = pairCarry(ones, load<u64>(at, 32), load<u64>(at, 40));
    ones ^= load<u64>(at, 32) ^ load<u64>(at, 40);
    const twosD = pairCarry(ones, load<u64>(at, 48), load<u64>(at, 56));
    ones ^= load<u64>(at, 48) ^ load<u64>(at, 56);
    const foursB = pairCarry(twos, twosC, twosD);
    twos ^= twosC ^ twosD;
    const eight = pairCarry(fours, foursA, foursB);
    fours ^= foursA ^ foursB;
    carry |= eights & eight;
    eights ^= eight;
  }
  store<u64>(PLANES_AT, ones);
  store<u64>(PLANES_AT, twos, 8);
  store<u64>(PLANES_AT, fours, 16);
  store<u64>(PLANES_AT, eights, 24);
  lane = 0;
  for (let at = PLANES_AT + (CARRY_PLANE << 3); carry !== 0; at += 8) {
    const old = load<u64>(at);
    store<u64>(at, old ^ carry);
    carry &= old;
  }
}

/** The carry of a full adder. */
function pairCarry(a: u64, b: u64, c: u64): u64 {
  return (a & b) | ((a ^ b) & c);
}
