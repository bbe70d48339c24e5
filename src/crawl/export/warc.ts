/** A folder of WARC files, and the index of them if it is wanted. */
import { fillShelf } from './fill.ts';
import { FolderShelf } from './folder-shelf.ts';
import { SortedLines } from './sorted-lines.ts';
import { type ArchiveEnd, type ArchiveJob, endOf } from './wacz.ts';

export const INDEX_NAME = 'index.cdxj';
const BLOCK_CHARACTERS = 64 << 10;

export async function exportWarc(
  job: ArchiveJob,
  folder: string,
  withIndex: boolean,
): Promise<ArchiveEnd> {
  const { files } = job;
  await files.claimFolder(folder);
  const shelf = new FolderShelf(files, folder);
  const scratch = await files.scratch(`${folder}/index`);
  try {
    const lines = new SortedLines(scratch.runs);
    const notes = withIndex ? { indexed: (line: string) => lines.add(line) } : {};
    const told = await fillShelf(job, shelf, notes, scratch.runs);
    const end = endOf(told, shelf.done);
    return withIndex ? { ...end, files: await writeIndex(shelf, lines) } : end;
  } catch (error) {
    await shelf.cancel();
    throw error;
  } finally {
    await scratch.close();
  }
}

async function writeIndex(shelf: FolderShelf, lines: SortedLines) {
  await shelf.begin(INDEX_NAME);
  let block = '';
  for await (const line of lines.read()) {
    block += `${line}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    await shelf.write(Buffer.from(block));
    block = '';
  }
  await shelf.write(Buffer.from(block));
  await shelf.end();
  return shelf.done;
}
