/**
 * Rows and vectors over run files (../ports/run-files.ts): many small things in few chunks.
 *
 *   rows      4 bytes of length, then the row; no row lies across two chunks
 *   vector    float64, one a host, in the order of the graph
 */
import { CrawlError } from '../base/errors.ts';
import type { RunFiles, RunWriter } from '../ports/run-files.ts';

const CHUNK_BYTES = 256 * 1024;
const LENGTH_BYTES = 4;
const FLOATS = CHUNK_BYTES / 8;

export class RowWriter {
  readonly #file: RunWriter;
  #rows: Buffer[] = [];
  #bytes = 0;

  private constructor(file: RunWriter) {
    this.#file = file;
  }

  static async open(files: RunFiles, name: string): Promise<RowWriter> {
    return new RowWriter(await files.write(name));
  }

  async add(row: Uint8Array): Promise<void> {
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt32LE(row.length);
    this.#rows.push(length, Buffer.from(row));
    this.#bytes += LENGTH_BYTES + row.length;
    if (this.#bytes >= CHUNK_BYTES) await this.#flush();
  }

  async done(): Promise<void> {
    await this.#flush();
    await this.#file.done();
  }

  cancel(): Promise<void> {
    return this.#file.cancel();
  }

  async #flush(): Promise<void> {
    if (this.#bytes === 0) return;
    await this.#file.add(Buffer.concat(this.#rows));
    this.#rows = [];
    this.#bytes = 0;
  }
}

/** The rows of a file; none when there is no such file. A row is valid until the next chunk. */
export async function* readRows(files: RunFiles, name: string): AsyncGenerator<Buffer> {
  for await (const chunk of (await files.read(name)) ?? []) {
    for (let at = 0; at < chunk.length; ) {
      const length = chunk.readUInt32LE(at);
      yield chunk.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
      at += LENGTH_BYTES + length;
    }
  }
}

export class VectorWriter {
  readonly #file: RunWriter;
  readonly #values = new Float64Array(FLOATS);
  #count = 0;

  private constructor(file: RunWriter) {
    this.#file = file;
  }

  static async open(files: RunFiles, name: string): Promise<VectorWriter> {
    return new VectorWriter(await files.write(name));
  }

  async add(value: number): Promise<void> {
    this.#values[this.#count++] = value;
    if (this.#count === FLOATS) await this.#flush();
  }

  async addAll(values: Float64Array): Promise<void> {
    for (let at = 0; at < values.length; ) {
      const part = values.subarray(at, at + FLOATS - this.#count);
      this.#values.set(part, this.#count);
      this.#count += part.length;
      at += part.length;
      if (this.#count === FLOATS) await this.#flush();
    }
  }

  async done(): Promise<void> {
    await this.#flush();
    await this.#file.done();
  }

  async #flush(): Promise<void> {
    if (this.#count === 0) return;
    await this.#file.add(new Uint8Array(this.#values.buffer, 0, 8 * this.#count));
    this.#count = 0;
  }
}

/** The parts of a vector, in order. */
export async function* readVector(files: RunFiles, name: string): AsyncGenerator<Float64Array> {
  for await (const chunk of (await files.read(name)) ?? []) {
    const bytes = Uint8Array.from(chunk);
    yield new Float64Array(bytes.buffer);
  }
}

/** One value after another, for joins. */
export async function* readValues(files: RunFiles, name: string): AsyncGenerator<number> {
  for await (const part of readVector(files, name)) yield* part;
}

/** The next of a sequence that must not end yet. */
export async function nextOf<T>(sequence: AsyncGenerator<T>): Promise<T> {
  const { value, done } = await sequence.next();
  if (!done) return value;
  const hint = 'run `orb rank` again: the files are made anew';
  throw new CrawlError('E_STORE_DAMAGED', 'the files of the host rating do not fit', hint);
}
