/**
 * Who owns which arc of the circle, and how a mention reaches its owner.
 *
 * Promises (ownership.contract.ts):
 *   1. At any instant at most one node is told that an arc is its own.
 *   2. hand() resolves when the owner holds the mentions durably.
 */
import type { HostKey } from '../record/index.ts';

export interface Ownership<Mention> {
  isMine(host: HostKey): boolean;
  hand(mentions: readonly Mention[]): Promise<void>;
}
