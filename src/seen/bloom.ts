/**
 * A Bloom filter over url keys (S1, S2): bits in typed arrays, split in blocks of 64 bytes so
 * that all probes of one key touch one cache line.
 *
 * Blocks fill unevenly, so a blocked filter needs more room than the textbook's for the same
 * rate: 3% more at 1%, 8% at 0.1%, 14% at 0.01% (bloom-size.ts computes it). The live rate is
 * estimated from the bits that are set, not from the formula (S3).
 *
 * A key is a SHA-256 prefix: its bytes are the hash functions. Nothing is hashed again. One of
 * its words chooses the block, two others start and step a linear congruence whose high
 * bits are the probes. Plain double hashing (adding the step) has only 2^17 patterns in a
 * block, and measured 4.4 times the target at 0.01%.
 */
import { BLOCK_BITS, type BloomSize } from './bloom-size.ts';

const BLOCK_WORDS = BLOCK_BITS / 32;
/** 2^32 divided by the golden ratio, made odd. */
const MULTIPLIER = 0x9e3779b1;
/** The high bits of 32 that number a bit of a block. */
const PROBE_SHIFT = 23;

export class Bloom {
  readonly size: BloomSize;
  readonly words: Uint32Array;
  readonly #blocks: number;
  /** Keys that set at least one new bit: a lower bound of the keys added, close below target. */
  added: number;

  constructor(size: BloomSize, words?: Uint32Array, added = 0) {
    this.size = size;
    this.#blocks = size.bits / BLOCK_BITS;
    this.words = words ?? new Uint32Array(this.#blocks * BLOCK_WORDS);
    this.added = added;
  }

  /** Adds the 16 hash bytes at `at`; true when they may have been there before. */
  checkAndAdd(key: Uint8Array, at: number): boolean {
    const { words } = this;
    const base = this.#blockAt(key, at) * BLOCK_WORDS;
    const step = wordAt(key, at + 4) | 1;
    let probe = wordAt(key, at + 12);
    let isThere = true;
    for (let i = this.size.probes; i > 0; i--) {
      const bit = probe >>> PROBE_SHIFT;
      const slot = base + (bit >>> 5);
      const old = words[slot] as number;
      const mask = 1 << (bit & 31);
      if ((old & mask) === 0) {
        isThere = false;
        words[slot] = old | mask;
      }
      probe = (Math.imul(probe, MULTIPLIER) + step) | 0;
    }
    if (!isThere) this.added++;
    return isThere;
  }

  has(key: Uint8Array, at: number): boolean {
    const { words } = this;
    const base = this.#blockAt(key, at) * BLOCK_WORDS;
    const step = wordAt(key, at + 4) | 1;
    let probe = wordAt(key, at + 12);
    for (let i = this.size.probes; i > 0; i--) {
      const bit = probe >>> PROBE_SHIFT;
      if (((words[base + (bit >>> 5)] as number) & (1 << (bit & 31))) === 0) return false;
      probe = (Math.imul(probe, MULTIPLIER) + step) | 0;
    }
    return true;
  }

  /** The chance that a key never added is called seen: the mean over a sample of blocks. */
  falsePositiveRate(sampleBlocks = 4096): number {
    const step = Math.max(1, Math.floor(this.#blocks / sampleBlocks));
    let sum = 0;
    let looked = 0;
    for (let block = 0; block < this.#blocks; block += step) {
      sum += (this.#setBits(block) / BLOCK_BITS) ** this.size.probes;
      looked++;
    }
    return sum / looked;
  }

  #setBits(block: number): number {
    let set = 0;
    for (let i = block * BLOCK_WORDS; i < (block + 1) * BLOCK_WORDS; i++) {
      let v = this.words[i] as number;
      v -= (v >>> 1) & 0x55555555;
      v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
      set += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return set;
  }

  /** Even to a part in a hundred at a billion keys, and never the block behind the last. */
  #blockAt(key: Uint8Array, at: number): number {
    return Math.floor((wordAt(key, at + 8) >>> 0) * (this.#blocks / 2 ** 32));
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}
