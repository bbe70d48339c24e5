/**
 * Room to put a block together, used again for the next one: half a megabyte of fresh memory
 * for every few pages is what makes the garbage collector mark the whole heap.
 */
export class Scratch {
  readonly #bytes: number;
  readonly #free: Buffer[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** A buffer of at least so many bytes, until it is given back. */
  take(bytes: number): Buffer {
    if (bytes > this.#bytes) return Buffer.allocUnsafeSlow(bytes);
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  give(buffer: Buffer): void {
    if (buffer.length === this.#bytes && this.#free.length < FREE_MAX) this.#free.push(buffer);
  }
}

/** Blocks that are compressed at once, and a few more. */
const FREE_MAX = 8;
