/**
 * Who may act for an arc. A group of nodes agrees on who should (ownership.ts); this says who
 * may, so that no two ever do at once: not while one still drains, not when one wakes from a
 * long stop and has not heard the news (P5, K1).
 *
 * Promises (tenures.contract.ts):
 *   1. An arc has one holder at most: another is refused until it is released or its term ends.
 *   2. Each tenure has a higher epoch than all before it, whoever had them.
 *   3. Terms are counted by one clock, that of the engine: the nodes' clocks do not matter.
 *   4. What was lost is not renewed.
 */
export interface Tenures {
  /** The arcs that are the holder's from now on, with their epochs; those of others are left out. */
  take(
    arcs: readonly number[],
    holder: string,
    termMs: number,
  ): Promise<ReadonlyMap<number, number>>;
  /** Those of the arcs that are still the holder's, for another term. */
  renew(arcs: readonly number[], holder: string, termMs: number): Promise<readonly number[]>;
  release(arcs: readonly number[], holder: string): Promise<void>;
}

/** A write came from a node that does not hold these arcs (any more): nothing of it was done. */
export class NotOurs extends Error {
  readonly arcs: readonly number[];

  constructor(arcs: readonly number[]) {
    super(`not ours any more: arc ${arcs.join(', ')}`);
    this.name = 'NotOurs';
    this.arcs = arcs;
  }
}
