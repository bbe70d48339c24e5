/**
 * Records taken out of an archive (G2): written over where they stand, safe from a power cut when
 * it resolves. The files are read from end to end; a crawl may go on writing behind.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { erasedMember, MemberStream, readWarcRecord, targetOf } from '../../archive/index.ts';
import { diskError } from './disk.ts';
import { folderArchive, OPEN_SUFFIX } from './warc-mend.ts';

const PIECE_BYTES = 1 << 20;

/** Answers how many records were erased. */
export async function eraseFromArchive(
  folder: string,
  fits: (url: string) => boolean,
): Promise<number> {
  let count = 0;
  for (const { name } of await folderArchive(folder).list()) {
    try {
      const handle = await openEither(join(folder, name));
      try {
        count += await eraseIn(handle, fits);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw diskError(error, join(folder, name));
    }
  }
  return count;
}

/** A file that was open when it was listed may be closed by now, and has lost its suffix. */
async function openEither(path: string): Promise<FileHandle> {
  return open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !path.endsWith(OPEN_SUFFIX)) throw error;
    return open(path.slice(0, -OPEN_SUFFIX.length), 'r+');
  });
}

async function eraseIn(handle: FileHandle, fits: (url: string) => boolean): Promise<number> {
  const stream = new MemberStream();
  let count = 0;
  const erase = async (members: ReturnType<MemberStream['feed']>) => {
    for (const { at, length, bytes } of members) {
      const record = readWarcRecord(bytes);
      if (typeof record === 'string') continue;
      // A picture of a page has its URL behind this.
      const url = targetOf(record).replace(/^urn:view:/, '');
      if (url === '' || !fits(url)) continue;
      const blank = erasedMember(record, length);
      if (blank === undefined) continue;
      await handle.write(blank, 0, blank.length, at);
      count++;
    }
  };
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    await erase(stream.feed(buffer.subarray(0, bytesRead)));
  }
  await erase(stream.last());
  if (count > 0) await handle.datasync();
  return count;
}
