import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { contents, fill, runFilesContract } from '../../ports/run-files.contract.ts';
import { FolderRunFiles } from './run-files.ts';
import { scratchFolder } from './scratch.testkit.ts';

runFilesContract('folder', async () => new FolderRunFiles(await scratchFolder()));

const CHUNKS = [Buffer.from('first chunk'), Buffer.from('second chunk')];

it('folder run-files: promise 3: any byte changed or cut off is damage, never an answer', async () => {
  const folder = await scratchFolder();
  const files = new FolderRunFiles(folder);
  await fill(files, 'a', CHUNKS);
  const whole = await readFile(join(folder, 'a'));
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] as number) ^ 0x55;
    for (const bytes of [changed, whole.subarray(0, at)]) {
      await writeFile(join(folder, 'a'), bytes);
      await assert.rejects(contents(files, 'a'), { code: 'E_STORE_DAMAGED' }, `byte ${at}`);
    }
  }
});

it('folder run-files: a job that died left a half-written file: the next write takes its place', async () => {
  const folder = await scratchFolder();
  await writeFile(join(folder, 'a.new'), 'half');
  const files = new FolderRunFiles(folder);
  await fill(files, 'a', CHUNKS);
  assert.deepEqual(await contents(files, 'a'), CHUNKS);
  assert.deepEqual(await readdir(folder), ['a']);
});

it('folder run-files: a reader that stops early leaves nothing open', async () => {
  const files = new FolderRunFiles(await scratchFolder());
  await fill(files, 'a', CHUNKS);
  for (let i = 0; i < 3_000; i++) {
    for await (const chunk of (await files.read('a')) ?? []) {
      assert.equal(chunk.length, 11);
      break;
    }
  }
});
