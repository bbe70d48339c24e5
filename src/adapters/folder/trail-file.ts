/**
 * The audit trail as a file, `audit.jsonl`: a line is there, and safe from a power cut, before
 * what it says is done.
 *
 * A process that dies while it writes leaves a part of a line, without its end. Nobody was told
 * that it was written, so the next line takes its place.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskError, syncFolder } from './disk.ts';
import { Turns } from './turns.ts';

const NEWLINE = 0x0a;

export class TrailFile {
  readonly #path: string;
  readonly #turns = new Turns();

  constructor(path: string) {
    this.#path = path;
  }

  async lines(): Promise<string[]> {
    const text = await this.#text();
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1);
  }

  append(line: string): Promise<void> {
    return this.#turns.take(() => this.#append(line));
  }

  async #append(line: string): Promise<void> {
    try {
      const file = await open(this.#path, 'a+');
      try {
        await cutTornLine(file);
        await file.appendFile(`${line}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }

  async #text(): Promise<string> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw diskError(error, this.#path);
    }
  }
}

async function cutTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] === NEWLINE) return;
  const bytes = await file.readFile();
  await file.truncate(bytes.lastIndexOf(NEWLINE) + 1);
}
