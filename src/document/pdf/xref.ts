/**
 * Where each object of a file is: cross-reference tables and streams, each with the ones before it
 * (`Prev`), newest first.
 *
 * A file that lies about its own places is common; whoever finds nothing there asks repair.ts.
 */

import { unfilter } from './filters.ts';
import { readIndirect } from './indirect.ts';
import { Lexer, latin1 } from './lexer.ts';
import { type Dict, isDict, Keyword, numberIn, Stream, type Value } from './objects.ts';
import { readValue } from './parse.ts';

/** In the file, or the nth object of an object stream. */
export type Place =
  | { readonly at: number; readonly gen: number }
  | { readonly inStream: number; readonly nth: number };

export interface Places {
  readonly objects: Map<number, Place>;
  readonly trailer: Map<string, Value>;
}

export const OBJECTS_MAX = 500_000;
const SECTIONS_MAX = 500;
const XREF_BYTES_MAX = 32 * 1024 * 1024;
const TAIL_BYTES = 2_048;

/** Undefined when there is nothing where the file says. */
export function findPlaces(bytes: Uint8Array): Places | undefined {
  const tail = latin1(bytes, Math.max(0, bytes.length - TAIL_BYTES), bytes.length);
  const start = /startxref\s+(\d{1,10})(?![\s\S]*startxref)/.exec(tail)?.[1];
  if (start === undefined) return undefined;
  const places: Places = { objects: new Map(), trailer: new Map() };
  const waiting = [Number(start)];
  const seen = new Set<number>();
  while (waiting.length > 0 && seen.size < SECTIONS_MAX) {
    const at = waiting.shift() as number;
    if (seen.has(at)) continue;
    seen.add(at);
    const dict = readSection(bytes, at, places);
    if (dict === undefined) return undefined;
    for (const [key, value] of dict) if (!places.trailer.has(key)) places.trailer.set(key, value);
    for (const key of ['XRefStm', 'Prev']) {
      const next = dict.get(key);
      if (typeof next === 'number') waiting.push(next);
    }
  }
  return places.trailer.has('Root') ? places : undefined;
}

function readSection(bytes: Uint8Array, at: number, places: Places): Dict | undefined {
  const lexer = new Lexer(bytes, at);
  const first = lexer.next();
  if (first instanceof Keyword && first.word === 'xref') return readTable(lexer, places);
  const object = typeof first === 'number' ? readIndirect(bytes, at) : undefined;
  return object?.value instanceof Stream ? readXrefStream(object.value, places) : undefined;
}

function readTable(lexer: Lexer, places: Places): Dict | undefined {
  for (;;) {
    const token = lexer.next();
    if (token instanceof Keyword && token.word === 'trailer') {
      const dict = readValue(lexer, true);
      return isDict(dict) ? dict : undefined;
    }
    const count = lexer.next();
    if (typeof token !== 'number' || typeof count !== 'number') return undefined;
    if (!readRows(lexer, token, count, places)) return undefined;
  }
}

function readRows(lexer: Lexer, start: number, count: number, { objects }: Places): boolean {
  let first = start;
  for (let i = 0; i < count && objects.size < OBJECTS_MAX; i++) {
    const from = lexer.at;
    const [at, gen, kind] = [lexer.next(), lexer.next(), lexer.next()];
    if (typeof at !== 'number' || typeof gen !== 'number' || !(kind instanceof Keyword)) {
      // Fewer rows than announced: what follows may be the trailer.
      lexer.at = from;
      return at instanceof Keyword && at.word === 'trailer';
    }
    // Object 0 is always free: a table that counts from 1 with it in front is off by one.
    if (i === 0 && kind.word === 'f' && gen === 65_535 && start === 1) first = 0;
    if (kind.word === 'n' && !objects.has(first + i)) objects.set(first + i, { at, gen });
  }
  return true;
}

function readXrefStream({ dict, raw }: Stream, { objects }: Places): Dict | undefined {
  const rows = unfilter(raw, dict, (value) => value ?? null, XREF_BYTES_MAX);
  const widths = dict.get('W');
  if (rows === undefined || !Array.isArray(widths)) return undefined;
  const [a = 0, b = 0, c = 0] = widths.map((width) => Math.min(8, Math.max(0, numberIn(width, 0))));
  const row = a + b + c;
  if (row === 0) return undefined;
  const index = dict.get('Index');
  const ranges = Array.isArray(index) ? index : [0, numberIn(dict.get('Size'), 0)];
  let at = 0;
  for (let r = 0; r + 1 < ranges.length; r += 2) {
    const first = numberIn(ranges[r], 0);
    const count = numberIn(ranges[r + 1], 0);
    for (
      let i = 0;
      i < count && at + row <= rows.length && objects.size < OBJECTS_MAX;
      i++, at += row
    ) {
      const type = a === 0 ? 1 : field(rows, at, a);
      const [x, y] = [field(rows, at + a, b), field(rows, at + a + b, c)];
      if (objects.has(first + i)) continue;
      if (type === 1) objects.set(first + i, { at: x, gen: y });
      else if (type === 2) objects.set(first + i, { inStream: x, nth: y });
    }
  }
  return dict;
}

function field(bytes: Uint8Array, from: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i++) value = 256 * value + (bytes[from + i] as number);
  return value;
}
