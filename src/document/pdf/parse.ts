/**
 * Tokens become values: arrays, dictionaries, references. Depth is bounded; what is nested deeper
 * is read and forgotten.
 */
import { Lexer, type Token } from './lexer.ts';
import { type Dict, Keyword, Name, Ref, type Value } from './objects.ts';

const DEPTH_MAX = 64;
const ITEMS_MAX = 200_000;

/** A value, or the keyword that stands where one might. Undefined at the end. */
export function readValue(lexer: Lexer, hasRefs: boolean, depth = 0): Value | Keyword | undefined {
  const token = lexer.next();
  if (token instanceof Keyword) return compound(lexer, token, hasRefs, depth);
  if (hasRefs && typeof token === 'number' && Number.isInteger(token) && token >= 0) {
    return readRef(lexer, token);
  }
  return token;
}

function compound(
  lexer: Lexer,
  { word }: Keyword,
  hasRefs: boolean,
  depth: number,
): Value | Keyword {
  const isDeep = depth >= DEPTH_MAX && (word === '<<' || word === '[');
  if (isDeep) return skipDeep(lexer);
  if (word === '<<') return readDict(lexer, hasRefs, depth + 1);
  if (word === '[') return readArray(lexer, hasRefs, depth + 1);
  if (word === 'true') return true;
  if (word === 'false') return false;
  return word === 'null' ? null : new Keyword(word);
}

/** To the end of what has just begun, without going down into it. */
function skipDeep(lexer: Lexer): null {
  for (let open = 1; open > 0; ) {
    const token = lexer.next();
    if (token === undefined) return null;
    if (!(token instanceof Keyword)) continue;
    if (token.word === '<<' || token.word === '[') open++;
    else if (token.word === '>>' || token.word === ']') open--;
    else if (ENDS.has(token.word)) return null;
  }
  return null;
}

/** `12 0 R`, or only the number. */
function readRef(lexer: Lexer, num: number): number | Ref {
  const { at, bytes } = lexer;
  // Most numbers are followed by something else than a number: the first byte tells.
  lexer.skipSpace();
  const byte = bytes[lexer.at] ?? 0;
  if (byte < 0x30 || byte > 0x39) {
    lexer.at = at;
    return num;
  }
  const gen = lexer.next();
  if (typeof gen === 'number' && Number.isInteger(gen)) {
    const end: Token | undefined = lexer.next();
    if (end instanceof Keyword && end.word === 'R') return new Ref(num, gen);
  }
  lexer.at = at;
  return num;
}

function readArray(lexer: Lexer, hasRefs: boolean, depth: number): Value[] {
  const items: Value[] = [];
  for (;;) {
    const item = readValue(lexer, hasRefs, depth);
    if (item === undefined || (item instanceof Keyword && ENDS.has(item.word))) return items;
    if (items.length < ITEMS_MAX && !(item instanceof Keyword)) items.push(item);
  }
}

function readDict(lexer: Lexer, hasRefs: boolean, depth: number): Dict {
  const dict = new Map<string, Value>();
  for (;;) {
    const key = lexer.next();
    if (key === undefined || (key instanceof Keyword && ENDS.has(key.word))) return dict;
    if (!(key instanceof Name)) continue;
    const { at } = lexer;
    const value = readValue(lexer, hasRefs, depth);
    if (value === undefined) return dict;
    if (value instanceof Keyword) lexer.at = at + (ENDS.has(value.word) ? 0 : lexer.at - at);
    else if (dict.size < ITEMS_MAX) dict.set(key.name, value);
  }
}

/** Also what can only stand after an array or dictionary that was never closed. */
const ENDS = new Set([']', '>>', 'endobj', 'stream', 'endstream', 'obj']);

export function parseAt(bytes: Uint8Array, at: number): Value | undefined {
  const value = readValue(new Lexer(bytes, at), true);
  return value instanceof Keyword ? undefined : value;
}
