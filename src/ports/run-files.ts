/**
 * Files that a batch job writes once and reads from front to back: sorted runs, vectors, the
 * graph of the last time. What is in them can always be made again, so nobody repairs them.
 *
 * Promises (run-files.contract.ts):
 *   1. read() gives the chunks as they were added, in order, once done() has resolved.
 *   2. A file whose done() was not called is not there, and one of that name stays as it was.
 *   3. Damage and another version are E_STORE_DAMAGED while reading, never other bytes.
 */
export interface RunFiles {
  write(name: string): Promise<RunWriter>;
  /** Undefined when there is no such file. A chunk is valid until the next is asked for. */
  read(name: string): Promise<AsyncIterable<Buffer> | undefined>;
  /** No file of that name is no mistake. */
  drop(name: string): Promise<void>;
}

export interface RunWriter {
  /** One chunk, not empty; it may be used again once the promise has resolved. */
  add(chunk: Uint8Array): Promise<void>;
  done(): Promise<void>;
  /** Gives the file up. */
  cancel(): Promise<void>;
}

/** Larger chunks are refused: a reader holds one in memory. */
export const RUN_CHUNK_BYTES_MAX = 16 << 20;
