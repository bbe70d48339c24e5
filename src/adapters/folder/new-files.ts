/**
 * New files on a disk: written as `name.part`, renamed when whole and synced.
 *
 * What a crash leaves is a `.part`, which the next attempt writes over. The names are relative
 * to the folder that the person stands in.
 */
import {
  access,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import type { NewFile, NewFiles, ScratchFiles } from '../../ports/new-files.ts';
import { diskError, type GrowingFile, syncFolder, writeAll } from './disk.ts';
import { FolderRunFiles } from './run-files.ts';

/** Opens a file for writing; a test's may fail as a disk does. */
export type OpenFile = (path: string) => Promise<GrowingFile>;

export class FolderNewFiles implements NewFiles {
  readonly #folder: string;
  readonly #open: OpenFile;

  constructor(folder: string, openFile: OpenFile = openForWriting) {
    this.#folder = folder;
    this.#open = openFile;
  }

  async create(name: string): Promise<NewFile> {
    const path = this.#pathOf(name);
    return trying(name, async () => {
      if (await isThere(path)) throw taken(name);
      await mkdir(dirname(path), { recursive: true });
      return new FolderNewFile(name, path, await this.#open(`${path}.part`));
    });
  }

  async claimFolder(name: string): Promise<void> {
    const path = this.#pathOf(name);
    await trying(name, async () => {
      await mkdir(path, { recursive: true });
      if ((await readdir(path)).length > 0) throw taken(name, ' and is not empty');
    });
  }

  async remove(name: string): Promise<void> {
    await trying(name, () => rm(this.#pathOf(name), { force: true }));
  }

  async scratch(name: string): Promise<ScratchFiles> {
    const path = this.#pathOf(name);
    return trying(name, async () => {
      await mkdir(dirname(path), { recursive: true });
      const folder = await mkdtemp(join(dirname(path), `.${basename(path)}-`));
      const close = () => rm(folder, { recursive: true, force: true });
      return { runs: new FolderRunFiles(folder), close };
    });
  }

  #pathOf(name: string): string {
    return resolve(this.#folder, name);
  }
}

class FolderNewFile implements NewFile {
  readonly #name: string;
  readonly #path: string;
  readonly #file: GrowingFile;
  #at = 0;
  #isClosed = false;

  constructor(name: string, path: string, file: GrowingFile) {
    this.#name = name;
    this.#path = path;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await trying(this.#name, () => writeAll(this.#file, [bytes], this.#at));
    this.#at += bytes.length;
  }

  async patch(at: number, bytes: Uint8Array): Promise<void> {
    await trying(this.#name, () => writeAll(this.#file, [bytes], at));
  }

  async done(): Promise<void> {
    await trying(this.#name, async () => {
      await this.#file.datasync();
      await this.#close();
      if (await isThere(this.#path)) throw taken(this.#name);
      await rename(this.#partPath, this.#path);
      await syncFolder(dirname(this.#path));
    });
  }

  async cancel(): Promise<void> {
    await this.#close();
    await rm(this.#partPath, { force: true });
  }

  get #partPath(): string {
    return `${this.#path}.part`;
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
  }
}

function openForWriting(path: string): Promise<FileHandle> {
  return open(path, 'w');
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function taken(name: string, more = ''): CrawlError {
  return new CrawlError(
    'E_OUTPUT_EXISTS',
    `${name} is there already${more}.`,
    'Choose another name with --out, or remove it first.',
  );
}

const HINTS: Readonly<Record<string, string>> = {
  E_DISK_FULL: 'Free some space, or choose another disk with --out, then run the same again.',
  E_DISK_READONLY: 'Choose a folder that you may write to with --out.',
};

/** What a disk says, in words that fit an export: there is nothing to go on from. */
async function trying<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code, message, hint, cause } = diskError(error, name);
    throw new CrawlError(code, message, HINTS[code] ?? hint, cause);
  }
}
