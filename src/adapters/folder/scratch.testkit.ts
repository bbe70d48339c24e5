/**
 * Folders for tests, gone when the tests are; and disks with little room.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { GrowingFile } from './disk.ts';
import { openGrowingFile } from './growing-file.ts';

const made: string[] = [];
after(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true });
});

export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'orb-test-'));
  made.push(folder);
  return folder;
}

/** A real file system that fails as told: `left` bytes go in, then every write is `code`. */
export class FailingDisk {
  left = Number.POSITIVE_INFINITY;
  code = 'ENOSPC';
  /** Also refuse to cut files back. */
  isStuck = false;

  readonly openToWrite = async (path: string): Promise<GrowingFile> => {
    const file = await openGrowingFile(path);
    return {
      ...file,
      writev: async (buffers, at) => {
        const bytes = Buffer.concat(buffers);
        const room = Math.min(this.left, bytes.length);
        if (room === 0 && bytes.length > 0) throw this.#error();
        this.left -= room;
        return file.writev([bytes.subarray(0, room)], at);
      },
      truncate: async (bytes) => {
        if (this.isStuck) throw this.#error();
        await file.truncate(bytes);
      },
    };
  };

  #error(): Error {
    return Object.assign(new Error(`${this.code}: told to fail`), { code: this.code });
  }
}
