/**
 * Files that a person asked for: under their name only when they are whole.
 *
 * Promises (new-files.contract.ts):
 *   1. Nothing is under a file's name until done() has resolved; then all that was written is.
 *   2. A name that is taken is E_OUTPUT_EXISTS, and what is there stays as it was.
 *   3. After cancel() nothing is left, not even under another name.
 *   4. What cannot be written is a CrawlError that says what to do.
 */
import type { RunFiles } from './run-files.ts';

export interface NewFiles {
  /** A file that must not be there yet; folders on the way are made. */
  create(path: string): Promise<NewFile>;
  /** A folder that is not there, or is empty: else E_OUTPUT_EXISTS. It is made. */
  claimFolder(path: string): Promise<void>;
  /** Takes back a file that done() was called for. */
  remove(path: string): Promise<void>;
  /** Room for run files beside a path, for as long as it is written. */
  scratch(path: string): Promise<ScratchFiles>;
}

export interface NewFile {
  /** The bytes may be used again once the promise has resolved. */
  write(bytes: Uint8Array): Promise<void>;
  /** Writes over bytes that were written before. */
  patch(at: number, bytes: Uint8Array): Promise<void>;
  /** Safe from a power cut, too. */
  done(): Promise<void>;
  /** After done(), changes nothing. */
  cancel(): Promise<void>;
}

export interface ScratchFiles {
  readonly runs: RunFiles;
  /** Throws all of them away. */
  close(): Promise<void>;
}
