/**
 * The tokens of a PDF: of the file, and of the content streams in it.
 *
 * Forgiving: a number with two points ends at the second, a string without its end goes to the
 * end of the bytes, an unknown word is a keyword. Every call moves forward.
 */
import { Keyword, Name } from './objects.ts';

export type Token = number | Uint8Array | Name | Keyword;

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((char) => char.charCodeAt(0)));
/** 0 a letter of a word, 1 white space, 2 a delimiter. */
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) =>
  WHITE.has(byte) ? 1 : DELIMITERS.has(byte) ? 2 : 0,
);
const WORD_BYTES_MAX = 256;
const ESCAPES: Readonly<Record<number, number>> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 };
const CLOSE_DICT = new Keyword('>>');
const OPEN_DICT = new Keyword('<<');

export class Lexer {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Undefined at the end. */
  next(): Token | undefined {
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte === undefined) return undefined;
    if (byte === 0x2f) return this.#name();
    if (byte === 0x28) return this.#string();
    if (byte === 0x3c)
      return this.bytes[this.at + 1] === 0x3c ? this.#mark(OPEN_DICT, 2) : this.#hex();
    if (byte === 0x3e && this.bytes[this.at + 1] === 0x3e) return this.#mark(CLOSE_DICT, 2);
    if (CLASS[byte] === 2) return this.#mark(new Keyword(String.fromCharCode(byte)), 1);
    const isNumeric =
      (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
    return isNumeric ? this.#number() : this.#word();
  }

  /** White space and comments. */
  skipSpace(): void {
    const { bytes } = this;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] as number;
      if (byte === 0x25) {
        while (this.at < bytes.length && bytes[this.at] !== 10 && bytes[this.at] !== 13) this.at++;
      } else if (CLASS[byte] !== 1) return;
    }
  }

  #mark(keyword: Keyword, length: number): Keyword {
    this.at += length;
    return keyword;
  }

  #wordEnd(from: number): number {
    let end = from;
    while (end < this.bytes.length && CLASS[this.bytes[end] as number] === 0) end++;
    return end;
  }

  #word(): Keyword {
    const from = this.at;
    this.at = this.#wordEnd(from);
    return new Keyword(latin1(this.bytes, from, Math.min(this.at, from + WORD_BYTES_MAX)));
  }

  #name(): Name {
    const from = this.at + 1;
    this.at = this.#wordEnd(from);
    const raw = latin1(this.bytes, from, Math.min(this.at, from + WORD_BYTES_MAX));
    if (!raw.includes('#')) return new Name(raw);
    return new Name(
      raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }

  #number(): number | Keyword {
    const from = this.at;
    const end = this.#wordEnd(from);
    const text = latin1(this.bytes, from, Math.min(end, from + WORD_BYTES_MAX));
    const match = /^[+-]*(?:\d+\.?\d*|\.\d+)/.exec(text);
    if (match === null) {
      this.at = end;
      return text === '-' || text === '.' ? 0 : new Keyword(text);
    }
    // `0.5-3` is two numbers to some writers, and `12Tf` a number and an operator to none.
    this.at = from + match[0].length;
    const digits = match[0].replace(/^[+-]+/, '');
    return (match[0].startsWith('-') ? -1 : 1) * Number(digits);
  }

  #string(): Uint8Array {
    const { bytes } = this;
    const out: number[] = [];
    let depth = 1;
    let at = this.at + 1;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === 0x5c) at = this.#escape(at + 1, out);
      else if (byte === 0x29 && --depth === 0) break;
      else {
        if (byte === 0x28) depth++;
        out.push(byte === 13 ? 10 : byte);
        if (byte === 13 && bytes[at + 1] === 10) at++;
      }
    }
    this.at = at + 1;
    return Uint8Array.from(out);
  }

  /** What follows a backslash; answers where its last byte is. */
  #escape(at: number, out: number[]): number {
    const byte = this.bytes[at];
    if (byte === undefined) return at;
    if (byte === 13) return this.bytes[at + 1] === 10 ? at + 1 : at;
    if (byte === 10) return at;
    if (byte < 0x30 || byte > 0x37) {
      out.push(ESCAPES[byte] ?? byte);
      return at;
    }
    let code = 0;
    let end = at;
    for (; end < at + 3; end++) {
      const digit = (this.bytes[end] ?? 0) - 0x30;
      if (digit < 0 || digit > 7) break;
      code = 8 * code + digit;
    }
    out.push(code & 255);
    return end - 1;
  }

  #hex(): Uint8Array {
    const close = this.bytes.indexOf(0x3e, this.at);
    const end = close < 0 ? this.bytes.length : close;
    const digits = latin1(this.bytes, this.at + 1, end).replace(/[^0-9a-fA-F]/g, '');
    this.at = end + 1;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  }
}

export function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.max(0, to - from)).toString(
    'latin1',
  );
}
