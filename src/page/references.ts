/**
 * Character references: `&amp;`, `&#38;`, `&#x26;`.
 *
 * In text an old name counts without its semicolon (`&copy2024`); in an attribute it doesn't
 * when a letter, a digit or `=` follows, or `?a=1&copy=2` would lose its parameter.
 */
import { namedReferences } from './entities.ts';

const NAME_LENGTH_MAX = 31;
const BARE_LENGTH_MAX = 6;
const BARE_LENGTH_MIN = 2;
const REPLACEMENT = '\ufffd';

/** What C1 numbers mean: windows-1252, with its five holes kept. */
const C1 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

export interface Reference {
  /** What it stands for. */
  text: string;
  /** Characters read, ampersand included; 0 when this ampersand is only an ampersand. */
  length: number;
}

/** Overwritten by each call of `readReference`: no object per reference. */
const found: Reference = { text: '', length: 0 };

/** The reference that starts at `source[at] === '&'` and ends before `end`. */
export function readReference(source: string, at: number, end: number, inAttribute: boolean) {
  found.length = 0;
  const first = at + 1 < end ? source.charCodeAt(at + 1) : 0;
  if (first === 0x23) readNumber(source, at, end);
  else if (isAlphanumeric(first)) readName(source, at, end, inAttribute);
  return found;
}

/** Nearly all references are shorter; only a number's leading zeros make one longer. */
const LOOK_BYTES = 40;

/** The same for text that is still bytes. */
export function referenceAt(bytes: Buffer, at: number, end: number): Reference {
  for (let look = LOOK_BYTES; ; look *= 8) {
    const near = Math.min(end, at + look);
    const reference = readReference(bytes.toString('latin1', at, near), 0, near - at, false);
    if (reference.length < look || near === end) return reference;
  }
}

/** A whole attribute value with its references expanded. */
export function decodeAttribute(value: string): string {
  let at = value.indexOf('&');
  if (at < 0) return value;
  let out = '';
  let from = 0;
  for (; at >= 0; at = value.indexOf('&', Math.max(at + 1, from))) {
    const reference = readReference(value, at, value.length, true);
    if (reference.length === 0) continue;
    out += value.slice(from, at) + reference.text;
    from = at + reference.length;
  }
  return out + value.slice(from);
}

function readNumber(source: string, at: number, end: number): void {
  const hex = at + 2 < end && (source.charCodeAt(at + 2) | 0x20) === 0x78;
  const radix = hex ? 16 : 10;
  const digitsAt = at + (hex ? 3 : 2);
  let i = digitsAt;
  let number = 0;
  for (; i < end; i++) {
    const digit = digitOf(source.charCodeAt(i));
    if (digit >= radix) break;
    number = Math.min(number * radix + digit, 0x110000);
  }
  if (i === digitsAt) return;
  if (i < end && source.charCodeAt(i) === 0x3b) i++;
  found.text = characterOf(number);
  found.length = i - at;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99;
}

function characterOf(number: number): string {
  if (number === 0 || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) {
    return REPLACEMENT;
  }
  if (number >= 0x80 && number <= 0x9f) return C1[number - 0x80] ?? REPLACEMENT;
  return String.fromCodePoint(number);
}

function readName(source: string, at: number, end: number, inAttribute: boolean): void {
  const nameAt = at + 1;
  const stop = Math.min(end, nameAt + NAME_LENGTH_MAX + 1);
  let i = nameAt;
  while (i < stop && isAlphanumeric(source.charCodeAt(i))) i++;
  if (i < end && source.charCodeAt(i) === 0x3b) {
    const text = namedReferences().withSemicolon.get(source.slice(nameAt, i));
    if (text !== undefined) {
      found.text = text;
      found.length = i + 1 - at;
      return;
    }
  }
  readBareName(source, nameAt, Math.min(i, nameAt + BARE_LENGTH_MAX), end, inAttribute);
}

/** The longest old name that starts here. */
function readBareName(
  source: string,
  nameAt: number,
  nameEnd: number,
  end: number,
  inAttribute: boolean,
): void {
  for (let i = nameEnd; i >= nameAt + BARE_LENGTH_MIN; i--) {
    const text = namedReferences().bare.get(source.slice(nameAt, i));
    if (text === undefined) continue;
    const next = i < end ? source.charCodeAt(i) : 0;
    if (inAttribute && (next === 0x3d || isAlphanumeric(next))) return;
    found.text = text;
    found.length = i + 1 - nameAt;
    return;
  }
}

function isAlphanumeric(code: number): boolean {
  const letter = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}
