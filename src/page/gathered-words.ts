/**
 * Ranges of the gathered words as strings: the title, the whole, and the texts of all links as
 * one string with a line for each, which costs one decoding instead of one per link.
 */
import { isAscii } from 'node:buffer';
import { SPACE } from './bytes.ts';

const NEWLINE = 0x0a;
/** One scan at a time uses it, as with TextBuffer. */
let lines = Buffer.allocUnsafe(1 << 16);

export class GatheredWords {
  readonly #bytes: Buffer;
  #linesEnd = 0;
  #count = 0;
  readonly #charsMax: number;

  constructor(bytes: Buffer, links: number, charsMax: number) {
    this.#bytes = bytes;
    this.#charsMax = charsMax;
    const room = bytes.length + links;
    if (lines.length < room) lines = Buffer.allocUnsafe(2 * room);
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
    const bytes = this.#bytes;
    if (this.#count++ > 0) lines[this.#linesEnd++] = NEWLINE;
    const end = Math.min(to, bytes.length);
    let at = this.#start(from, end);
    if (end - at > this.#charsMax) {
      this.#linesEnd += lines.write(this.cut(at, end, this.#charsMax), this.#linesEnd, 'utf8');
      return;
    }
    let out = this.#linesEnd;
    while (at < end) lines[out++] = bytes[at++] as number;
    this.#linesEnd = out;
  }

  lines(): string {
    return textOf(lines, 0, this.#linesEnd);
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
