/**
 * CMaps: from the codes of a font's strings to texts (ToUnicode) or to glyph numbers (Encoding).
 *
 *   <0003> <0020>            a code and its text
 *   <0010> <001F> <0041>     a range, counting up
 *   <0000> <FFFF>            codes are two bytes long
 */
import { decode } from '../../page/index.ts';
import { Lexer } from './lexer.ts';
import { Keyword } from './objects.ts';
import { readValue } from './parse.ts';

/** All ranges of a CMap together. */
const CODES_MAX = 200_000;

export interface CMap {
  readonly texts: ReadonlyMap<number, string>;
  readonly cids: ReadonlyMap<number, number>;
  /** Lengths of codes by their first byte; 0 when the CMap does not say. */
  readonly lengths: Uint8Array;
}

export function parseCMap(bytes: Uint8Array): CMap {
  const texts = new Map<number, string>();
  const cids = new Map<number, number>();
  const lengths = new Uint8Array(256);
  const lexer = new Lexer(bytes);
  let items: unknown[] = [];
  for (;;) {
    const value = readValue(lexer, false);
    if (value === undefined) break;
    if (!(value instanceof Keyword)) {
      if (items.length < CODES_MAX) items.push(value);
      continue;
    }
    takeItems(value.word, items, texts, cids, lengths);
    items = [];
  }
  return { texts, cids, lengths };
}

function takeItems(
  word: string,
  items: readonly unknown[],
  texts: Map<number, string>,
  cids: Map<number, number>,
  lengths: Uint8Array,
): void {
  if (word === 'endcodespacerange') {
    for (const [low, high] of groups(items, 2)) takeSpace(low, high, lengths);
  } else if (word === 'endbfchar') {
    for (const [code, text] of groups(items, 2)) {
      if (code instanceof Uint8Array && text instanceof Uint8Array)
        texts.set(codeOf(code), utf16(text));
    }
  } else if (word === 'endbfrange') {
    for (const [low, high, text] of groups(items, 3)) takeTexts(low, high, text, texts);
  } else if (word === 'endcidrange') {
    for (const [low, high, cid] of groups(items, 3)) takeCids(low, high, cid, cids);
  } else if (word === 'endcidchar') {
    for (const [code, cid] of groups(items, 2)) takeCids(code, code, cid, cids);
  }
}

function* groups(items: readonly unknown[], size: number): Iterable<readonly unknown[]> {
  // A count stands in front of `begin…` and was taken by that word already.
  for (let i = 0; i + size <= items.length; i += size) yield items.slice(i, i + size);
}

function takeSpace(low: unknown, high: unknown, lengths: Uint8Array): void {
  if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array)) return;
  for (let first = low[0] ?? 0; first <= (high[0] ?? 0); first++) lengths[first] = low.length;
}

function takeTexts(low: unknown, high: unknown, text: unknown, texts: Map<number, string>): void {
  if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array)) return;
  const [from, to] = [codeOf(low), codeOf(high)];
  for (let code = from; code <= to && texts.size < CODES_MAX; code++) {
    const one = Array.isArray(text) ? text[code - from] : text;
    if (!(one instanceof Uint8Array)) return;
    texts.set(code, Array.isArray(text) ? utf16(one) : utf16(counted(one, code - from)));
  }
}

/** The last character goes up, by carrying into the byte before. */
function counted(bytes: Uint8Array, by: number): Uint8Array {
  const out = Uint8Array.from(bytes);
  let rest = by;
  for (let i = out.length - 1; i >= 0 && rest > 0; i--) {
    const sum = (out[i] as number) + rest;
    out[i] = sum & 255;
    rest = sum >> 8;
  }
  return out;
}

function takeCids(low: unknown, high: unknown, cid: unknown, cids: Map<number, number>): void {
  if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array) || typeof cid !== 'number')
    return;
  const [from, to] = [codeOf(low), codeOf(high)];
  for (let code = from; code <= to && cids.size < CODES_MAX; code++)
    cids.set(code, cid + code - from);
}

export function codeOf(bytes: Uint8Array): number {
  let code = 0;
  for (let i = 0; i < bytes.length && i < 4; i++) code = 256 * code + (bytes[i] as number);
  return code;
}

function utf16(bytes: Uint8Array): string {
  return bytes.length === 1 ? String.fromCharCode(bytes[0] as number) : decode(bytes, 'UTF-16BE');
}
