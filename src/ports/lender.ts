/**
 * A frontier somewhere else that lends requests (A2, F4): what a fetcher has instead of one.
 *
 * Promises:
 *   1. lease() answers what may be asked now, one request a host; none is answered by waiting.
 *   2. ack() resolves when the owner has stored what it was given, or does not want it.
 *   3. Both reject when the owner cannot be reached, or cannot say: trying again does no harm.
 */
import type { Outcome } from '../fetch/outcome.ts';
import type { FetchLimits } from './http.ts';

export interface Lender {
  /** For people. */
  readonly name: string;
  lease(n: number, seconds: number): Promise<LentBatch>;
  ack(lent: LentRequest, outcome: Outcome): Promise<'settled' | 'lost'>;
}

export interface LentBatch {
  readonly requests: readonly LentRequest[];
  /** How long to wait before asking again. */
  readonly waitMs: number;
}

export interface LentRequest {
  readonly id: string;
  readonly shard: number;
  readonly url: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: FetchLimits;
  /** How long it is lent, from before it was asked for. */
  readonly forMs: number;
}
