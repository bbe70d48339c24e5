/**
 * A small table of rows that belong to arcs of a ring and move with them: the inbox of mentions,
 * the book of jobs. Written by the arc's owner, kept by its seats like everything of the arc (D4).
 *
 * Promises (arc-table.contract.ts):
 *   1. What put() resolved for is kept by K nodes: whoever owns the arc next has it.
 *   2. rows() are those of one arc, by their keys, after `after`.
 *   3. Who does not own the arc is told NotOurs, and nothing of it is written.
 */

/** Of a value: with its key it fits into one entry of the arc's log (arc-log.ts). */
export const VALUE_BYTES_MAX = 20 * 1024;
export const TABLE_KEY_BYTES_MAX = 64;

export interface TableRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface ArcTable {
  /** Together, each in its place. */
  put(arc: number, rows: readonly TableRow[]): Promise<void>;
  /** Whoever owns the arc next may find them once more. */
  remove(arc: number, keys: readonly Uint8Array[]): Promise<void>;
  /** At most so many. */
  rows(arc: number, after: Uint8Array | undefined, limit: number): Promise<readonly TableRow[]>;
  /** How many there are, counted up to the limit. */
  count(arc: number, limit: number): Promise<number>;
}
