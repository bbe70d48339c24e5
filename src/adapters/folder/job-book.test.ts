import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { jobBookContract } from '../../ports/job-book.contract.ts';
import { FolderJobBook } from './job-book.ts';
import { scratchFolder } from './scratch.testkit.ts';

jobBookContract('folder', async () => {
  const folder = join(await scratchFolder(), 'jobs');
  return { book: new FolderJobBook(folder), reopen: async () => new FolderJobBook(folder) };
});

test('folder job-book: half a line at the end, and half a file beside its place, are not read', async () => {
  const folder = join(await scratchFolder(), 'jobs');
  const book = new FolderJobBook(folder);
  await book.addSeeds(1, ['https://example.com/']);
  await appendFile(join(folder, '1.seeds'), 'https://exam');
  await writeFile(join(folder, '1.json.new'), '{"id":');
  assert.deepEqual(await book.seeds(1), ['https://example.com/']);
  assert.deepEqual(await book.all(), []);
});

test('folder job-book: a file that is not JSON is told by its name', async () => {
  const folder = join(await scratchFolder(), 'jobs');
  const book = new FolderJobBook(folder);
  await book.addSeeds(1, ['https://example.com/']);
  await writeFile(join(folder, '1.json'), '{"id":');
  await assert.rejects(book.all(), { code: 'E_STORE_DAMAGED', message: /1\.json is damaged/ });
});
