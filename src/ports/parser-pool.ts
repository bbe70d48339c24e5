/**
 * CPU work away from the fetch loop (X3): decode → parse → canonicalise → hash → compress.
 *
 * Promises (parser-pool.contract.ts):
 *   1. digest() gives the same answer inline and in a worker.
 *   2. A page that breaks its parser costs that page only; the answer says so.
 */
import type { Digest, RawPage } from '../content/digest.ts';

export interface ParserPool {
  /** Rejects only with E_NO_PARSER: it was not read, and nobody will. */
  digest(page: RawPage): Promise<Digest>;
  /** So much waits to be read that nothing more should be fetched; never, where it is left out. */
  readonly isBehind?: boolean;
  close(): Promise<void>;
}
