/**
 * A socket as frames: four bytes of length, then so many bytes.
 *
 * A frame's buffer is made when its length is known and allowed, so whoever sends it byte by byte
 * costs no more than who sends it whole. While nobody wants a frame the socket is not read, and
 * what is left of the last read is kept: the other end waits, and nothing grows.
 */
import type { TLSSocket } from 'node:tls';

const LENGTH_BYTES = 4;

export class Line {
  readonly socket: TLSSocket;
  /** Resolves with the reason, once. */
  readonly closed: Promise<string>;
  #end: (reason: string) => void = () => {};
  #isOpen = true;
  #bytesMax: number;
  #want: ((frame: Uint8Array) => void) | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #into: Buffer = Buffer.alloc(LENGTH_BYTES);
  #filled = 0;
  #isLength = true;

  constructor(socket: TLSSocket, bytesMax: number) {
    this.socket = socket;
    this.#bytesMax = bytesMax;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
    socket.pause();
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', ({ message }) => this.close(message));
    socket.on('close', () => this.close('the other end closed'));
    socket.on('end', () => this.close('the other end closed'));
    // A listener of 'data' starts the flow; it starts when somebody wants a frame.
    socket.pause();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Who gets frames from now on; undefined: nobody, and the socket is not read. */
  want(want: ((frame: Uint8Array) => void) | undefined, bytesMax = this.#bytesMax): void {
    this.#want = want;
    this.#bytesMax = bytesMax;
    if (want === undefined) {
      this.socket.pause();
      return;
    }
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    this.#read(rest);
    if (this.#want !== undefined && this.#isOpen) this.socket.resume();
  }

  /** The next frame alone; undefined when the line ended before. */
  async one(): Promise<Uint8Array | undefined> {
    const frame = new Promise<Uint8Array>((resolve) => {
      this.want((bytes) => {
        this.want(undefined);
        resolve(bytes);
      });
    });
    return Promise.race([frame, this.closed.then(() => undefined)]);
  }

  send(kind: Uint8Array, bytes: Uint8Array): void {
    if (!this.#isOpen) return;
    const frame = Buffer.allocUnsafe(LENGTH_BYTES + kind.length + bytes.length);
    frame.writeUInt32BE(kind.length + bytes.length);
    frame.set(kind, LENGTH_BYTES);
    frame.set(bytes, LENGTH_BYTES + kind.length);
    this.socket.write(frame);
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  close(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#want = undefined;
    this.#rest = Buffer.alloc(0);
    this.#into = Buffer.alloc(0);
    this.socket.destroy();
    this.#end(reason);
  }

  /** What was sent goes out first; for last words. */
  closeAfterSending(reason: string): void {
    this.socket.end(() => this.close(reason));
  }

  #read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#isOpen) {
      if (this.#want === undefined) {
        this.#rest = Buffer.concat([this.#rest, chunk.subarray(at)]);
        return;
      }
      const taken = chunk.copy(this.#into, this.#filled, at);
      at += taken;
      this.#filled += taken;
      if (this.#filled === this.#into.length) this.#full(this.#want);
    }
  }

  #full(want: (frame: Uint8Array) => void): void {
    const full = this.#into;
    this.#filled = 0;
    if (!this.#isLength) {
      this.#isLength = true;
      this.#into = Buffer.alloc(LENGTH_BYTES);
      want(full);
      return;
    }
    const length = full.readUInt32BE();
    if (length === 0 || length > this.#bytesMax) {
      this.close(`a frame of ${length} bytes`);
      return;
    }
    this.#isLength = false;
    this.#into = Buffer.allocUnsafe(length);
  }
}
