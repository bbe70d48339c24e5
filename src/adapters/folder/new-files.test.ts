/** New files keep their promises on a disk, also on one that is full. */
import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { newFilesContract } from '../../ports/new-files.contract.ts';
import { FolderNewFiles, type OpenFile } from './new-files.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function place(openFile?: OpenFile) {
  const folder = await mkdtemp(join(tmpdir(), 'orbt-new-'));
  folders.push(folder);
  return {
    folder,
    files: new FolderNewFiles(folder, openFile),
    read: (path: string) => readFile(join(folder, path)).catch(() => undefined),
    names: () => readdir(folder),
  };
}

newFilesContract('folder', () => place());

/** A disk with room for so many bytes, which takes part of the last write. */
function diskOf(bytes: number): OpenFile {
  return async (path) => {
    const file = await open(path, 'w');
    return {
      async writev(buffers, at) {
        const fits = buffers.map((b) => b.subarray(0, Math.max(0, bytes - at)));
        if (at >= bytes) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        return file.writev(fits, at);
      },
      truncate: (size) => file.truncate(size),
      datasync: () => file.datasync(),
      close: () => file.close(),
    };
  };
}

test('folder new-files: promise 4: a disk that fills up is said, and leaves nothing', async () => {
  const { files, names } = await place(diskOf(10));
  const file = await files.create('big.warc.gz');
  await file.write(Buffer.alloc(8));
  await assert.rejects(file.write(Buffer.alloc(8)), (error) => {
    assert.ok(error instanceof CrawlError);
    assert.deepEqual([error.code, error.exitCode], ['E_DISK_FULL', 3]);
    assert.match(error.hint, /--out/);
    return true;
  });
  await file.cancel();
  assert.deepEqual(await names(), []);
});

test('folder new-files: what a crash left is written over', async () => {
  const { folder, files, read, names } = await place();
  await writeFile(join(folder, 'a.part'), 'left by a crash, and long');
  const file = await files.create('a');
  await file.write(Buffer.from('new'));
  await file.done();
  assert.equal(String(await read('a')), 'new');
  assert.deepEqual(await names(), ['a']);
});

test('folder new-files: a name that somebody takes meanwhile is not written over', async () => {
  const { folder, files, read, names } = await place();
  const file = await files.create('a');
  await writeFile(join(folder, 'a'), 'somebody');
  await assert.rejects(file.done(), { code: 'E_OUTPUT_EXISTS' });
  await file.cancel();
  assert.equal(String(await read('a')), 'somebody');
  assert.deepEqual(await names(), ['a']);
});

test('folder new-files: a folder in the way of a file is E_OUTPUT_EXISTS, too', async () => {
  const { files } = await place();
  await files.claimFolder('a');
  await assert.rejects(files.create('a'), { code: 'E_OUTPUT_EXISTS' });
});
