/**
 * What a run that was killed left of its archive, made whole: the last file is cut back to the
 * end of its last whole exchange and closed. Each exchange ends with its metadata record, so a
 * request without its answer goes, too; it is asked for again.
 *
 * The file is read through once, and every checksum in it is looked at.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MemberStream, warcTypeOf } from '../../archive/index.ts';
import type { ArchivedFile, ArchiveFiles } from '../../ports/archive.ts';
import { diskError, syncFolder } from './disk.ts';

export const OPEN_SUFFIX = '.open';
const NAME = /-\d{14}-(\d{5,})-[^/]*\.warc\.gz(?:\.open)?$/;
const PIECE_BYTES = 1 << 20;

/** Answers the number of the next file. */
export async function mendFolder(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let serial = 0;
  for (const { name, isOpen } of await listFiles(folder)) {
    serial = Math.max(serial, 1 + serialOf(name));
    if (isOpen) await mendFile(join(folder, name));
  }
  await syncFolder(folder);
  return serial;
}

async function mendFile(path: string): Promise<void> {
  const good = await goodBytes(path);
  if (good === 0) return rm(path);
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(good);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(path, path.slice(0, -OPEN_SUFFIX.length));
}

/** How much of a file is whole exchanges; 0 when there is none. */
async function goodBytes(path: string): Promise<number> {
  const stream = new MemberStream();
  let good = 0;
  const note = (members: Iterable<{ at: number; length: number; bytes: Buffer }>) => {
    for (const { at, length, bytes } of members) {
      if (warcTypeOf(bytes) === 'metadata') good = at + length;
    }
  };
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    note(stream.feed(piece));
  }
  note(stream.last());
  return good;
}

/** The same files, to be read: by an export, also while a crawl writes. */
export function folderArchive(folder: string): ArchiveFiles {
  return {
    list: () => listFiles(folder),
    async *read(name) {
      const path = join(folder, name);
      try {
        const handle = await openEither(path, 'r');
        yield* handle.createReadStream({ highWaterMark: PIECE_BYTES });
      } catch (error) {
        throw diskError(error, path);
      }
    },
  };
}

/** In the order of their numbers; none where there is no folder. */
async function listFiles(folder: string): Promise<ArchivedFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw diskError(error, folder);
  });
  const files: ArchivedFile[] = [];
  for (const name of names.filter((one) => NAME.test(one))) {
    const { size } = await stat(join(folder, name));
    files.push({ name, bytes: size, isOpen: name.endsWith(OPEN_SUFFIX) });
  }
  return files.sort((a, b) => serialOf(a.name) - serialOf(b.name) || (a.name < b.name ? -1 : 1));
}

/** The number in a file's name. */
export function serialOf(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? 0);
}

/** A file that was open when it was listed may be closed by now, and has lost its suffix. */
export async function openEither(path: string, flags: 'r' | 'r+'): Promise<FileHandle> {
  return open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !path.endsWith(OPEN_SUFFIX)) throw error;
    return open(path.slice(0, -OPEN_SUFFIX.length), flags);
  });
}
