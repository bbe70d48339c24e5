/**
 * Ranges of the gathered words as strings: the title, the whole, and the texts of all links as
 * one string with a line for each, which costs one decoding instead of one per link.
 */
import { isAscii } from 'node:buffer';
import { SPACE } from './bytes.ts';
import { type Kernel, SPARE_BYTES } from './kernel.ts';

const NEWLINE = 0x0a;
export class GatheredWords {
  readonly #kernel: Kernel;
  readonly #bytes: Buffer;
  readonly #linesFrom: number;
  #linesEnd: number;
  readonly #charsMax: number;

  /** Lines are written behind the words, in the kernel's memory: scanner.ts left room for them. */
  constructor(kernel: Kernel, words: Buffer, charsMax: number) {
    this.#kernel = kernel;
    this.#bytes = words;
    this.#charsMax = charsMax;
    this.#linesFrom = this.#linesEnd = words.byteOffset + words.length + SPARE_BYTES;
  }

  whole(): string {
    return textOf(this.#bytes, 0, this.#bytes.length);
  }

  /** Between two offsets, without a space in front, at most that many characters. */
  cut(from: number, to: number, charsMax: number): string {
    const end = Math.min(to, this.#bytes.length);
    const start = this.#start(from, end);
    const stop = Math.min(end, start + 4 * charsMax);
    return start >= end ? '' : shorten(textOf(this.#bytes, start, stop), charsMax);
  }

  /** The text of the next link, on a line of its own. */
  addLine(from: number, to: number): void {
    const { bytes, exports } = this.#kernel;
    const base = this.#bytes.byteOffset;
    const end = Math.min(to, this.#bytes.length);
    const at = this.#start(from, end);
    if (end - at > this.#charsMax) {
      this.#linesEnd += bytes.write(this.cut(at, end, this.#charsMax), this.#linesEnd, 'utf8');
    } else if (end > at) {
      this.#linesEnd = exports.copyBytes(base + at, base + end, this.#linesEnd);
    }
    bytes[this.#linesEnd++] = NEWLINE;
  }

  lines(): string {
    const end = Math.max(this.#linesFrom, this.#linesEnd - 1);
    return textOf(this.#kernel.bytes, this.#linesFrom, end);
  }

  #start(from: number, end: number): number {
    let at = from;
    while (at < end && this.#bytes[at] === SPACE) at++;
    return at;
  }
}

function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString(isAscii(bytes.subarray(from, to)) ? 'latin1' : 'utf8', from, to);
}

function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const splits = (text.charCodeAt(charsMax - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splits ? charsMax - 1 : charsMax).trimEnd();
}
