/**
 * What nodes tell each other, so that none asks the web for what another has just been told:
 * robots.txt by origin (R2), addresses by name (N1).
 *
 * Promises (shared-cache.contract.ts):
 *   1. get() gives what put() was last given for a name, by any node, until its life has ended.
 *   2. A value that is too large, or has no life left, is not kept; nor is an older one then.
 *   3. What was forgotten is unknown.
 *   4. A cache whose server is away knows nothing and keeps nothing. It never rejects: whoever
 *      asks then asks the web, as if alone.
 *
 * It is a hint from another machine, not a verdict: an address is judged by the reader's own
 * rules (Y1), and robots.txt is parsed by the reader.
 */
export interface SharedCache {
  /** One answer for each name, in their order. */
  get(kind: CacheKind, names: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  put(kind: CacheKind, entries: readonly CacheEntry[]): Promise<void>;
  forget(kind: CacheKind, names: readonly string[]): Promise<void>;
  stats(): { readonly asked: number; readonly hits: number };
  close(): Promise<void>;
}

export type CacheKind = 'robots' | 'address';

export interface CacheEntry {
  readonly name: string;
  readonly value: Uint8Array;
  readonly lifeMs: number;
}

/** The most that is read of a robots.txt (R1), and room for what is said about it. */
export const CACHE_VALUE_BYTES_MAX = 520 * 1024;

export function isCacheable({ value, lifeMs }: CacheEntry): boolean {
  return value.length <= CACHE_VALUE_BYTES_MAX && lifeMs >= 1;
}
