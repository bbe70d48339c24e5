/**
 * Files held open for reading, a few at a time: a crawl has thousands, and an export walks
 * through them in order.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { damaged, diskError } from './disk.ts';

const OPEN_FILES_MAX = 16;

interface Entry {
  readonly handle: Promise<FileHandle>;
  users: number;
}

export class ReadFiles {
  readonly #entries = new Map<string, Entry>();

  /** Exactly `length` bytes, or an error that says where they are missing. */
  async read(path: string, at: number, length: number): Promise<Buffer> {
    const entry = this.#use(path);
    try {
      const handle = await entry.handle;
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead < length) throw damaged(path, at, `it ends after ${at + bytesRead} bytes`);
      return buffer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw diskError(error, path);
      throw damaged(path, at, 'the file is gone', error);
    } finally {
      entry.users--;
    }
  }

  async close(): Promise<void> {
    const open = [...this.#entries.values()];
    this.#entries.clear();
    for (const { handle } of open) await (await handle).close();
  }

  #use(path: string): Entry {
    const entry = this.#entries.get(path) ?? { handle: this.#open(path), users: 0 };
    entry.users++;
    this.#entries.delete(path);
    this.#entries.set(path, entry);
    this.#closeOldest();
    return entry;
  }

  #open(path: string): Promise<FileHandle> {
    const handle = open(path, 'r');
    handle.catch(() => this.#entries.delete(path));
    return handle;
  }

  /** The map is in order of last use. A file that is being read stays open beyond the limit. */
  #closeOldest(): void {
    for (const [path, { handle, users }] of this.#entries) {
      if (this.#entries.size <= OPEN_FILES_MAX) return;
      if (users > 0) continue;
      this.#entries.delete(path);
      void handle.then((file) => file.close());
    }
  }
}
