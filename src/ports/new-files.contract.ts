/** The promises of new files, for every adapter that makes them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CrawlError } from '../base/errors.ts';
import type { NewFiles } from './new-files.ts';

export interface NewFilesPlace {
  readonly files: NewFiles;
  /** The bytes under a name; undefined when there is nothing. */
  read(path: string): Promise<Buffer | undefined>;
  /** Every name that is there, temporary ones included. */
  names(): Promise<readonly string[]>;
}

export function newFilesContract(name: string, open: () => Promise<NewFilesPlace>): void {
  it(`${name} new-files: promise 1: a file is there when it is whole, not before`, async () => {
    const { files, read } = await open();
    const file = await files.create('a/b.bin');
    const piece = Buffer.from('0123456789');
    await file.write(piece);
    await file.write(piece.fill('x'));
    await file.patch(3, Buffer.from('ABC'));
    assert.equal(await read('a/b.bin'), undefined);
    await file.write(Buffer.from('end'));
    await file.done();
    await file.cancel();
    assert.equal(String(await read('a/b.bin')), '012ABC6789xxxxxxxxxxend');
  });

  it(`${name} new-files: promise 1: a file without bytes is there and empty`, async () => {
    const { files, read } = await open();
    await (await files.create('none')).done();
    assert.equal((await read('none'))?.length, 0);
  });

  it(`${name} new-files: promise 2: a name that is taken is refused, its file untouched`, async () => {
    const { files, read } = await open();
    const first = await files.create('a');
    await first.write(Buffer.from('first'));
    await first.done();
    await assert.rejects(files.create('a'), isTaken);
    assert.equal(String(await read('a')), 'first');
  });

  it(`${name} new-files: promise 2: a folder with something in it is refused`, async () => {
    const { files } = await open();
    await files.claimFolder('out');
    await files.claimFolder('out');
    const file = await files.create('out/a');
    await file.done();
    await assert.rejects(files.claimFolder('out'), isTaken);
    await files.remove('out/a');
    await files.claimFolder('out');
  });

  it(`${name} new-files: promise 3: what was given up leaves nothing`, async () => {
    const { files, names } = await open();
    const file = await files.create('a');
    await file.write(Buffer.from('half'));
    await file.cancel();
    assert.deepEqual(await names(), []);
    await (await files.create('a')).done();
    assert.deepEqual(await names(), ['a']);
  });

  it(`${name} new-files: promise 3: scratch files are gone when they are closed`, async () => {
    const { files, names } = await open();
    const scratch = await files.scratch('a.wacz');
    const run = await scratch.runs.write('one');
    await run.add(Buffer.from('x'));
    await run.done();
    for await (const chunk of (await scratch.runs.read('one')) ?? [])
      assert.equal(String(chunk), 'x');
    await scratch.close();
    assert.deepEqual(await names(), []);
  });
}

function isTaken(error: unknown): boolean {
  assert.ok(error instanceof CrawlError);
  assert.equal(error.code, 'E_OUTPUT_EXISTS');
  assert.match(error.hint, /--out/);
  return true;
}
