/**
 * Compact bytes for rows: varints, raw bytes and text behind its length.
 *
 * One writer owns one growing buffer and is reused for every row; `take()` copies the row
 * out, so a row can be kept while the writer goes on. Numbers are whole and below 2^53.
 */
import { assert } from './assert.ts';

const FIRST_BUFFER_BYTES = 4096;
/** Shorter texts are written letter by letter: that costs less than to call out of JavaScript. */
const SHORT_TEXT = 96;
/** Of the last byte but one: what was sent by others may go on and on. */
const VARINT_SCALE_MAX = 2 ** 42;

export class ByteWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  #at = 0;

  byte(value: number): this {
    this.#room(1);
    this.#buffer[this.#at++] = value;
    return this;
  }

  varint(value: number): this {
    const fits = value >= 0 && value <= Number.MAX_SAFE_INTEGER;
    if (!fits) this.#at = 0; // The next row must not start with the rest of this one.
    assert(fits, 'a varint is whole, 0 to 2^53 - 1');
    this.#room(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.#buffer[this.#at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.#buffer[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#at++] = rest;
    return this;
  }

  float(value: number): this {
    this.#room(8);
    this.#at = this.#buffer.writeDoubleBE(value, this.#at);
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }

  /** The bytes from an index on, which are few. */
  from(bytes: Uint8Array, start: number): this {
    this.#room(bytes.length);
    for (let i = start; i < bytes.length; i++) this.#buffer[this.#at++] = bytes[i] as number;
    return this;
  }

  bytes(bytes: Uint8Array): this {
    return this.varint(bytes.length).raw(bytes);
  }

  text(text: string): this {
    return text.length < SHORT_TEXT && this.#shortText(text) ? this : this.#longText(text);
  }

  /** False, and nothing is written, when a letter of it is not ASCII. */
  #shortText(text: string): boolean {
    const { length } = text;
    this.#room(length + 1);
    const buffer = this.#buffer;
    const start = this.#at + 1;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return false;
      buffer[start + i] = code;
    }
    buffer[this.#at] = length;
    this.#at = start + length;
    return true;
  }

  #longText(text: string): this {
    const length = Buffer.byteLength(text);
    this.varint(length);
    this.#room(length);
    this.#at += this.#buffer.write(
      text,
      this.#at,
      length,
      length === text.length ? 'latin1' : 'utf8',
    );
    return this;
  }

  take(): Buffer {
    const row = Buffer.from(this.#buffer.subarray(0, this.#at));
    this.#at = 0;
    return row;
  }

  /** The row as a string, a letter for each byte. */
  takeLatin1(): string {
    const row = this.#buffer.toString('latin1', 0, this.#at);
    this.#at = 0;
    return row;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** Reads what a `ByteWriter` wrote; throws `RangeError` at the end of a damaged row. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = at;
  }

  get done(): boolean {
    return this.#at >= this.#buffer.length;
  }

  byte(): number {
    if (this.done) throw new RangeError('row ends early');
    return this.#buffer[this.#at++] as number;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (scale > VARINT_SCALE_MAX) throw new RangeError('row with a number of too many bytes');
    }
  }

  float(): number {
    const value = this.#buffer.readDoubleBE(this.#at);
    this.#at += 8;
    return value;
  }

  raw(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#buffer.length) throw new RangeError('row ends early');
    const bytes = this.#buffer.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** The next bytes, which are few, into another array. */
  copyTo(target: Uint8Array, at: number, count: number): void {
    if (this.#at + count > this.#buffer.length) throw new RangeError('row ends early');
    for (let i = 0; i < count; i++) target[at + i] = this.#buffer[this.#at++] as number;
  }

  rest(): Buffer {
    return this.raw(this.#buffer.length - this.#at);
  }

  bytes(): Buffer {
    return this.raw(this.varint());
  }

  text(): string {
    const length = this.varint();
    const start = this.#at;
    if (start + length > this.#buffer.length) throw new RangeError('row ends early');
    this.#at = start + length;
    return this.#buffer.toString('utf8', start, this.#at);
  }
}
