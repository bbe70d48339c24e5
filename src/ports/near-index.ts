/**
 * Which page, of all that were met, does a text nearly repeat (C2)?
 *
 * Promises (near-index.contract.ts):
 *   1. find() names an original within distance 3 whenever one was written whose pairs of words
 *      confirm it, the nearest one, and never a page that is further away.
 *   2. A page is never its own original, and a page that is one stays one.
 *   3. Pages of one ask see each other, the earlier being the original of the later.
 *   4. What write() removed is not found; removing what is not there changes nothing.
 *   5. Where `durable`, what write() resolved for is found after kill -9, too.
 *
 * An original is written after the page's own commit: whatever dies between the two, the index
 * knows less than the store, and a duplicate is missed; a page is never lost for it.
 */
import type { Original } from '../content/index.ts';

/** A page and the fingerprints of its words; `simhash` is never 0, which means none. */
export type Fingerprint = Original;

export interface NearIndex {
  /** For each page its original, if it has one. Remembers nothing. */
  find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]>;
  /** Removes by key and simhash, then adds. */
  write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void>;
  close(): Promise<void>;
}
