/**
 * CPU work away from the fetch loop (X3): decode → parse → canonicalise → hash → compress.
 *
 * Promises (parser-pool.contract.ts):
 *   1. digest() gives the same answer inline and in a worker.
 *   2. A page that breaks its parser costs that page only; the answer says so.
 */
import type { Digest, RawPage } from '../content/digest.ts';

export interface ParserPool {
  digest(page: RawPage): Promise<Digest>;
  close(): Promise<void>;
}
