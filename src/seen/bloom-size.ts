/**
 * How many bits and probes a blocked Bloom filter needs for a target (S2), computed:
 *
 *   keys in a block    n ~ Poisson(512 / bits per key)
 *   a bit is set       1 − (1 − 1/512)^(n · probes)
 *   all probes hit     that, to the power of probes
 *
 * summed over n; the fewest bits over all numbers of probes win. The textbook's formula
 * leaves the unevenness of blocks out and misses the target by 40% to 500%.
 */
export interface BloomSize {
  readonly bits: number;
  readonly probes: number;
}

/** A cache line. */
export const BLOCK_BITS = 512;
const PROBES_MAX = 20;
const BITS_PER_KEY_MAX = 256;
const HALVINGS = 24;
/** The mean of a power lies above the power of the mean: measured, by up to 4%. */
const AIM = 0.95;

export function bloomSize(keys: number, falsePositiveRate: number): BloomSize {
  const { bitsPerKey, probes } = fewestBits(falsePositiveRate * AIM);
  const blocks = Math.ceil((Math.max(1, keys) * bitsPerKey) / BLOCK_BITS);
  return { bits: blocks * BLOCK_BITS, probes };
}

function fewestBits(target: number): { bitsPerKey: number; probes: number } {
  let best = { bitsPerKey: BITS_PER_KEY_MAX, probes: PROBES_MAX };
  for (let probes = 1; probes <= PROBES_MAX; probes++) {
    const bitsPerKey = bitsFor(target, probes);
    if (bitsPerKey < best.bitsPerKey) best = { bitsPerKey, probes };
  }
  return best;
}

function bitsFor(target: number, probes: number): number {
  let tooFew = 1;
  let enough = BITS_PER_KEY_MAX;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (tooFew + enough) / 2;
    if (blockedRate(middle, probes) <= target) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** The rate of a blocked filter that holds as many keys as it was made for. */
export function blockedRate(bitsPerKey: number, probes: number): number {
  const mean = BLOCK_BITS / bitsPerKey;
  let chance = Math.exp(-mean);
  let rate = 0;
  for (let keys = 0; keys < mean + 10 * Math.sqrt(mean) + 20; keys++) {
    rate += chance * (1 - (1 - 1 / BLOCK_BITS) ** (keys * probes)) ** probes;
    chance *= mean / (keys + 1);
  }
  return rate;
}
