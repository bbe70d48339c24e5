/** Run files in memory: the reference, and those of simulations. */
import { assert } from '../../base/assert.ts';
import { RUN_CHUNK_BYTES_MAX, type RunFiles, type RunWriter } from '../../ports/run-files.ts';

export class MemoryRunFiles implements RunFiles {
  readonly #files = new Map<string, readonly Buffer[]>();

  async write(name: string): Promise<RunWriter> {
    const chunks: Buffer[] = [];
    return {
      add: async (chunk) => {
        assert(chunk.length > 0 && chunk.length <= RUN_CHUNK_BYTES_MAX, 'a chunk has a size');
        chunks.push(Buffer.from(chunk));
      },
      done: async () => {
        this.#files.set(name, chunks);
      },
      cancel: async () => {},
    };
  }

  async read(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const chunks = this.#files.get(name);
    return chunks && each(chunks);
  }

  async drop(name: string): Promise<void> {
    this.#files.delete(name);
  }
}

async function* each(chunks: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* chunks;
}
