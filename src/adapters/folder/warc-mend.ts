/**
 * What a run that was killed left of its archive, made whole: the last file is cut back to the
 * end of its last whole exchange and closed. Each exchange ends with its metadata record, so a
 * request without its answer goes, too; it is asked for again.
 *
 * The file is read through once, and every checksum in it is looked at; which payloads it has is
 * noted, because the run may have been killed before it did.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FoundMember,
  MemberStream,
  payloadIn,
  readWarcFields,
  warcTypeOf,
} from '../../archive/index.ts';
import type { ArchivedFile, ArchiveFiles } from '../../ports/archive.ts';
import { diskError, syncFolder } from './disk.ts';
import type { PayloadEntry, PayloadIndex } from './warc-payloads.ts';

export const OPEN_SUFFIX = '.open';
const NAME = /-\d{14}-(\d{5,})-[^/]*\.warc\.gz(?:\.open)?$/;
const PIECE_BYTES = 1 << 20;

/** Answers the number of the next file. */
export async function mendFolder(folder: string, index?: PayloadIndex): Promise<number> {
  await mkdir(folder, { recursive: true });
  let serial = 0;
  for (const { name, isOpen } of await listFiles(folder)) {
    serial = Math.max(serial, 1 + serialOf(name));
    if (isOpen) await mendFile(join(folder, name), index);
  }
  await syncFolder(folder);
  return serial;
}

async function mendFile(path: string, index: PayloadIndex | undefined): Promise<void> {
  const good = await goodBytes(path, index);
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
async function goodBytes(path: string, index: PayloadIndex | undefined): Promise<number> {
  const stream = new MemberStream();
  const serial = serialOf(path);
  let good = 0;
  const note = async (members: Iterable<FoundMember>) => {
    const entries: PayloadEntry[] = [];
    for (const { at, length, bytes } of members) {
      if (warcTypeOf(bytes) === 'metadata') good = at + length;
      const payload = payloadIn(readWarcFields(bytes));
      if (payload !== undefined) entries.push({ payload, serial, at });
    }
    if (entries.length > 0) await index?.put(entries);
  };
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    await note(stream.feed(piece));
  }
  await note(stream.last());
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
