/**
 * Jobs in a crawl folder's `jobs/`: `3.json` is what job 3 is, written beside its place, synced
 * and renamed; `3.seeds` the seeds that make its scope, one a line, appended and synced.
 */
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobBook, JobEntry } from '../../ports/job-book.ts';
import { damaged, diskError, syncFolder } from './disk.ts';

const ENTRY = /^\d+\.json$/;

export class FolderJobBook implements JobBook {
  readonly #folder: string;
  /** Writes follow one another: two of one job would meet beside its place. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async all(): Promise<readonly JobEntry[]> {
    const entries: JobEntry[] = [];
    for (const name of await this.#names()) {
      const text = await this.#read(name);
      if (text !== undefined) entries.push(parse(text, join(this.#folder, name)));
    }
    return entries.sort((a, b) => a.id - b.id);
  }

  /** Nobody else writes here: the folder is this crawl's alone. */
  open(entry: JobEntry): Promise<boolean> {
    return this.#writing(async () => {
      const isNew = (await this.#read(`${entry.id}.json`)) === undefined;
      if (isNew) await this.#write(entry);
      return isNew;
    });
  }

  put(entry: JobEntry): Promise<void> {
    return this.#writing(() => this.#write(entry));
  }

  async #write(entry: JobEntry): Promise<void> {
    const path = join(this.#folder, `${entry.id}.json`);
    await write(`${path}.new`, 'w', `${JSON.stringify(entry)}\n`);
    await rename(`${path}.new`, path);
    await syncFolder(this.#folder);
  }

  addSeeds(job: number, seeds: readonly string[]): Promise<void> {
    return this.#writing(() => write(this.#seedsOf(job), 'a', `${seeds.join('\n')}\n`));
  }

  async seeds(job: number): Promise<readonly string[]> {
    const text = (await this.#read(`${job}.seeds`)) ?? '';
    // The last line may be half of one, if the machine stopped in the middle of it.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    return whole.split('\n').filter((line) => line !== '');
  }

  #seedsOf(job: number): string {
    return join(this.#folder, `${job}.seeds`);
  }

  #writing<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(async () => {
      try {
        await mkdir(this.#folder, { recursive: true });
        return await work();
      } catch (error) {
        throw diskError(error, this.#folder);
      }
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #names(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw diskError(error, this.#folder);
    });
    return names.filter((name) => ENTRY.test(name));
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw diskError(error, this.#folder);
    }
  }
}

function parse(text: string, path: string): JobEntry {
  try {
    return JSON.parse(text) as JobEntry;
  } catch (error) {
    throw damaged(path, 0, 'it is not JSON', error);
  }
}

async function write(path: string, how: 'w' | 'a', text: string): Promise<void> {
  const file = await open(path, how);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
