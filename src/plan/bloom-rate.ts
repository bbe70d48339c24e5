/**
 * The textbook's Bloom filter: bits for a key, and how often a key that was never added is
 * taken for one that was. With k hashes and b bits a key:
 *
 *   rate  (1 − e^(−k/b))^k         bits  −k / ln(1 − rate^(1/k))
 *
 * each at the whole k that is best; k = b · ln 2 is where it lies. So a number of bits has a
 * least rate, and no choice of hashes gets below it.
 *
 * Ours probes one cache line and needs more bits: `../seen/bloom-size.ts`.
 */
import { blockedRate } from '../seen/index.ts';

export interface BestRate {
  readonly rate: number;
  readonly hashes: number;
}

export interface FewestBits {
  readonly bits: number;
  readonly hashes: number;
}

const HASHES_MAX = 64;
/** As many as `bloomSize` tries. */
const PROBES_MAX = 20;

export function bestRate(bitsPerKey: number): BestRate {
  return leastRate(HASHES_MAX, (hashes) => (1 - Math.exp(-hashes / bitsPerKey)) ** hashes);
}

/** The same of a filter whose probes of one key stay in one block. */
export function bestBlockedRate(bitsPerKey: number): BestRate {
  return leastRate(PROBES_MAX, (hashes) => blockedRate(bitsPerKey, hashes));
}

export function fewestBits(rate: number): FewestBits {
  let best: FewestBits = { bits: Infinity, hashes: 1 };
  for (let hashes = 1; hashes <= HASHES_MAX; hashes++) {
    const bits = -hashes / Math.log1p(-(rate ** (1 / hashes)));
    if (bits < best.bits) best = { bits, hashes };
  }
  return best;
}

function leastRate(hashesMax: number, rateOf: (hashes: number) => number): BestRate {
  let best: BestRate = { rate: 1, hashes: 1 };
  for (let hashes = 1; hashes <= hashesMax; hashes++) {
    const rate = rateOf(hashes);
    if (rate < best.rate) best = { rate, hashes };
  }
  return best;
}
