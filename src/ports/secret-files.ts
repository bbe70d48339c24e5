/**
 * Files that only their owner may read: who can call the service stands in one.
 *
 * Promises:
 *   1. write() makes a file that only its owner can read, from its first byte on, whatever the
 *      umask; a reader sees the old text or the new one, never a part.
 *   2. read() refuses a file that others can read or change, and says what to do.
 */
export interface SecretFiles {
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
}
