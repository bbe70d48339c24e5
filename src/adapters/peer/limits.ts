/**
 * What others can make a node hold, and for how long. With these a node holds at most 64 × 2 KiB
 * for whoever has proven nothing, and 512 × (64 KiB in + 576 KiB out) for members, beside what
 * TLS itself takes for a connection.
 */
export interface PeerLimits {
  /** From the first byte to a proven peer, however slowly it drips. */
  readonly greetMs: number;
  /** For the whole of a dial. */
  readonly dialMs: number;
  /** How long a node that has an id may take to show that it is alive, when another claims it. */
  readonly aliveMs: number;
  /** A connection without a message is closed after so long. */
  readonly idleMs: number;
  /** Connections that have proven nothing yet; the oldest gives way to one more. */
  readonly unprovenMax: number;
  /** Connections in a second, of one address and of all; more are closed before they cost anything. */
  readonly arrivalsMax: number;
  readonly allArrivalsMax: number;
  readonly sessionsMax: number;
  readonly dialsMax: number;
  readonly messageBytesMax: number;
  /** What may wait for a peer that does not read. */
  readonly unsentBytesMax: number;
  /** Messages of one peer in a tenth of a second; it is not read further until that is over. */
  readonly burst: number;
}

export const PEER_LIMITS: PeerLimits = {
  greetMs: 5_000,
  dialMs: 2_000,
  aliveMs: 1_000,
  idleMs: 90_000,
  unprovenMax: 64,
  arrivalsMax: 100,
  allArrivalsMax: 500,
  sessionsMax: 512,
  dialsMax: 64,
  messageBytesMax: 65_536,
  unsentBytesMax: 524_288,
  burst: 500,
};
