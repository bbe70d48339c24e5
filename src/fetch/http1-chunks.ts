/**
 * A chunked body (RFC 9112, 7.1), out of bytes that may arrive in any pieces.
 *
 *   size [space] [;extension] line-end  data  line-end   …   0 line-end  trailers  line-end
 *
 * Lenient: lines may end in LF alone, spaces may follow a size, extensions and trailers are read
 * over. A size that is no number, is beyond what a number holds, or data that its size does not
 * end, is broken: what came before stays.
 */
export interface BodyTaker {
  /** The bytes are the taker's only during the call: it copies what it keeps. */
  onBody(bytes: Buffer, from: number, to: number): void;
}

type Step = 'size' | 'size-end' | 'data' | 'data-end' | 'trailer' | 'done' | 'broken';

const LF = 0x0a;
const CR = 0x0d;

export class ChunkReader {
  readonly #lineBytesMax: number;
  #step: Step = 'size';
  /** Of the chunk at hand, yet to come. */
  #left = 0;
  #digits = 0;
  /** Bytes of the size line, or of all trailers, so far. */
  #lineBytes = 0;
  #isLineEmpty = true;

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax;
  }

  get isDone(): boolean {
    return this.#step === 'done';
  }

  get isBroken(): boolean {
    return this.#step === 'broken';
  }

  /** Returns the position after what was read: short of `to` only when done or broken. */
  read(bytes: Buffer, from: number, to: number, taker: BodyTaker): number {
    let at = from;
    while (at < to && this.#step !== 'done' && this.#step !== 'broken') {
      if (this.#step === 'data') {
        const end = Math.min(to, at + this.#left);
        taker.onBody(bytes, at, end);
        this.#left -= end - at;
        if (this.#left === 0) this.#step = 'data-end';
        at = end;
      } else this.#readByte(bytes[at++] as number);
    }
    return at;
  }

  #readByte(byte: number): void {
    if (this.#step === 'data-end') {
      if (byte === LF) this.#begin('size');
      else if (byte !== CR || this.#lineBytes++ > 0) this.#step = 'broken';
      return;
    }
    if (++this.#lineBytes > this.#lineBytesMax) this.#step = 'broken';
    else if (this.#step === 'size') this.#readSize(byte);
    else if (this.#step === 'size-end') this.#readSizeEnd(byte);
    else this.#readTrailer(byte);
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit === -1) {
      if (this.#digits === 0) this.#step = 'broken';
      else if (isAfterSize(byte)) {
        this.#step = 'size-end';
        this.#readSizeEnd(byte);
      } else this.#step = 'broken';
      return;
    }
    this.#digits++;
    this.#left = this.#left * 16 + digit;
    if (this.#left > Number.MAX_SAFE_INTEGER) this.#step = 'broken';
  }

  #readSizeEnd(byte: number): void {
    if (byte !== LF) return;
    if (this.#left === 0) this.#begin('trailer');
    else {
      this.#step = 'data';
      this.#lineBytes = 0;
    }
  }

  #readTrailer(byte: number): void {
    if (byte === LF) {
      if (this.#isLineEmpty) this.#step = 'done';
      this.#isLineEmpty = true;
    } else if (byte !== CR) this.#isLineEmpty = false;
  }

  #begin(step: 'size' | 'trailer'): void {
    this.#step = step;
    this.#left = 0;
    this.#digits = 0;
    this.#lineBytes = 0;
    this.#isLineEmpty = true;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Space, tab, the start of an extension, or a line end. */
function isAfterSize(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x3b || byte === CR || byte === LF;
}
