/**
 * Run files in a folder, each under its own name.
 *
 *   ┌──────┬─────────┐  ┌────────┬─────┬───────┐        ┌────────────┬───────────────┐
 *   │ ORBR │ version │  │ length │ crc │ bytes │ × n    │ 0xffffffff │ n (4 bytes)   │
 *   └──────┴─────────┘  └────────┴─────┴───────┘        └────────────┴───────────────┘
 *
 * A file is written beside its place and renamed when it is whole. It is not synced: a power cut
 * that takes a part of it is damage like any other, and the job makes the file again.
 */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { RUN_CHUNK_BYTES_MAX, type RunFiles, type RunWriter } from '../../ports/run-files.ts';
import { crc32 } from './crc.ts';
import { damaged, diskError, writeAll } from './disk.ts';

const MAGIC = Buffer.from('ORBR\0\0\0\x01', 'latin1');
const END = 0xffffffff;
const FRAME_BYTES = 8;
const NAME = /^[a-z0-9-]{1,40}$/;

export class FolderRunFiles implements RunFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(name: string): Promise<RunWriter> {
    const path = this.#pathOf(name);
    try {
      await mkdir(this.#folder, { recursive: true });
      const file = await open(`${path}.new`, 'w');
      await writeAll(file, [MAGIC], 0);
      return new FolderRunWriter(path, file);
    } catch (error) {
      throw diskError(error, path);
    }
  }

  async read(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const path = this.#pathOf(name);
    try {
      return chunksOf(path, await open(path, 'r'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw diskError(error, path);
    }
  }

  async drop(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  #pathOf(name: string): string {
    assert(NAME.test(name), 'the name of a run file is plain');
    return join(this.#folder, name);
  }
}

class FolderRunWriter implements RunWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  #at = MAGIC.length;
  #chunks = 0;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async add(chunk: Uint8Array): Promise<void> {
    assert(chunk.length > 0 && chunk.length <= RUN_CHUNK_BYTES_MAX, 'a chunk has a size');
    await this.#append(frame(chunk.length, crc32(chunk)), chunk);
    this.#chunks++;
  }

  async done(): Promise<void> {
    await this.#append(frame(END, this.#chunks));
    await this.#file.close();
    await rename(`${this.#path}.new`, this.#path).catch((error: unknown) => {
      throw diskError(error, this.#path);
    });
  }

  async cancel(): Promise<void> {
    await this.#file.close();
    await rm(`${this.#path}.new`, { force: true });
  }

  async #append(...buffers: readonly Uint8Array[]): Promise<void> {
    try {
      await writeAll(this.#file, buffers, this.#at);
    } catch (error) {
      throw diskError(error, this.#path);
    }
    for (const buffer of buffers) this.#at += buffer.length;
  }
}

async function* chunksOf(path: string, file: FileHandle): AsyncIterable<Buffer> {
  try {
    let at = MAGIC.length;
    const head = await readExactly(path, file, 0, MAGIC.length);
    if (!head.equals(MAGIC)) throw damaged(path, 0, 'it is no run file of this version');
    for (let chunks = 0; ; chunks++) {
      const found = await readExactly(path, file, at, FRAME_BYTES);
      const length = found.readUInt32LE(0);
      if (length === END) {
        if (found.readUInt32LE(4) !== chunks) throw damaged(path, at, 'chunks are missing');
        return;
      }
      if (length === 0 || length > RUN_CHUNK_BYTES_MAX) throw damaged(path, at, 'a length is off');
      const bytes = await readExactly(path, file, at + FRAME_BYTES, length);
      if (crc32(bytes) !== found.readUInt32LE(4)) throw damaged(path, at, 'the checksum differs');
      yield bytes;
      at += FRAME_BYTES + length;
    }
  } finally {
    await file.close();
  }
}

async function readExactly(path: string, file: FileHandle, at: number, bytes: number) {
  const buffer = Buffer.allocUnsafe(bytes);
  let got = 0;
  while (got < bytes) {
    const { bytesRead } = await file.read(buffer, got, bytes - got, at + got);
    if (bytesRead === 0) throw damaged(path, at + got, 'the file ends early');
    got += bytesRead;
  }
  return buffer;
}

function frame(length: number, check: number): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_BYTES);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(check, 4);
  return bytes;
}
