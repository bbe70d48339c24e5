import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { GrowingFile } from './disk.ts';
import { FailingDisk, scratchFolder } from './scratch.testkit.ts';
import { type SegmentOptions, Segments } from './segments.ts';

async function open(options: Partial<SegmentOptions> = {}): Promise<Segments> {
  const folder = options.folder ?? (await scratchFolder());
  return Segments.open({ folder, prefix: 's-', suffix: '.x', bytesMax: 100, ...options });
}

async function append(segments: Segments, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const { file, at } = await segments.append(bytes.length, () => [bytes]);
  return `${file}:${at}`;
}

async function contentOf(segments: Segments, file: number): Promise<string> {
  return readFile(segments.pathOf(file), 'utf8');
}

it('segments: a batch that would pass the limit: goes into the next file, undivided', async () => {
  const segments = await open({ bytesMax: 10 });
  assert.equal(await append(segments, 'abcdef'), '1:0');
  assert.equal(await append(segments, 'ghij'), '1:6');
  assert.equal(await append(segments, 'k'), '2:0');
  assert.equal(await append(segments, 'longer than any file'), '3:0');
  assert.equal(await append(segments, 'z'), '4:0');
  assert.deepEqual(segments.files, [1, 2, 3, 4]);
  assert.equal(await contentOf(segments, 3), 'longer than any file');
  await segments.close();
});

it('segments: many appends at once: one after the other, in the order of asking', async () => {
  const segments = await open();
  const words = Array.from({ length: 20 }, (_, i) => `<${i}>`);
  await Promise.all(words.map((word) => append(segments, word)));
  assert.equal(await contentOf(segments, 1), words.join(''));
  await segments.close();
});

it('segments: opened again: goes on where the newest file ends', async () => {
  const folder = await scratchFolder();
  const first = await open({ folder, bytesMax: 5 });
  await append(first, 'abcde');
  await append(first, 'fg');
  await first.close();
  await writeFile(join(folder, 's-x.x'), 'not one of ours');
  await mkdir(join(folder, 'other'));
  const again = await open({ folder, bytesMax: 5 });
  assert.equal(await append(again, 'hij'), '2:2');
  assert.equal(await append(again, 'k'), '3:0');
  await again.close();
});

it('segments: a full disk in the middle of a batch: cut back, then the next batch fits', async () => {
  const disk = new FailingDisk();
  const segments = await open({ openToWrite: disk.openToWrite });
  await append(segments, 'whole');
  disk.left = 3;
  await assert.rejects(append(segments, 'too long'), { code: 'E_DISK_FULL' });
  assert.equal(await contentOf(segments, 1), 'whole');
  disk.left = 50;
  assert.equal(await append(segments, 'fits'), '1:5');
  assert.equal(await contentOf(segments, 1), 'wholefits');
  await segments.close();
});

it('segments: a disk too full even to cut back: cut before the next write', async () => {
  const disk = new FailingDisk();
  const segments = await open({ openToWrite: disk.openToWrite });
  await append(segments, 'whole');
  disk.left = 6;
  disk.isStuck = true;
  await assert.rejects(append(segments, 'too long'), { code: 'E_DISK_FULL' });
  assert.equal(await contentOf(segments, 1), 'wholetoo lo');
  assert.deepEqual(segments.end, { file: 1, at: 5 });
  disk.left = 50;
  await assert.rejects(append(segments, 'ok'), { code: 'E_DISK_FULL' }, 'still not cut');
  disk.isStuck = false;
  assert.equal(await append(segments, 'ok'), '1:5');
  assert.equal(await contentOf(segments, 1), 'wholeok');
  await segments.close();
});

it('segments: writes that come out short: the rest follows', async () => {
  const folder = await scratchFolder();
  let content = '';
  const openToWrite = async (): Promise<GrowingFile> => ({
    writev: async (buffers, at) => {
      const some = Buffer.concat(buffers).subarray(0, 3).toString();
      content = content.slice(0, at) + some;
      return { bytesWritten: some.length };
    },
    truncate: async () => {},
    datasync: async () => {},
    close: async () => {},
  });
  const segments = await open({ folder, openToWrite });
  const parts = ['ab', '', 'cdefg', 'h', 'ijklmnop'].map((part) => Buffer.from(part));
  await segments.append(16, () => parts);
  assert.equal(content, 'abcdefghijklmnop');
  await segments.close();
});

for (const [code, told] of [
  ['ENOSPC', 'E_DISK_FULL'],
  ['EDQUOT', 'E_DISK_FULL'],
  ['EROFS', 'E_DISK_READONLY'],
  ['EACCES', 'E_DISK_READONLY'],
  ['EPERM', 'E_DISK_READONLY'],
  ['EIO', 'E_STORE_DOWN'],
]) {
  it(`segments: ${code} from the disk: ${told}, with the file, the cause and what to do`, async () => {
    const disk = new FailingDisk();
    Object.assign(disk, { code, left: 0 });
    const segments = await open({ openToWrite: disk.openToWrite });
    await assert.rejects(append(segments, 'x'), (error: Error & { hint: string }) => {
      assert.equal((error as NodeJS.ErrnoException).code, told);
      assert.match(error.message, /s-000001\.x/);
      assert.ok(error.hint.length > 20);
      assert.equal((error.cause as NodeJS.ErrnoException).code, code);
      return true;
    });
    await segments.close();
  });
}

it('segments: a device that is really full: E_DISK_FULL', async (t) => {
  const folder = await scratchFolder();
  if (process.platform !== 'linux') return t.skip('only Linux has /dev/full');
  await symlink('/dev/full', join(folder, 's-000001.x'));
  const segments = await open({ folder });
  await assert.rejects(append(segments, 'x'), { code: 'E_DISK_FULL' });
  await segments.close();
});

it('segments: a folder that this user may not write: E_DISK_READONLY, and it can be read', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write anywhere');
  const folder = await scratchFolder();
  const before = await open({ folder });
  await append(before, 'text');
  await before.close();
  await chmod(join(folder, 's-000001.x'), 0o444);
  await chmod(folder, 0o555);
  const segments = await open({ folder });
  assert.equal(String(await segments.read({ file: 1, at: 0 }, 4)), 'text');
  await assert.rejects(append(segments, 'x'), { code: 'E_DISK_READONLY' });
  await segments.close();
  await chmod(folder, 0o755);
});

it('segments: a file where the folder should be: an error that names it', async () => {
  const folder = join(await scratchFolder(), 'taken');
  await writeFile(folder, 'a file');
  await assert.rejects(open({ folder }), { code: 'E_STORE_DOWN', message: /taken/ });
});

it('segments: sync: every file written since the last one, rolled ones too, once', async () => {
  const synced: string[] = [];
  const openToWrite = async (path: string): Promise<GrowingFile> => ({
    writev: async (buffers) => ({ bytesWritten: Buffer.concat(buffers).length }),
    truncate: async () => {},
    datasync: async () => void synced.push(path.slice(-8)),
    close: async () => {},
  });
  const segments = await open({ openToWrite, bytesMax: 3 });
  for (const text of ['abc', 'def', 'g']) await append(segments, text);
  assert.deepEqual(await segments.sync(), { file: 3, at: 1 });
  assert.deepEqual(synced.sort(), ['000001.x', '000002.x', '000003.x']);
  await segments.sync();
  assert.equal(synced.length, 3, 'nothing was written since');
  await append(segments, 'h');
  await segments.sync();
  assert.deepEqual(synced.slice(3), ['000003.x']);
  await segments.close();
});

it('segments: more files read at once than are held open: each gives its own bytes', async () => {
  const segments = await open({ bytesMax: 1 });
  const words = Array.from({ length: 60 }, (_, i) => `word ${i}`);
  for (const word of words) await append(segments, word);
  for (let round = 0; round < 3; round++) {
    const reads = words.map((word, i) => segments.read({ file: i + 1, at: 0 }, word.length));
    assert.deepEqual((await Promise.all(reads)).map(String), words);
  }
  await segments.close();
});

it('segments: a read behind the end of a file: damaged, with file and place', async () => {
  const segments = await open();
  await append(segments, 'short');
  await assert.rejects(segments.read({ file: 1, at: 2 }, 9), {
    code: 'E_STORE_DAMAGED',
    message: /s-000001\.x is damaged at byte 2: it ends after 5 bytes/,
  });
  await segments.close();
});

it('segments: closed while appends wait: they are written; what comes later is refused', async () => {
  const segments = await open();
  const early = append(segments, 'early');
  const closed = segments.close();
  assert.equal(await early, '1:0');
  await closed;
  await assert.rejects(append(segments, 'late'), /after close/);
  assert.equal(await contentOf(segments, 1), 'early');
});
