/**
 * Bodies, addressed by the SHA-256 of their decoded bytes (B1, C1).
 *
 * Promises (blob-store.contract.ts):
 *   1. put() of a hash that is there writes nothing and answers false.
 *   2. What put() resolved for can be read back, also after kill -9.
 *   3. get() gives back the bytes, or undefined; damaged bytes are an error, never an answer.
 *   4. What remove() resolved for is not found and in no file; the others are as they were, also
 *      for a reader under way. put() writes it anew.
 *
 * How bodies are compressed is the store's own business: together they take half of the time
 * and room that they take one by one.
 */
export interface BlobStore {
  /**
   * Of a store that is a way to a server: so many pages are worth to begin with their bodies
   * while the pages before them are being committed. Left out: one batch after the other.
   */
  readonly pagesAhead?: number;
  /** For each body: was it written (true), or there already (false)? */
  put(bodies: readonly Body[]): Promise<readonly boolean[]>;
  get(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** Makes everything written so far survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A store that can forget (G1). */
export interface ErasableBlobs extends BlobStore {
  /** Answers how many of them were there. */
  remove(hashes: readonly Uint8Array[]): Promise<number>;
}

export interface Body {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}
