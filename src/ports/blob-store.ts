/**
 * Bodies, addressed by the SHA-256 of their decoded bytes (B1, C1).
 *
 * Promises (blob-store.contract.ts):
 *   1. put() of a hash that is there writes nothing and answers false.
 *   2. What put() resolved for can be read back, also after kill -9.
 *   3. get() gives back the decoded bytes, or undefined; damaged bytes are an error, never an answer.
 */
import type { BlobCodec } from '../content/codec.ts';

export interface BlobStore {
  /** For each blob: was it written (true), or there already (false)? */
  put(blobs: readonly PackedBlob[]): Promise<readonly boolean[]>;
  get(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** Makes everything written so far survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A body compressed by the cpu pool; `hash` is of the body before compression. */
export interface PackedBlob {
  readonly hash: Uint8Array;
  readonly codec: BlobCodec;
  readonly bytes: Uint8Array;
}
