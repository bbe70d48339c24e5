/**
 * Who may act for an arc, or for a part of one that was split (../url/arcs.ts). A group of nodes
 * agrees on who should (arc-group.ts); this says who may, so that no two ever do at once: not
 * while one still drains, not when one wakes from a long stop and has not heard the news (P5, K1).
 *
 * Promises (tenures.contract.ts):
 *   1. An arc has one holder at most: another is refused until it is released or its term ends.
 *   2. Each tenure has a higher epoch than all before it, whoever had them.
 *   3. Terms are counted by one clock, that of the engine: the nodes' clocks do not matter.
 *   4. What was lost is not renewed.
 *   5. A split is done at once or not at all. Whoever held the arc holds its halves from then on,
 *      for the same term, and need not know it yet: it writes, renews and releases as before.
 *   6. What is not there, because it was split or its whole was not, is nobody's to take.
 */
import type { Instant } from '../base/instant.ts';
import { wholeOf } from '../url/index.ts';

export interface Tenures {
  /** The arcs that are the holder's from now on, with their epochs; those of others are left out. */
  take(
    arcs: readonly number[],
    holder: string,
    termMs: number,
  ): Promise<ReadonlyMap<number, number>>;
  /** Those of the arcs that are still the holder's, for another term; of one split, its halves. */
  renew(arcs: readonly number[], holder: string, termMs: number): Promise<readonly number[]>;
  release(arcs: readonly number[], holder: string): Promise<void>;
  /** Splits an arc in halves and answers them; nothing when it is not there, or small enough. */
  split(arc: number): Promise<readonly number[]>;
  /** All that are there: they cover the circle, each key once. */
  arcs(): Promise<readonly number[]>;
  /** Where that is later than was asked for: nobody else is let in before, unless it is released. */
  actsUntil?(arc: number): Instant;
}

/**
 * A write came from a node that does not hold these arcs (any more): nothing of it was done; on a
 * ring, where a commit is made in two steps, perhaps the first of them (`isPartly`).
 */
export class NotOurs extends Error {
  readonly arcs: readonly number[];
  readonly isPartly: boolean;

  constructor(arcs: readonly number[], isPartly = false) {
    super(`not ours any more: arc ${[...new Set(arcs.map(wholeOf))].join(', ')}`);
    this.name = 'NotOurs';
    this.arcs = arcs;
    this.isPartly = isPartly;
  }
}
