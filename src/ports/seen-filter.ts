/**
 * Fast 'maybe seen before' for URLs (S1–S5). The exact store decides; this saves asking it.
 *
 * Promises (seen-filter.contract.ts):
 *   1. A key added before is never called new.
 *   2. Of two askers with one key, one is told 'new'.
 *   3. While the filter is incomplete or its server is away, everything is 'maybe' (S5).
 *   4. The rate of needless 'maybe' stays at the target up to the expected number of keys,
 *      and a new generation keeps it there beyond (S2, S3).
 */
import type { UrlKey } from '../record/index.ts';

export interface SeenFilter {
  /** Adds the keys; 1 where the key may have been there before, 0 where it certainly was not. */
  checkAndAdd(keys: readonly UrlKey[]): Promise<Uint8Array>;
  stats(): SeenStats;
  close(): Promise<void>;
}

export interface SeenStats {
  readonly keys: number;
  readonly generations: number;
  readonly bytes: number;
  /** False while it is being rebuilt: then all answers are 'maybe'. */
  readonly complete: boolean;
  /** Estimated from the bits that are set, not assumed (S3). */
  readonly falsePositiveRate: number;
}
