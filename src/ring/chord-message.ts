/**
 * What nodes of the ring say to each other, and what a step takes and gives.
 *
 *   ask ──▶ list           the successors of a node, and whom it takes for its predecessor
 *   find ─▶ way            who owns a key, or who is nearer to it
 *   ping ─▶ pong           are you there?
 *   notify                 I take you for my successor
 *   leaving                I am going: do not wait for my silence
 *
 * A question carries a number; an answer counts only if it carries the number of a question that
 * is open, and comes from the node that was asked. Anything else is late, or a lie.
 */
import type { Instant } from '../base/index.ts';
import type { Position, Range } from './id.ts';

/** A node, as others know it. The place follows from the id and is never believed without it. */
export interface Peer {
  /** The public key, in base64url. */
  readonly id: string;
  readonly place: Position;
  /** Where it listens: `host:port`. */
  readonly at: string;
}

export type ChordMessage =
  | { readonly kind: 'ask'; readonly n: number }
  | {
      readonly kind: 'list';
      readonly n: number;
      readonly before?: Peer;
      readonly list: readonly Peer[];
    }
  | { readonly kind: 'find'; readonly n: number; readonly key: Position }
  | {
      readonly kind: 'way';
      readonly n: number;
      /** The node that answers owns the key. */
      readonly owns: boolean;
      readonly before?: Peer;
      /** Nodes between it and the key, nearest to the key first. */
      readonly nearer: readonly Peer[];
      /** Its successors from the key on, as far as its list reaches. */
      readonly owners: readonly Peer[];
    }
  | { readonly kind: 'ping'; readonly n: number }
  | { readonly kind: 'pong'; readonly n: number }
  | { readonly kind: 'notify' }
  | { readonly kind: 'leaving'; readonly before?: Peer };

export type Answer = Extract<ChordMessage, { kind: 'list' | 'way' | 'pong' }>;

/** Everything that can happen to a node. Time and chance come from outside, as these. */
export type ChordInput =
  | { readonly kind: 'got'; readonly from: Peer; readonly message: ChordMessage }
  /** The time for the answer to a question is over. */
  | { readonly kind: 'late'; readonly n: number }
  /** Timers: a stabilise in every round, one more at once, the next finger, a greeting. */
  | { readonly kind: 'round' }
  | { readonly kind: 'stabilise' }
  | { readonly kind: 'fix' }
  | { readonly kind: 'reach' }
  | { readonly kind: 'join'; readonly via: readonly Peer[] }
  | { readonly kind: 'leave' }
  | { readonly kind: 'lookup'; readonly key: Position; readonly tag: number };

export type ChordEffect =
  | { readonly kind: 'send'; readonly to: Peer; readonly message: ChordMessage }
  | { readonly kind: 'after'; readonly ms: number; readonly input: ChordInput }
  | { readonly kind: 'found'; readonly tag: number; readonly found: Found }
  | { readonly kind: 'unfound'; readonly tag: number; readonly why: 'no-way' | 'busy' | 'out' }
  | { readonly kind: 'joined' }
  | { readonly kind: 'refused'; readonly why: 'id-taken' | 'no-answer' }
  /** Nobody is left whom this node knows: join again, or be a ring of one. */
  | { readonly kind: 'alone' };

export interface Found {
  readonly key: Position;
  readonly owner: Peer;
  /** What the owner said that it owns; undefined where only its predecessor was asked. */
  readonly range: Range | undefined;
  /** Nodes that were asked, the owner among them. */
  readonly hops: number;
  /** When the owner said so. */
  readonly at: Instant;
}
