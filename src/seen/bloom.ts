/**
 * A Bloom filter over url keys (S1, S2): bits in typed arrays, split in blocks of 64 bytes so
 * that all probes of one key touch one cache line.
 *
 * A blocked filter needs a little more room than the textbook one for the same rate, so the
 * size is computed with that in mind (`bitsPerKey`) and the live rate is estimated from the
 * fill of the blocks, not from the formula.
 *
 * A key is a SHA-256 prefix: its bytes are the hash functions. Nothing is hashed again.
 */
const BLOCK_WORDS = 16;
const BLOCK_BITS = 512;
/** Blocks fill unevenly: what a blocked filter costs over the textbook's bits. */
const BLOCKED_SURCHARGE = 1.25;

export interface BloomSize {
  readonly bits: number;
  readonly probes: number;
}

/** Bits and probes for a target, from the formula (S2). */
export function bloomSize(keys: number, falsePositiveRate: number): BloomSize {
  const perKey = (-Math.log(falsePositiveRate) / Math.LN2 ** 2) * BLOCKED_SURCHARGE;
  const bits = Math.ceil((Math.max(1, keys) * perKey) / BLOCK_BITS) * BLOCK_BITS;
  return { bits, probes: Math.max(1, Math.min(12, Math.round(-Math.log2(falsePositiveRate)))) };
}

export class Bloom {
  readonly #words: Uint32Array;
  readonly #blocks: number;
  readonly #probes: number;
  /** Keys that set at least one new bit: a lower bound of the keys added, close below target. */
  added = 0;

  constructor(size: BloomSize, words?: Uint32Array) {
    this.#blocks = size.bits / BLOCK_BITS;
    this.#probes = size.probes;
    this.#words = words ?? new Uint32Array(this.#blocks * BLOCK_WORDS);
  }

  get words(): Uint32Array {
    return this.#words;
  }

  /** Adds the 16 hash bytes at `at`; true when they may have been there before. */
  checkAndAdd(key: Uint8Array, at: number): boolean {
    const a = word(key, at);
    const b = word(key, at + 4) | 1;
    const base = this.#blockOf(word(key, at + 8), a) * BLOCK_WORDS;
    const words = this.#words;
    let isThere = true;
    let probe = word(key, at + 12);
    for (let i = 0; i < this.#probes; i++) {
      const slot = base + ((probe >>> 5) & 15);
      const bit = 1 << (probe & 31);
      const old = words[slot] as number;
      if ((old & bit) === 0) {
        isThere = false;
        words[slot] = old | bit;
      }
      probe = (Math.imul(probe, 0x9e3779b1) + b + (a >>> i)) | 0;
      probe ^= probe >>> 15;
    }
    if (!isThere) this.added++;
    return isThere;
  }

  has(key: Uint8Array, at: number): boolean {
    const a = word(key, at);
    const b = word(key, at + 4) | 1;
    const base = this.#blockOf(word(key, at + 8), a) * BLOCK_WORDS;
    let probe = word(key, at + 12);
    for (let i = 0; i < this.#probes; i++) {
      const slot = base + ((probe >>> 5) & 15);
      if (((this.#words[slot] as number) & (1 << (probe & 31))) === 0) return false;
      probe = (Math.imul(probe, 0x9e3779b1) + b + (a >>> i)) | 0;
      probe ^= probe >>> 15;
    }
    return true;
  }

  /** The chance that a key never added is called seen: the mean over a sample of blocks. */
  falsePositiveRate(sampleBlocks = 4096): number {
    const step = Math.max(1, Math.floor(this.#blocks / sampleBlocks));
    let sum = 0;
    let looked = 0;
    for (let block = 0; block < this.#blocks; block += step) {
      sum += (this.#setBits(block) / BLOCK_BITS) ** this.#probes;
      looked++;
    }
    return looked === 0 ? 0 : sum / looked;
  }

  #setBits(block: number): number {
    let set = 0;
    for (let i = block * BLOCK_WORDS; i < (block + 1) * BLOCK_WORDS; i++) {
      let v = this.#words[i] as number;
      v -= (v >>> 1) & 0x55555555;
      v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
      set += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return set;
  }

  /** Spreads 64 hash bits over the blocks without bias. */
  #blockOf(high: number, low: number): number {
    return Math.floor(((high >>> 0) + (low >>> 0) / 2 ** 32) * (this.#blocks / 2 ** 32));
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}
