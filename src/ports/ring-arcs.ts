/**
 * The arcs of a ring as the crawler of one of its nodes sees them: which to crawl, until when, and
 * its word that it has let go of one (D3, P5).
 *
 *   owned, and ours to keep ─▶ told by onArcs ─▶ hold() ─▶ crawled
 *   another should own it, and is level ─▶ left out of onArcs ─▶ drained ─▶ release() ─▶ handed over
 *   the hand-over was given up ─▶ told again
 *   lost ─▶ left out; actsUntil() has passed by then
 *
 * Promises (crawl/ring-arcs.test.ts):
 *   1. An arc is told while this node owns it, may act for it, and it does not go to another.
 *   2. What is held goes to nobody else before it is released or its term is over.
 *   3. actsUntil() never lies: nobody else acts for the arc before, whatever is said in between. It
 *      is the same epoch's all along: an arc that was lost and has come back has another.
 */
import type { Instant } from '../base/instant.ts';

export interface RingArcs {
  /** Told at once, in this call, and whenever they change: all of them. Answers how to stop it. */
  onArcs(listener: (arcs: readonly number[]) => void): () => void;
  /** Of an arc that this node owns and may act for at this instant, also while it is on its way out. */
  epochOf(arc: number): number | undefined;
  /** The end of its term as it stands, less what a request takes to arrive; 0 when it is not ours. */
  actsUntil(arc: number): Instant;
  /** The crawler acts for it from now on. */
  hold(arc: number): void;
  /** … and no more. Of one that is not held: nothing happens. */
  release(arc: number): void;
}
