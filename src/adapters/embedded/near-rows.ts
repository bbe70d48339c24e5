/**
 * A row of the near-index as bytes: the originals that share a half of their fingerprints,
 * nearly always one.
 *
 *   upper half   low(4) urlKey(24) pairs(8)  …     names the page
 *   lower half   high(4)  …                        leads to the other row
 */
import {
  bitsIn,
  halvesOf,
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
  const at = others.length;
  const longer = copyOf(others, at + ORIGINAL_BYTES);
  longer.writeUInt32BE(low, at);
  longer.set(key, at + HALF_BYTES);
  const { high: pairsHigh, low: pairsLow } = halvesOf(pairs);
  longer.writeUInt32BE(pairsHigh, at + PAIRS_AT);
  longer.writeUInt32BE(pairsLow, at + PAIRS_AT + 4);
  return longer;
}

export function withoutOriginal(row: Buffer, low: number, key: Uint8Array): Buffer {
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    if (row.readUInt32BE(at) !== low || !isOf(row, at, key)) continue;
    return without(row, at, ORIGINAL_BYTES);
  }
  return row;
}

function without(row: Buffer, at: number, bytes: number): Buffer {
  const shorter = copyOf(row, row.length - bytes);
  row.copy(shorter, at, at + bytes);
  return shorter;
}

/** In memory of its own: rows are kept (near-cache.ts), and a slab would be kept with them. */
function copyOf(row: Buffer, bytes: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes);
  row.copy(copy);
  return copy;
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
  const bitsLeft = NEAR_BITS_MAX - bitsIn(high ^ page.high);
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    if (bitsIn(row.readInt32BE(at) ^ page.low) > bitsLeft) continue;
    const pairBits =
      bitsIn(row.readInt32BE(at + PAIRS_AT) ^ page.pairsHigh) +
      bitsIn(row.readInt32BE(at + PAIRS_AT + 4) ^ page.pairsLow);
    if (pairBits > PAIR_BITS_MAX && !isOf(row, at, page.key)) continue;
    const key = row.subarray(at + HALF_BYTES, at + PAIRS_AT);
    const simhash = simhashFrom(high, row.readInt32BE(at));
    found.push({ key, simhash, pairs: row.readBigUInt64BE(at + PAIRS_AT) });
  }
}

/** A fingerprint in halves with a sign: small integers, where the whole would be bigints. */
export interface NearPage {
  readonly key: Uint8Array;
  readonly high: number;
  readonly low: number;
  readonly pairsHigh: number;
  readonly pairsLow: number;
}

export function nearPage({ key, simhash, pairs }: Original): NearPage {
  const { high, low } = halvesOf(simhash);
  const { high: pairsHigh, low: pairsLow } = halvesOf(pairs);
  return { key, high: high | 0, low: low | 0, pairsHigh: pairsHigh | 0, pairsLow: pairsLow | 0 };
}

export function withHigh(row: Buffer, high: number): Buffer {
  const isFull = row.length >= ORIGINALS_MAX * HALF_BYTES;
  if (isFull || placeOfHigh(row, high) >= 0) return row;
  const longer = copyOf(row, row.length + HALF_BYTES);
  longer.writeUInt32BE(high, row.length);
  return longer;
}

export function withoutHigh(row: Buffer, high: number): Buffer {
  const at = placeOfHigh(row, high);
  return at < 0 ? row : without(row, at, HALF_BYTES);
}

/** Adds the upper halves of a row that are near to a page's own, each once. */
export function findHighs(row: Buffer, low: number, page: NearPage, found: number[]): void {
  const bitsLeft = NEAR_BITS_MAX - bitsIn(low ^ page.low);
  for (let at = 0; at < row.length; at += HALF_BYTES) {
    const high = row.readInt32BE(at);
    if (bitsIn(high ^ page.high) <= bitsLeft && !found.includes(high)) found.push(high);
  }
}

function placeOfHigh(row: Buffer, high: number): number {
  for (let at = 0; at < row.length; at += HALF_BYTES) if (row.readUInt32BE(at) === high) return at;
  return -1;
}
