/**
 * A row of the near-index as bytes: the originals that share a half of their fingerprints,
 * nearly always one.
 *
 *   upper half   low(4) urlKey(24) pairs(8)  …     names the page
 *   lower half   high(4)  …                        leads to the other row
 */
import {
  bitsIn,
  type Halves,
  NEAR_BITS_MAX,
  type Original,
  PAIR_BITS_MAX,
  simhashFrom,
} from '../../content/near.ts';
import { URL_KEY_BYTES } from '../../record/index.ts';

const HALF_BYTES = 4;
const PAIRS_AT = HALF_BYTES + URL_KEY_BYTES;
const ORIGINAL_BYTES = PAIRS_AT + 8;
/** Originals that one half has room for; those that come later are found by their other half. */
const ORIGINALS_MAX = 128;

/** The row with an original more, in place of what it was; the same row when there is no room. */
export function withOriginal(row: Buffer, low: number, { key, pairs }: Original): Buffer {
  const others = withoutOriginal(row, low, key);
  if (others.length >= ORIGINALS_MAX * ORIGINAL_BYTES) return others;
  const entry = Buffer.allocUnsafe(ORIGINAL_BYTES);
  entry.writeUInt32BE(low, 0);
  entry.set(key, HALF_BYTES);
  entry.writeBigUInt64BE(pairs, PAIRS_AT);
  return others.length === 0 ? entry : Buffer.concat([others, entry]);
}

export function withoutOriginal(row: Buffer, low: number, key: Uint8Array): Buffer {
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    if (row.readUInt32BE(at) !== low || !isOf(row, at, key)) continue;
    return Buffer.concat([row.subarray(0, at), row.subarray(at + ORIGINAL_BYTES)]);
  }
  return row;
}

function isOf(row: Buffer, at: number, key: Uint8Array): boolean {
  if (row[at + PAIRS_AT - 1] !== key[URL_KEY_BYTES - 1]) return false;
  return row.compare(key, 0, URL_KEY_BYTES, at + HALF_BYTES, at + PAIRS_AT) === 0;
}

export function hasLow(row: Buffer, low: number): boolean {
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    if (row.readUInt32BE(at) === low) return true;
  }
  return false;
}

/**
 * Adds the originals of a row that are near to a page and confirmed, and the page's own. Looked at
 * as numbers: where many pages speak alike, a row has many originals and none of them is meant.
 */
export function findNear(row: Buffer, high: number, page: NearPage, found: Original[]): void {
  const bitsLeft = NEAR_BITS_MAX - bitsIn(high ^ page.halves.high);
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    if (bitsIn(row.readInt32BE(at) ^ page.halves.low) > bitsLeft) continue;
    const pairBits =
      bitsIn(row.readInt32BE(at + PAIRS_AT) ^ page.pairs.high) +
      bitsIn(row.readInt32BE(at + PAIRS_AT + 4) ^ page.pairs.low);
    if (pairBits > PAIR_BITS_MAX && !isOf(row, at, page.key)) continue;
    const key = row.subarray(at + HALF_BYTES, at + PAIRS_AT);
    const simhash = simhashFrom(high, row.readUInt32BE(at));
    found.push({ key, simhash, pairs: row.readBigUInt64BE(at + PAIRS_AT) });
  }
}

/** A fingerprint in halves: numbers, where the whole would be a bigint. */
export interface NearPage {
  readonly key: Uint8Array;
  readonly halves: Halves;
  readonly pairs: Halves;
}

export function withHigh(row: Buffer, high: number): Buffer {
  const isFull = row.length >= ORIGINALS_MAX * HALF_BYTES;
  if (isFull || placeOfHigh(row, high) >= 0) return row;
  const entry = Buffer.allocUnsafe(HALF_BYTES);
  entry.writeUInt32BE(high, 0);
  return row.length === 0 ? entry : Buffer.concat([row, entry]);
}

export function withoutHigh(row: Buffer, high: number): Buffer {
  const at = placeOfHigh(row, high);
  return at < 0 ? row : Buffer.concat([row.subarray(0, at), row.subarray(at + HALF_BYTES)]);
}

export function eachHigh(row: Buffer, look: (high: number) => void): void {
  for (let at = 0; at < row.length; at += HALF_BYTES) look(row.readUInt32BE(at));
}

function placeOfHigh(row: Buffer, high: number): number {
  for (let at = 0; at < row.length; at += HALF_BYTES) if (row.readUInt32BE(at) === high) return at;
  return -1;
}
