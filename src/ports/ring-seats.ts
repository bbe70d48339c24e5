/**
 * Who has a seat of whose arcs: those may lend to each other (D6).
 *
 *   owners()       whose arcs this node keeps copies of
 *   sharedWith()   arcs that this node owns and that node keeps a copy of
 */
import type { Peer } from '../ring/index.ts';

export interface RingSeats {
  owners(): readonly Peer[];
  sharedWith(node: Peer): ReadonlySet<number>;
}
