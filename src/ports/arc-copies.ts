/**
 * The copies of arcs that a node of a ring keeps, those that it owns among them (D4).
 *
 * Promises (arc-copies.contract.ts):
 *   1. What save() resolved for survives kill -9. Saves take effect in the order of the calls, each
 *      whole or not at all.
 *   2. sums() and rows() see every save that was called before them, and none after.
 *   3. Two copies with the same rows have the same sums, whatever was in them before.
 *   4. A replaced bucket holds the rows given and no others, but for those that entries have changed
 *      since watch().
 *   5. Of a dropped arc nothing is left.
 *   6. Rows and entries of others are read as bytes that somebody sent: what is none is refused.
 */
import type { Charter, Position, Stamp } from '../ring/index.ts';

/** What of an arc's state must be durable before a message leaves that follows from it. */
export interface SavedArc {
  readonly promised: number;
  readonly votedFor: Position | undefined;
  readonly at: Stamp;
  readonly charter: Charter;
  readonly isChartered: boolean;
}

export type CopyChange =
  /** Bodies of the owner's entries, in their order. */
  | { readonly kind: 'entries'; readonly bodies: readonly Uint8Array[] }
  | {
      readonly kind: 'replace';
      readonly bucket: number;
      /** Of how many. */
      readonly buckets: number;
      readonly rows: readonly Uint8Array[];
    }
  | { readonly kind: 'drop' };

export interface ArcCopies {
  /** What each arc was saved with last: read once, at the start. */
  saved(): Promise<ReadonlyMap<number, SavedArc>>;
  /** Rejects with BadRows, and changes nothing, when the bytes are no rows of this arc. */
  save(arc: number, saved: SavedArc, change?: CopyChange): Promise<void>;
  /** A sum for each bucket. Without `buckets` as many as its rows ask for. */
  sums(arc: number, buckets?: number): Promise<readonly number[]>;
  /** A bucket's rows, in pieces that a message holds. */
  rows(arc: number, bucket: number, buckets: number): AsyncIterable<Uint8Array>;
  /** From now on it is remembered which rows entries change, until the next call, or false. */
  watch(arc: number, isOn: boolean): void;
}

/** What came was no rows, or not of this arc. */
export class BadRows extends Error {
  constructor(arc: number, why: string) {
    super(`what came for arc ${arc} are no rows of it: ${why}`);
    this.name = 'BadRows';
  }
}
