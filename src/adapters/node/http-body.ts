/**
 * Collects a body without copying it more often than needed.
 *
 * A page that arrives in one piece is kept as it came. Otherwise the pieces are copied into one
 * growing buffer: a list of pieces would let a server that sends one byte per chunk
 * make us hold a hundred times the body in small objects.
 */
const EMPTY = new Uint8Array(0);
const FIRST_BYTES = 64 * 1024;
/** An announced length is believed up to here; beyond, memory grows with what really arrives. */
const TRUSTED_BYTES = 1024 * 1024;

export class BodyCollector {
  length = 0;
  #only: Uint8Array | undefined;
  #grown: Buffer | undefined;

  /** `announced` is the Content-Length, or 0 when there is none. */
  add(chunk: Uint8Array, announced: number): void {
    if (this.length === 0) this.#only = chunk;
    else {
      if (this.#grown === undefined) this.#start(chunk.length, announced);
      this.#makeRoom(chunk.length);
      (this.#grown as Buffer).set(chunk, this.length);
    }
    this.length += chunk.length;
  }

  take(): Uint8Array {
    const { length } = this;
    const body =
      this.#grown === undefined ? (this.#only ?? EMPTY) : this.#grown.subarray(0, length);
    this.#only = undefined;
    this.#grown = undefined;
    return body;
  }

  #start(chunkLength: number, announced: number): void {
    const known = Math.min(announced, TRUSTED_BYTES);
    const size = Math.max(known, this.length + chunkLength, known === 0 ? FIRST_BYTES : 0);
    this.#grown = Buffer.allocUnsafeSlow(size);
    this.#grown.set(this.#only as Uint8Array);
    this.#only = undefined;
  }

  #makeRoom(wanted: number): void {
    const full = this.#grown as Buffer;
    if (this.length + wanted <= full.length) return;
    this.#grown = Buffer.allocUnsafeSlow(Math.max(full.length * 2, this.length + wanted));
    this.#grown.set(full.subarray(0, this.length));
  }
}
