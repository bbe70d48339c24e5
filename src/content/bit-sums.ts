/**
 * How many of many 64-bit values have each bit set, without 64 additions a value.
 *
 * Counters stand on their side: plane k holds bit k of all 32 counters of a half. Sixteen values
 * are added as a tree of carry-save adders, five operations for each 32 bits of each value, and
 * only the carry out of the sixteens runs up the higher planes.
 *
 * A value that comes again and again is counted a limited number of times, or one that is in
 * every word would decide alone (`word1 word2 …`). Which have come how often is kept in a small
 * table by a few bits of their hash; two that share a place there share the limit.
 */
const LANES = 16;
/** Planes of a half: counts up to 2^30. */
const PLANES = 30;
const CARRY_PLANE = 4;
const TALLY_BITS = 11;

export class BitSums {
  /** Sixteen low halves, then sixteen high ones. */
  readonly #lanes = new Int32Array(2 * LANES);
  readonly #planes = new Int32Array(2 * PLANES);
  readonly #tally = new Int32Array(1 << TALLY_BITS);
  #repeatsMax = 0;
  count = 0;

  clear(repeatsMax: number): void {
    this.#planes.fill(0);
    this.#tally.fill(0);
    this.#repeatsMax = repeatsMax;
    this.count = 0;
  }

  /** Hashes each of the first `length` numbers to 64 bits, and adds those. */
  addHashed(values: Int32Array, length: number): void {
    const lanes = this.#lanes;
    const planes = this.#planes;
    const tally = this.#tally;
    const repeatsMax = this.#repeatsMax;
    let count = 0;
    for (let from = 0; from < length; from += LANES) {
      const filled = Math.min(LANES, length - from);
      for (let lane = 0; lane < filled; lane++) {
        const value = values[from + lane] as number;
        let low = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
        low = Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
        low ^= low >>> 16;
        const high = Math.imul(low ^ 0x27d4eb2f, 0x9e3779b1);
        const place = high >>> (32 - TALLY_BITS);
        const times = tally[place] as number;
        tally[place] = times + 1;
        const counts = (times - repeatsMax) >> 31;
        count -= counts;
        lanes[lane] = low & counts;
        lanes[lane + LANES] = Math.imul(high ^ (high >>> 15), 0x85ebca6b) & counts;
      }
      if (filled < LANES) {
        lanes.fill(0, filled, LANES);
        lanes.fill(0, LANES + filled);
      }
      absorb(lanes, 0, planes, 0);
      absorb(lanes, LANES, planes, PLANES);
    }
    this.count += count;
  }

  /** Which bits more than half of the values have: of the low half, then of the high one. */
  majority(): [low: number, high: number] {
    return [this.#majorityOf(0), this.#majorityOf(PLANES)];
  }

  /** All 32 counters are compared with half of the count at once, from their highest planes down. */
  #majorityOf(base: number): number {
    const half = this.count >>> 1;
    let above = 0;
    let equal = -1;
    for (let plane = PLANES - 1; plane >= 0; plane--) {
      const bits = this.#planes[base + plane] as number;
      if ((half >>> plane) & 1) equal &= bits;
      else {
        above |= equal & bits;
        equal &= ~bits;
      }
    }
    return above;
  }
}

/** Adds sixteen values to the counters of one half. */
function absorb(v: Int32Array, at: number, planes: Int32Array, base: number): void {
  let ones = planes[base] as number;
  let twos = planes[base + 1] as number;
  let fours = planes[base + 2] as number;
  let eights = planes[base + 3] as number;
  let carry = 0;
  for (let half = 0; half < 2; half++) {
    const from = at + 8 * half;
    const twosA = pairCarry(ones, v[from] as number, v[from + 1] as number);
    ones ^= (v[from] as number) ^ (v[from + 1] as number);
    const twosB = pairCarry(ones, v[from + 2] as number, v[from + 3] as number);
    ones ^= (v[from + 2] as number) ^ (v[from + 3] as number);
    const foursA = pairCarry(twos, twosA, twosB);
    twos ^= twosA ^ twosB;
    const twosC = pairCarry(ones, v[from + 4] as number, v[from + 5] as number);
    ones ^= (v[from + 4] as number) ^ (v[from + 5] as number);
    const twosD = pairCarry(ones, v[from + 6] as number, v[from + 7] as number);
    ones ^= (v[from + 6] as number) ^ (v[from + 7] as number);
    const foursB = pairCarry(twos, twosC, twosD);
    twos ^= twosC ^ twosD;
    const eight = pairCarry(fours, foursA, foursB);
    fours ^= foursA ^ foursB;
    carry |= eights & eight;
    eights ^= eight;
  }
  planes[base] = ones;
  planes[base + 1] = twos;
  planes[base + 2] = fours;
  planes[base + 3] = eights;
  for (let plane = base + CARRY_PLANE; carry !== 0; plane++) {
    const old = planes[plane] as number;
    planes[plane] = old ^ carry;
    carry &= old;
  }
}

/** The carry of a full adder. */
function pairCarry(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c);
}
