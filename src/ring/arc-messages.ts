/**
 * What nodes say to each other about an arc, and what a step asks of whoever runs it.
 *
 *   owner ── append, sums, rows, bless, dismiss ──▶ seat
 *   seat  ── have, want, refuse ──▶ owner           candidate ── ask ──▶ seat ── vote ──▶ candidate
 *
 * Every message names the epoch it speaks for. All may be lost, doubled, late and out of order.
 */
import type { Instant } from '../base/instant.ts';
import type { Charter, Entry, NodeId, Stamp } from './arc-log.ts';

export type ArcMessage =
  | {
      /** The owner's writes after an index; without any it only asks for another term. */
      readonly kind: 'append';
      readonly epoch: number;
      readonly after: number;
      readonly entries: readonly Entry[];
      readonly commit: number;
      readonly charter: Charter;
      /** By the owner's clock, and only it reads it again: terms are counted from it. */
      readonly sentAt: Instant;
    }
  /** How far a seat is in this epoch; -1 when it must be brought up first. Grants a term. */
  | {
      readonly kind: 'have';
      readonly epoch: number;
      readonly index: number;
      readonly sentAt: Instant;
      /** It would like to lose its seat. */
      readonly isLeaving: boolean;
    }
  /** Somebody else has been promised `epoch` since: whoever hears this is stale. */
  | { readonly kind: 'refuse'; readonly epoch: number }
  /** Sums of the owner's rows as they were at `anchor`, bucket by bucket. */
  | {
      readonly kind: 'sums';
      readonly epoch: number;
      readonly anchor: number;
      /** Of a copy that is thought to be whole. */
      readonly isCheck: boolean;
      readonly charter: Charter;
      readonly sums: readonly number[];
    }
  | {
      readonly kind: 'want';
      readonly epoch: number;
      readonly anchor: number;
      readonly buckets: readonly number[];
      /** As many sums were compared. */
      readonly of: number;
    }
  | {
      readonly kind: 'rows';
      readonly epoch: number;
      readonly anchor: number;
      readonly bucket: number;
      readonly of: number;
      readonly rows: unknown;
    }
  | {
      readonly kind: 'ask';
      readonly epoch: number;
      /** How far the candidate's copy is whole. */
      readonly at: Stamp;
      /** Only asks whether it would be chosen: nothing is promised. */
      readonly isTrial: boolean;
      /** The owner before has stopped and wants it so. */
      readonly isBlessed: boolean;
      readonly sentAt: Instant;
    }
  | {
      readonly kind: 'vote';
      readonly epoch: number;
      readonly isTrial: boolean;
      readonly isYes: boolean;
      readonly sentAt: Instant;
      /** What the voter has promised already. */
      readonly promised: number;
      /** A charter in force in which the candidate has no seat. */
      readonly charter?: Charter;
    }
  | { readonly kind: 'bless'; readonly epoch: number; readonly at: Stamp }
  | { readonly kind: 'dismiss'; readonly epoch: number };

/** What happens to a node: a message from another, or something of its own. */
export type ArcEvent =
  | { readonly kind: 'message'; readonly from: NodeId; readonly message: ArcMessage }
  /** `wanted`: who should have a seat as the ring stands, the owner first. */
  | {
      readonly kind: 'tick';
      readonly wanted: readonly NodeId[];
      readonly chance: number;
      /** This node takes its leave of the ring. */
      readonly isLeaving?: boolean;
      /** When the last turn that was lent is over: no switch before. */
      readonly lentUntil?: Instant;
    }
  /**
   * Admissions are awaited and go out at once; progress goes with the next tick. The token comes
   * back when they may be relied on; 0 is nobody's.
   */
  | {
      readonly kind: 'write';
      readonly bodies: readonly unknown[];
      readonly isAwaited: boolean;
      readonly token: number;
    }
  /**
   * Sums of the node's own rows, as the effect `sum` asked for: of all entries up to the anchor, and
   * perhaps of some after it.
   */
  | {
      readonly kind: 'summed';
      readonly to: NodeId;
      readonly epoch: number;
      readonly isCheck: boolean;
      readonly anchor: number;
      readonly sums: readonly number[];
    }
  /** A message `sums`, after the buckets were compared with the node's own. */
  | {
      readonly kind: 'compared';
      readonly from: NodeId;
      readonly epoch: number;
      readonly anchor: number;
      readonly isCheck: boolean;
      readonly charter: Charter;
      readonly differing: readonly number[];
      readonly of: number;
      /** How far the node's own copy was when its sums were taken, and its `remade` then. */
      readonly at: Stamp;
      readonly remade: number;
    };

/** To be done in order; rows are durable before a message that comes after them is sent. */
export type ArcEffect =
  | { readonly kind: 'send'; readonly to: NodeId; readonly message: ArcMessage }
  | { readonly kind: 'apply'; readonly epoch: number; readonly entries: readonly Entry[] }
  /** A bucket is to hold these rows and no others, but for its own that are after `upTo`. */
  | {
      readonly kind: 'replace';
      readonly bucket: number;
      readonly of: number;
      readonly rows: unknown;
      readonly upTo: Stamp;
    }
  | {
      readonly kind: 'sum';
      readonly to: NodeId;
      readonly isCheck: boolean;
      readonly epoch: number;
    }
  | {
      readonly kind: 'sendRows';
      readonly to: NodeId;
      readonly epoch: number;
      readonly anchor: number;
      readonly bucket: number;
      readonly of: number;
    }
  /** The writes of this token may be relied on, or never will be (`isKept` false). */
  | { readonly kind: 'written'; readonly token: number; readonly isKept: boolean }
  /** Owner from now on: every host waits out a whole pause from this instant. */
  | { readonly kind: 'own'; readonly epoch: number }
  /** Owner no longer. What was written and is not with a majority is to be handed to the next. */
  | { readonly kind: 'lost'; readonly epoch: number; readonly unsent: readonly Entry[] }
  /** The copy is of no use any more. */
  | { readonly kind: 'drop' };
