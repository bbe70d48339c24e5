/**
 * Who owns which arc of the circle, and how a mention reaches its owner.
 *
 * Promises (ownership.contract.ts):
 *   1. At any instant at most one node is told that an arc is its own.
 *   2. hand() resolves when the owner holds the mentions durably.
 */

export interface Ownership<Mention> {
  /** Asked with any key that starts with a place on the circle: a host's or a URL's. */
  isMine(key: Uint8Array): boolean;
  hand(mentions: readonly Mention[]): Promise<void>;
}
