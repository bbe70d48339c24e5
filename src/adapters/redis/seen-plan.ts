/**
 * Where a key's bits are in the filter of an arc: sizes of its generations, blocks and probes.
 *
 * As in ../../seen/: each generation twice as large and twice as strict as the one before, and
 * all probes of a key in one block of 64 bytes, so that one read finds them all. The arcs are
 * the 64 that Kafka's partitions are; each has its share of the expected keys, and its own tag,
 * so that a cluster keeps it on one node.
 */
import { BLOCK_BITS, bloomSize } from '../../seen/index.ts';

export const ARCS = 64;
/** First bytes of keys to an arc. */
const BYTES_PER_ARC = 256 / ARCS;
const BLOCK_BYTES = BLOCK_BITS / 8;
/** Where the url hash starts in a url key. */
const HASH_AT = 8;
/** 2^32 divided by the golden ratio, made odd. */
const MULTIPLIER = 0x9e3779b1;
const PROBE_SHIFT = 23;
/** What a string of Redis may hold, 512 MB, is never reached: generations stop growing here. */
const GENERATION_BYTES_MAX = 128 << 20;

export interface PlannedGeneration {
  readonly capacity: number;
  readonly bytes: number;
  readonly blocks: number;
  readonly probes: number;
}

export class SeenPlan {
  readonly expectedKeys: number;
  readonly target: number;
  readonly #generations: PlannedGeneration[] = [];

  constructor(expectedKeys: number, target: number) {
    this.expectedKeys = Math.max(1, Math.ceil(expectedKeys / ARCS));
    this.target = target;
  }

  /** Counted from 0. */
  generation(nth: number): PlannedGeneration {
    for (let i = this.#generations.length; i <= nth; i++) {
      const before = this.#generations[i - 1];
      const isLargest = before !== undefined && before.bytes * 2 >= GENERATION_BYTES_MAX;
      const growth = isLargest ? 1 : 2;
      const capacity = before === undefined ? this.expectedKeys : before.capacity * growth;
      const { bits, probes } = bloomSize(capacity, this.target / 2 ** (i + 1));
      const bytes = bits / 8;
      this.#generations.push({ capacity, bytes, blocks: bytes / BLOCK_BYTES, probes });
    }
    return this.#generations[nth] as PlannedGeneration;
  }

  first(count: number): readonly PlannedGeneration[] {
    this.generation(count - 1);
    return this.#generations.slice(0, count);
  }
}

export function arcOf(key: Uint8Array): number {
  return Math.floor((key[0] as number) / BYTES_PER_ARC);
}

export function arcRange(arc: number): { readonly from: number; readonly to: number } {
  return { from: arc * BYTES_PER_ARC, to: (arc + 1) * BYTES_PER_ARC - 1 };
}

/** The first and last byte of the key's block, as Redis wants them. */
export function blockOf(key: Buffer, at: number, blocks: number): readonly [string, string] {
  const start = Math.floor(key.readUInt32BE(at + HASH_AT + 8) * (blocks / 2 ** 32)) * BLOCK_BYTES;
  return [`${start}`, `${start + BLOCK_BYTES - 1}`];
}

/** Two bytes for each probe: which byte of the block, from 1, and the bit in it. */
export function writeProbes(
  key: Buffer,
  at: number,
  count: number,
  into: Buffer,
  to: number,
): void {
  const step = key.readUInt32BE(at + HASH_AT + 4) | 1;
  let probe = key.readUInt32BE(at + HASH_AT + 12) | 0;
  for (let i = 0; i < count; i++) {
    const bit = probe >>> PROBE_SHIFT;
    into[to + i * 2] = 1 + (bit >>> 3);
    into[to + i * 2 + 1] = 1 << (bit & 7);
    probe = (Math.imul(probe, MULTIPLIER) + step) | 0;
  }
}

/** Blocks spread over a generation, for its fill to be looked at. */
export function sampleBlocks(
  blocks: number,
  count: number,
): readonly (readonly [string, string])[] {
  return Array.from({ length: count }, (_, i) => {
    const start = Math.floor(((i + 0.5) / count) * blocks) * BLOCK_BYTES;
    return [`${start}`, `${start + BLOCK_BYTES - 1}`] as const;
  });
}

/** The chance that a key never added is called seen, from the bits set in sampled blocks. */
export function rateOf(counts: readonly number[], probes: number): number {
  const sum = counts.reduce((all, set) => all + (set / BLOCK_BITS) ** probes, 0);
  return counts.length === 0 ? 0 : sum / counts.length;
}
