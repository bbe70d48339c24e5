/**
 * Writing to a disk, whole, and what is said when it cannot be done: in words for the person
 * in front of it.
 *
 * Not here: when a write is tried again, and what becomes of half of one (segments.ts).
 */
import { open } from 'node:fs/promises';
import { CrawlError } from '../../base/errors.ts';

/** What this folder needs of a file that grows; a `FileHandle` is one, and so is a test's. */
export interface GrowingFile {
  writev(buffers: readonly Uint8Array[], at: number): Promise<{ bytesWritten: number }>;
  truncate(bytes: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export function diskError(error: unknown, path: string): CrawlError {
  if (error instanceof CrawlError) return error;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new CrawlError(
        'E_DISK_FULL',
        `no room left on the disk to write ${path}`,
        'free some space, then run the same command with the same folder: it goes on from here',
        error,
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new CrawlError(
        'E_DISK_READONLY',
        `${path} cannot be written`,
        'make the folder writable for this user, or choose another one with --dir',
        error,
      );
    default:
      return new CrawlError(
        'E_STORE_DOWN',
        `${path} cannot be used: ${(error as Error).message}`,
        'check the disk, then run the same command with the same folder',
        error,
      );
  }
}

export function damaged(path: string, at: number, what: string, cause?: unknown): CrawlError {
  return new CrawlError(
    'E_STORE_DAMAGED',
    `${path} is damaged at byte ${at}: ${what}`,
    'restore this file from a copy, or crawl the page again; the rest of the folder is usable',
    cause,
  );
}

/** A write may be short without an error, and only the next one says why. */
export async function writeAll(
  file: GrowingFile,
  batch: readonly Uint8Array[],
  at: number,
): Promise<void> {
  let rest = batch;
  let place = at;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, place);
    place += bytesWritten;
    rest = after(rest, bytesWritten);
  }
}

function after(buffers: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skip = bytes;
  for (const [i, buffer] of buffers.entries()) {
    if (skip < buffer.length) return [buffer.subarray(skip), ...buffers.slice(i + 1)];
    skip -= buffer.length;
  }
  return [];
}

/** A new file's name is in its folder, and must be made safe there. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
