/**
 * A ring as one of its nodes sees it: what `orb ring status`, the API and the dashboard show (O2).
 */
import type { Instant } from '../base/instant.ts';

export interface RingReport {
  /** Who says this. */
  readonly me: RingPeer;
  readonly status: 'out' | 'joining' | 'member' | 'leaving' | 'gone';
  readonly at: Instant;
  readonly before: RingPeer | undefined;
  readonly successors: readonly RingPeer[];
  readonly fingers: readonly RingPeer[];
  /** Those that this node owns or has a seat of. */
  readonly arcs: readonly RingArc[];
  readonly counts: RingCounts;
  /** The last few, newest first. */
  readonly lookups: readonly RingLookup[];
  readonly totals: { readonly known: number; readonly waiting: number; readonly fetched: number };
}

export interface RingPeer {
  /** The public key, base64url. */
  readonly id: string;
  /** On the circle: 16 hex digits. */
  readonly place: string;
  /** host:port of the ring's own port. */
  readonly at: string;
}

export interface RingArc {
  readonly arc: number;
  readonly epoch: number;
  readonly role: 'owner' | 'seat' | 'candidate';
  /** Places of the nodes; the owner is undefined while none is known. */
  readonly owner: string | undefined;
  readonly seats: readonly string[];
  /** Of an owner: how many of the seats have everything. */
  readonly level?: number;
  readonly isHanding?: boolean;
}

/** Since the start of this process. */
export interface RingCounts extends LendCounts {
  readonly ownerships: number;
  readonly losses: number;
  readonly handOvers: number;
  /** Writes of stale owners that this node refused, and its own that were refused. */
  readonly staleRefused: number;
  readonly staleTold: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Rows that were sent to bring copies up, and that came. */
  readonly rowBytesIn: number;
  readonly rowBytesOut: number;
  readonly lookups: number;
  readonly lookupHops: number;
  readonly strangers: number;
  readonly nonsense: number;
}

/** Requests of its hosts that this node lent, and of others' hosts that it borrowed (D6). */
export interface LendCounts {
  readonly lent: number;
  readonly lentSettled: number;
  /** Back in the queue: nobody brought anything of it that could be used. */
  readonly lentLost: number;
  readonly borrowed: number;
  readonly borrowedSettled: number;
  readonly borrowedLost: number;
}

export const NOTHING_LENT: LendCounts = {
  ...{ lent: 0, lentSettled: 0, lentLost: 0, borrowed: 0, borrowedSettled: 0, borrowedLost: 0 },
};

export interface RingLookup {
  readonly key: string;
  readonly owner: string | undefined;
  readonly hops: number;
  readonly ms: number;
  readonly at: Instant;
}
