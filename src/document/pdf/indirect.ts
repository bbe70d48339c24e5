/**
 * One numbered object as it stands in the file: `12 0 obj … endobj`, with its stream if it has one.
 *
 * A stream's length is believed when `endstream` follows it; else the next `endstream` ends it, and
 * in a file that was cut the end of the file does.
 */
import { Lexer } from './lexer.ts';
import { isDict, Keyword, Ref, Stream, type Value } from './objects.ts';
import { readValue } from './parse.ts';

export interface Indirect {
  readonly num: number;
  readonly gen: number;
  readonly value: Value;
  readonly end: number;
}

/** Undefined when no object begins there. */
export function readIndirect(
  bytes: Uint8Array,
  at: number,
  lengthOf: (ref: Ref) => number | undefined = () => undefined,
): Indirect | undefined {
  if (at < 0 || at >= bytes.length) return undefined;
  const lexer = new Lexer(bytes, at);
  const [num, gen, obj] = [lexer.next(), lexer.next(), lexer.next()];
  if (typeof num !== 'number' || typeof gen !== 'number') return undefined;
  if (!(obj instanceof Keyword) || !obj.word.startsWith('obj')) return undefined;
  // `obj` and what follows may stand without a space between them.
  if (obj.word !== 'obj') lexer.at -= obj.word.length - 3;
  const value = readValue(lexer, true);
  if (value === undefined || value instanceof Keyword)
    return { num, gen, value: null, end: lexer.at };
  if (!isDict(value)) return { num, gen, value, end: lexer.at };
  const from = streamStart(lexer);
  if (from === undefined) return { num, gen, value, end: lexer.at };
  const length = value.get('Length');
  const said = length instanceof Ref ? lengthOf(length) : length;
  const end = streamEnd(bytes, from, typeof said === 'number' ? said : -1);
  return { num, gen, value: new Stream(value, bytes.subarray(from, end)), end };
}

function streamStart(lexer: Lexer): number | undefined {
  const { at, bytes } = lexer;
  lexer.skipSpace();
  const isStream = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + lexer.at,
    Math.min(6, bytes.length - lexer.at),
  );
  if (isStream.toString('latin1') !== 'stream') {
    lexer.at = at;
    return undefined;
  }
  let from = lexer.at + 6;
  if (bytes[from] === 13) from++;
  if (bytes[from] === 10) from++;
  return from;
}

function streamEnd(bytes: Uint8Array, from: number, length: number): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = from + length;
  if (length >= 0 && end <= bytes.length) {
    const after = view.toString('latin1', end, end + 20);
    if (/^\s{0,4}endstream/.test(after)) return end;
  }
  const found = view.indexOf('endstream', from, 'latin1');
  const other = found < 0 ? view.indexOf('endobj', from, 'latin1') : found;
  let stop = other < 0 ? bytes.length : other;
  if (other >= 0 && bytes[stop - 1] === 10) stop--;
  if (other >= 0 && bytes[stop - 1] === 13) stop--;
  return Math.max(from, stop);
}
