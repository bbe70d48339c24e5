/**
 * Chance without state: every choice of the test web is a hash of what it is about.
 *
 * `mix` gives one number for two; `Dice` gives a row of numbers for one page. Both are 32-bit
 * integer arithmetic, because a page makes some two hundred choices and must cost microseconds.
 */

/** Spreads two integers over 32 bits; equal arguments give equal answers, for ever. */
export function mix(a: number, b: number): number {
  let h = (Math.imul(a, 0x9e3779b1) + b) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/** A row of numbers that follows from one seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let h = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    h ^= h + Math.imul(h ^ (h >>> 7), h | 61);
    return (h ^ (h >>> 14)) >>> 0;
  }

  below(limit: number): number {
    return this.next() % limit;
  }
}

/** The salts: two questions about one page must not get related answers. */
export const SALT = {
  host: 0x11,
  path: 0x22,
  nature: 0x33,
  links: 0x44,
  text: 0x55,
  redirect: 0x66,
  headers: 0x77,
  robots: 0x88,
  change: 0x99,
  twin: 0xaa,
  orphan: 0xbb,
  latency: 0xcc,
  domain: 0xdd,
} as const;
