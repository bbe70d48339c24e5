/** Bookmarks in a folder: a small file for each reader, written beside its place and renamed. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bookmarks } from '../../ports/bookmarks.ts';
import type { EventCursor } from '../../ports/event-log.ts';
import { diskError } from './disk.ts';

export class FolderBookmarks implements Bookmarks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(reader: string): Promise<EventCursor | undefined> {
    try {
      return (await readFile(this.#pathOf(reader), 'utf8')).trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw diskError(error, this.#folder);
    }
  }

  async set(reader: string, cursor: EventCursor): Promise<void> {
    const path = this.#pathOf(reader);
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(`${path}.new`, `${cursor}\n`);
      await rename(`${path}.new`, path);
    } catch (error) {
      throw diskError(error, this.#folder);
    }
  }

  /** A reader's name may be a URL with a password in it: only its hash is a file's name. */
  #pathOf(reader: string): string {
    return join(this.#folder, createHash('sha256').update(reader).digest('hex').slice(0, 32));
  }
}
