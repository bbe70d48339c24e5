/**
 * A row of the near-index as bytes: the originals that share a half of their fingerprints,
 * nearly always one.
 *
 *   upper half   low(4) urlKey(24) pairs(8)  …     names the page
 *   lower half   high(4)  …                        leads to the other row
 */
import { type Original, simhashFrom } from '../../content/index.ts';
import { URL_KEY_BYTES } from '../../record/index.ts';

const HALF_BYTES = 4;
const PAIRS_AT = HALF_BYTES + URL_KEY_BYTES;
const ORIGINAL_BYTES = PAIRS_AT + 8;
/** Originals that one half has room for; those that come later are found by their other half. */
const ORIGINALS_MAX = 1_024;

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
    if (row.readUInt32BE(at) !== low) continue;
    if (row.compare(key, 0, URL_KEY_BYTES, at + HALF_BYTES, at + PAIRS_AT) !== 0) continue;
    return Buffer.concat([row.subarray(0, at), row.subarray(at + ORIGINAL_BYTES)]);
  }
  return row;
}

export function hasLow(row: Buffer, low: number): boolean {
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    if (row.readUInt32BE(at) === low) return true;
  }
  return false;
}

export function* originalsIn(row: Buffer, high: number): Generator<Original> {
  for (let at = 0; at < row.length; at += ORIGINAL_BYTES) {
    const key = row.subarray(at + HALF_BYTES, at + PAIRS_AT);
    const simhash = simhashFrom(high, row.readUInt32BE(at));
    yield { key, simhash, pairs: row.readBigUInt64BE(at + PAIRS_AT) };
  }
}

export function withHigh(row: Buffer, high: number): Buffer {
  const isFull = row.length >= ORIGINALS_MAX * HALF_BYTES;
  if (isFull || highsIn(row).includes(high)) return row;
  const entry = Buffer.allocUnsafe(HALF_BYTES);
  entry.writeUInt32BE(high, 0);
  return row.length === 0 ? entry : Buffer.concat([row, entry]);
}

export function withoutHigh(row: Buffer, high: number): Buffer {
  const at = highsIn(row).indexOf(high) * HALF_BYTES;
  return at < 0 ? row : Buffer.concat([row.subarray(0, at), row.subarray(at + HALF_BYTES)]);
}

export function highsIn(row: Buffer): number[] {
  return Array.from({ length: row.length / HALF_BYTES }, (_, i) =>
    row.readUInt32BE(i * HALF_BYTES),
  );
}
