/**
 * Whose turn it is at an address behind which several nodes have hosts (P4, P5): what the frontier
 * decides within a node, decided between nodes. A turn is held from before the request until its
 * answer has begun, and then the address rests; so whatever a network or a node does in between,
 * two requests cannot reach it closer together than the pause.
 *
 *   claim ─▶ 'yours' ─▶ the request, its answer ─▶ rest ─▶ pause ─▶ anybody's
 *     │                        └─ never heard of again: held until the end of holdMs
 *     ├───▶ 'wait': another node has it, come back then
 *     └───▶ 'away': the engine does not answer, decide alone
 *
 * Promises (address-turns.contract.ts):
 *   1. A turn is one node's at a time, until it rests the address or `holdMs` have passed.
 *   2. An address that rests is nobody's, but for the node that asked it last: that knows by its
 *      own clock when it did, and may be a moment earlier.
 *   3. A turn that is over takes nothing from whoever has the address by then.
 *   4. Terms are counted by one clock, that of the engine: the nodes' clocks do not matter.
 *   5. Who was told to wait, and comes back in time, is before the node that asked last.
 *   6. An engine that has lost its memory gives no turn until what may be under way has been
 *      asked, and is told again of turns that are held.
 *   7. Nothing rejects; an engine that is away is said to be, once, to a person.
 */
import type { TurnTerms } from '../frontier/index.ts';

export { COME_BACK_SHARE, type TurnTerms } from '../frontier/index.ts';

export interface AddressTurns {
  claim(address: string, terms: TurnTerms): Promise<TurnAnswer>;
  /**
   * The request is over: from now on the address rests for so long; 0 when none was made.
   * `isLost`: the node does not keep in mind when it asked, and waits like all others.
   */
  rest(turn: Turn, restMs: number, isLost?: boolean): Promise<void>;
}

export interface Turn {
  readonly address: string;
  /** Of this claim and no other, ever. */
  readonly id: string;
}

export type TurnAnswer =
  | { readonly kind: 'yours' | 'away'; readonly turn: Turn }
  | { readonly kind: 'wait'; readonly waitMs: number };
