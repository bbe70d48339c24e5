/**
 * SimHash (C2): 64 bits that change little when a text changes little.
 *
 * Features are runs of three words, each hashed to 64 bits; a bit of the fingerprint is set
 * when more of the features have it than not. Two texts are near-duplicates when their
 * fingerprints differ in at most three bits.
 */
const SHINGLE_WORDS = 3;
const BITS = 64;
/** Texts of fewer words are not called near-duplicates: too little is left when a word changes. */
export const WORDS_MIN = 50;

export interface TextPrint {
  /** 0 when there are no words. */
  readonly simhash: bigint;
  readonly words: number;
}

export const NO_PRINT: TextPrint = { simhash: 0n, words: 0 };

export function simhash(text: string): bigint {
  return printOf(text).simhash;
}

export function printOf(text: string): TextPrint {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const sums = new Int32Array(BITS);
  const last = Math.max(1, words.length - SHINGLE_WORDS + 1);
  for (let i = 0; i < last && words.length > 0; i++) {
    addFeature(sums, words.slice(i, i + SHINGLE_WORDS).join(' '));
  }
  let bits = 0n;
  for (let bit = 0; bit < BITS; bit++) if ((sums[bit] as number) > 0) bits |= 1n << BigInt(bit);
  return { simhash: bits, words: words.length };
}

/** How many bits differ. */
export function hamming(a: bigint, b: bigint): number {
  let rest = BigInt.asUintN(BITS, a ^ b);
  let bits = 0;
  for (; rest !== 0n; rest &= rest - 1n) bits++;
  return bits;
}

function addFeature(sums: Int32Array, feature: string): void {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = 0; i < feature.length; i++) {
    const code = feature.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (low >>> 15);
  }
  low = mix(low);
  high = mix(high ^ low);
  for (let bit = 0; bit < 32; bit++) {
    sums[bit] = (sums[bit] as number) + ((low >>> bit) & 1 ? 1 : -1);
    sums[bit + 32] = (sums[bit + 32] as number) + ((high >>> bit) & 1 ? 1 : -1);
  }
}

function mix(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
