/**
 * Any body as UTF-8 bytes, so that the scanner knows one encoding only.
 *
 * Most bodies are UTF-8 or plain ASCII and are not copied: the scanner decodes the few slices
 * that it keeps. The rest is decoded once and written again as UTF-8.
 *
 * windows-1252 has a table of its own: `TextDecoder` of Node 20 takes it for ISO-8859-1. So has
 * EUC-KR (euc-kr.ts).
 */
import { isAscii } from 'node:buffer';
import { decodeEucKr } from './euc-kr.ts';

/** Unlike all others, in these a byte below 0x80 need not be the ASCII character. */
const NOT_ASCII_COMPATIBLE = new Set(['UTF-16LE', 'UTF-16BE', 'ISO-2022-JP', 'replacement']);

/** 0x80–0x9F; everything else of windows-1252 is its own code point. */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

export interface Utf8Body {
  readonly bytes: Buffer;
  /** No byte above 0x7F: every slice is its own text. */
  readonly ascii: boolean;
}

export function toUtf8(body: Uint8Array, charset: string): Utf8Body {
  if (NOT_ASCII_COMPATIBLE.has(charset)) return encoded(decode(body, charset));
  if (isAscii(body)) return { bytes: view(body), ascii: true };
  if (charset !== 'UTF-8') return encoded(decode(body, charset));
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return { bytes: view(marked ? body.subarray(3) : body), ascii: false };
}

/** The whole body as a string; an encoding that this Node lacks is read as windows-1252. */
export function decode(body: Uint8Array, charset: string): string {
  if (charset === 'windows-1252') return decodeWindows1252(body);
  if (charset === 'replacement') return body.length === 0 ? '' : '\ufffd';
  if (charset === 'x-user-defined') return decodeUserDefined(body);
  if (charset === 'EUC-KR') return decodeEucKr(body);
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return decodeWindows1252(body);
  }
}

function decodeWindows1252(body: Uint8Array): string {
  const text = view(body).toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80] ?? c);
}

function decodeUserDefined(body: Uint8Array): string {
  const text = view(body).toString('latin1');
  return text.replace(/[\x80-\xff]/g, (c) => String.fromCharCode(0xf700 + c.charCodeAt(0)));
}

function encoded(text: string): Utf8Body {
  const bytes = Buffer.from(text, 'utf8');
  return { bytes, ascii: bytes.length === text.length && isAscii(bytes) };
}

function view(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
