/**
 * Sums of rows by which two copies of an arc are compared: each row's hash, added up, so that the
 * order in which rows came and what was there before do not matter. Two lanes of 32 bits, of which
 * 53 bits are told. It finds what went wrong, not who lies: whoever owns an arc can write into it
 * what it likes anyway.
 *
 * Computed for as many buckets as there can be, and folded: a bucket of half as many is two of
 * these beside each other.
 */
import type { Put } from '../embedded/lsm.ts';
import { BUCKETS_MAX, bucketIn } from './tables.ts';

const [MIX_A, MIX_B, MIX_C] = [0xcc9e2d51, 0x85ebca6b, 0xc2b2ae35];
const SEEDS = [0x9747b28c, 0x3c6ef372] as const;
const TOLD_BITS = 0x1f_ffff;

export class Sums {
  readonly #high = new Uint32Array(BUCKETS_MAX);
  readonly #low = new Uint32Array(BUCKETS_MAX);
  rows = 0;

  add(rows: readonly Put[]): void {
    for (const { key, value } of rows) {
      const bucket = bucketIn(key, BUCKETS_MAX);
      this.#high[bucket] = (this.#high[bucket] as number) + hashOf(SEEDS[0], key, value);
      this.#low[bucket] = (this.#low[bucket] as number) + hashOf(SEEDS[1], key, value);
    }
    this.rows += rows.length;
  }

  of(buckets: number): number[] {
    const each = BUCKETS_MAX / buckets;
    return Array.from({ length: buckets }, (_, bucket) => {
      const [from, to] = [bucket * each, (bucket + 1) * each];
      const high = this.#high.subarray(from, to).reduce(plus, 0) & TOLD_BITS;
      return high * 2 ** 32 + this.#low.subarray(from, to).reduce(plus, 0);
    });
  }
}

function plus(one: number, other: number): number {
  return (one + other) >>> 0;
}

function hashOf(seed: number, key: Buffer, value: Buffer): number {
  const mixed = Math.imul(mixIn(mixIn(seed, key), value) ^ key.length, MIX_B);
  const spread = Math.imul(mixed ^ (mixed >>> 13), MIX_C);
  return (spread ^ (spread >>> 16)) >>> 0;
}

function mixIn(seed: number, bytes: Buffer): number {
  let hash = seed ^ bytes.length;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) hash = mixed(hash, wordAt(bytes, at));
  for (let at = whole; at < bytes.length; at++) hash = mixed(hash, (bytes[at] as number) + 1);
  return hash ^ (hash >>> 16);
}

function wordAt(bytes: Buffer, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  return low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

function mixed(hash: number, word: number): number {
  const turned = Math.imul(word, MIX_A);
  const next = hash ^ Math.imul((turned << 15) | (turned >>> 17), MIX_B);
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0;
}
