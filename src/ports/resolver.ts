/**
 * Names to addresses (N1, N2).
 *
 * Promises (resolver.contract.ts):
 *   1. One question per name at a time; others wait for its answer.
 *   2. A failed name is answered from memory for a short while.
 *   3. An address is returned only if the address rules allow it; otherwise `refused`.
 *   4. report(name, false) three times in a row forgets the name.
 */
export interface Resolver {
  resolve(hostname: string, signal?: AbortSignal): Promise<Resolution>;
  /** Tells whether a connection to the name's address succeeded. */
  report(hostname: string, connected: boolean): void;
  stats(): { readonly asked: number; readonly hits: number };
}

export type Resolution =
  | { readonly kind: 'address'; readonly address: string; readonly family: 4 | 6 }
  | { readonly kind: 'refused'; readonly address: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string };
