/**
 * Records taken out of an archive (G2): written over where they stand, safe from a power cut when
 * it resolves. The files are read from end to end; a crawl may go on writing behind.
 */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  erasedMember,
  MemberStream,
  payloadIn,
  type ReadWarcRecord,
  readWarcRecord,
  targetOf,
} from '../../archive/index.ts';
import { diskError } from './disk.ts';
import { folderArchive, openEither } from './warc-mend.ts';
import type { PayloadIndex } from './warc-payloads.ts';

const PIECE_BYTES = 1 << 20;

/** Answers how many records were erased; their payloads are named no more. */
export async function eraseFromArchive(
  folder: string,
  fits: (url: string) => boolean,
  index?: PayloadIndex,
): Promise<number> {
  let count = 0;
  for (const { name } of await folderArchive(folder).list()) {
    try {
      const handle = await openEither(join(folder, name), 'r+');
      try {
        const { erased, payloads } = await eraseIn(handle, fits);
        count += erased;
        await index?.remove(payloads);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw diskError(error, join(folder, name));
    }
  }
  return count;
}

async function eraseIn(handle: FileHandle, fits: (url: string) => boolean) {
  const stream = new MemberStream();
  const payloads: Uint8Array[] = [];
  let erased = 0;
  const erase = async (members: ReturnType<MemberStream['feed']>) => {
    for (const { at, length, bytes } of members) {
      const record = readWarcRecord(bytes);
      if (typeof record === 'string') continue;
      if (!urlsIn(record).some(fits)) continue;
      const blank = erasedMember(record, length);
      if (blank === undefined) continue;
      await handle.write(blank, 0, blank.length, at);
      const payload = payloadIn(record.fields);
      if (payload !== undefined) payloads.push(payload);
      erased++;
    }
  };
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    await erase(stream.feed(buffer.subarray(0, bytesRead)));
  }
  await erase(stream.last());
  if (erased > 0) await handle.datasync();
  return { erased, payloads };
}

/** Also the page that named it first: what a page was found by says that there was one. */
function urlsIn(record: ReadWarcRecord): string[] {
  // A picture of a page has its URL behind this.
  const url = targetOf(record).replace(/^urn:view:/, '');
  if (url === '' || record.type !== 'metadata') return url === '' ? [] : [url];
  const via = /^via: (.*)\r$/m.exec(record.block.toString())?.[1];
  return via === undefined ? [url] : [url, via];
}
