/**
 * Files with private keys: nobody but their owner may see what is in them.
 *
 * Promises:
 *   1. read() answers with a key that can sign, or rejects with E_CONFIG that says what is wrong
 *      with the file and what to do; no error holds a byte of what was read.
 *   2. A file that everybody on the machine can read is refused.
 *   3. create() makes a new key in a file that only its owner can read, from the first byte on; a
 *      name that is taken is E_OUTPUT_EXISTS, and what is there stays as it was.
 */
import type { SignKey } from '../sign/index.ts';

export interface KeyFiles {
  read(path: string): Promise<SignKey>;
  create(path: string): Promise<SignKey>;
}
