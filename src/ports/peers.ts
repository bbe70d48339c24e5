/**
 * The other nodes of a ring, and messages to them and from them (D8).
 *
 * Promises (peers.contract.ts):
 *   1. A message arrives whole and once, or never; those that wait for one connection keep their
 *      order. Who it is from was proven.
 *   2. send() never rejects and ends in time: 'sent' when it is on its way to that very node, or why not.
 *   3. A message that the receiver calls nonsense ends the connection to whoever sent it.
 *   4. meet() says who is at an address, as that node proved it.
 *   5. After close() nothing is received, nothing is sent, and nobody can connect.
 *
 * 'sent' does not mean that it was read: an answer does.
 */
import type { Peer, Refusal } from '../ring/index.ts';

export interface Peers {
  /** This node, as others know it. */
  readonly me: Peer;
  send(to: Peer, message: Uint8Array): Promise<Sent>;
  meet(at: string): Promise<Met>;
  /** One receiver at a time. It must not throw; false says that the message was nonsense. */
  receive(receiver: (from: Peer, message: Uint8Array) => boolean): void;
  counts(): PeerCounts;
  close(): Promise<void>;
}

export type Unsent = {
  readonly kind: 'failed';
  /**
   * A refusal of the other node, or: nobody answers in time; another node answers there; it or we
   * hold too much already; the message is too long; this end is closed.
   */
  readonly why: Refusal | 'silent' | 'another' | 'busy' | 'too-long' | 'closed';
  /** For people: what the other end said or did. */
  readonly detail: string;
};
export type Sent = { readonly kind: 'sent' } | Unsent;
export type Met = { readonly kind: 'met'; readonly peer: Peer } | Unsent;

export interface PeerCounts {
  /** Connections to nodes that proved themselves, and those that have yet to. */
  readonly sessions: number;
  readonly unproven: number;
  /** Connections that were ended here, since the start, by why. */
  readonly strangers: number;
  readonly otherVersions: number;
  readonly idTaken: number;
  readonly full: number;
  readonly nonsense: number;
  readonly slow: number;
}
