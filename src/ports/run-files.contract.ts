/** The promises of run files, for every adapter that gives them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RUN_CHUNK_BYTES_MAX, type RunFiles } from './run-files.ts';

export function runFilesContract(name: string, open: () => Promise<RunFiles>): void {
  it(`${name} run-files: promise 1: chunks come back as they were added`, async () => {
    const files = await open();
    const chunks = Array.from({ length: 40 }, (_, i) => Buffer.alloc(1 + i * i * 7, i));
    await fill(files, 'a', chunks);
    assert.deepEqual(await contents(files, 'a'), chunks);
    assert.deepEqual(await contents(files, 'a'), chunks, 'a second time, too');
  });

  it(`${name} run-files: promise 1: a buffer is used again for the next chunk`, async () => {
    const files = await open();
    const writer = await files.write('a');
    const chunk = Buffer.alloc(8);
    for (let i = 0; i < 5; i++) await writer.add(chunk.fill(i));
    await writer.done();
    const expected = Array.from({ length: 5 }, (_, i) => Buffer.alloc(8, i));
    assert.deepEqual(await contents(files, 'a'), expected);
  });

  it(`${name} run-files: promise 1: a file without chunks is there and empty`, async () => {
    const files = await open();
    await fill(files, 'none', []);
    assert.deepEqual(await contents(files, 'none'), []);
  });

  it(`${name} run-files: promise 2: what was not finished is not there`, async () => {
    const files = await open();
    const first = await files.write('a');
    await first.add(Buffer.from('half'));
    assert.equal(await files.read('a'), undefined);
    await first.done();
    const second = await files.write('a');
    await second.add(Buffer.from('other'));
    assert.deepEqual(await contents(files, 'a'), [Buffer.from('half')]);
    await second.cancel();
    assert.deepEqual(await contents(files, 'a'), [Buffer.from('half')]);
  });

  it(`${name} run-files: a file replaces the one of its name, and is dropped by it`, async () => {
    const files = await open();
    await fill(files, 'a', [Buffer.from('one')]);
    await fill(files, 'a', [Buffer.from('two')]);
    assert.deepEqual(await contents(files, 'a'), [Buffer.from('two')]);
    await files.drop('a');
    await files.drop('a');
    assert.equal(await files.read('a'), undefined);
  });

  it(`${name} run-files: a chunk is neither empty nor larger than a reader can hold`, async () => {
    const files = await open();
    const writer = await files.write('a');
    await assert.rejects(writer.add(Buffer.alloc(0)));
    await assert.rejects(writer.add(Buffer.alloc(RUN_CHUNK_BYTES_MAX + 1)));
    await writer.cancel();
  });
}

export async function fill(files: RunFiles, name: string, chunks: readonly Buffer[]) {
  const writer = await files.write(name);
  for (const chunk of chunks) await writer.add(chunk);
  await writer.done();
}

export async function contents(files: RunFiles, name: string): Promise<Buffer[]> {
  const found: Buffer[] = [];
  const chunks = await files.read(name);
  assert.ok(chunks, `${name} is there`);
  for await (const chunk of chunks) found.push(Buffer.from(chunk));
  return found;
}
