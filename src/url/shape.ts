/**
 * The shape of a URL (U4): what stays when everything that counts or identifies is a `*`.
 *
 *   http://h/cal/2024-05-01/view?id=77        → http://h/cal/*\/view?id=*
 *   http://h/item/dQw4w9WgXcQ/page12.html     → http://h/item/*\/page*.html
 *
 * URLs that a program makes without end share a shape; pages that people name don't. So words
 * stay, also in slugs, and there is one wildcard for all kinds of id: a random token that
 * happens to be all digits must not fall out of its family.
 *
 * A token is a run of letters, digits and escapes. It is an id when it is all digits, when it
 * mixes letters with digits and is long or changes between them often, or when no word is
 * as long. In any other mix only the digits are wild. Wildcards joined by one of `-_.:,+` (dates,
 * times, versions, UUIDs) are one.
 */
import { originOf } from './parts.ts';

const MIXED_LENGTH_MIN = 8;
const MIXED_CHANGES_MIN = 3;
const WORD_LENGTH_MAX = 30;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const UUID_LENGTH = 36;
const JOINED = /\*(?:[-_.:,+]\*)+/g;
const DIGITS = /[0-9]+/g;
const PERCENT = 0x25;

export function shapeOf(url: string): string {
  const origin = originOf(url);
  return origin + pathShapeOf(url.slice(origin.length));
}

/** The same of path and query alone. */
export function pathShapeOf(path: string): string {
  const mayHoldUuid = path.length > UUID_LENGTH && path.includes('-');
  const shaped = shapeTokens(mayHoldUuid ? path.replace(UUID, '*') : path);
  return shaped.includes('*') ? shaped.replace(JOINED, '*') : shaped;
}

/** One pass: text between ids is copied in pieces as long as possible. */
function shapeTokens(text: string): string {
  let shaped = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const end = tokenEnd(text, at);
    if (end === at) continue;
    if (isWord(text, at, end)) {
      at = end;
      continue;
    }
    const token = text.slice(at, end);
    const shape = tokenShape(token);
    if (shape !== token) {
      shaped += text.slice(copied, at) + shape;
      copied = end;
    }
    at = end;
  }
  return copied === 0 ? text : shaped + text.slice(copied);
}

function tokenEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === PERCENT) at += 2;
    else if (!isDigit(code) && !isLetter(code)) break;
  }
  return Math.min(at, text.length);
}

/** Short and without digits, as nearly every token is: it stays, and is not even cut out. */
function isWord(text: string, from: number, end: number): boolean {
  if (end - from > WORD_LENGTH_MAX) return false;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) return false;
    if (code === PERCENT) at += 2;
  }
  return true;
}

function tokenShape(token: string): string {
  const { length, changes, escaped, digits } = measure(token);
  if (length > WORD_LENGTH_MAX) return '*';
  if (!digits) return token;
  if (changes === 0 || changes >= MIXED_CHANGES_MIN || escaped) return '*';
  return length >= MIXED_LENGTH_MIN && !isCountedWord(token, changes)
    ? '*'
    : token.replace(DIGITS, '*');
}

/** `chapter12`, `2ndedition`: one word and one number, rather than letters and digits mixed. */
function isCountedWord(token: string, changes: number): boolean {
  return changes === 1 && !/^[0-9a-f]+$/i.test(token);
}

interface Measure {
  /** In characters, where an escape is one. */
  readonly length: number;
  /** How often the token goes from letters to digits or back; an escape is a letter. */
  readonly changes: number;
  readonly escaped: boolean;
  readonly digits: boolean;
}

function measure(token: string): Measure {
  let [length, changes] = [0, 0];
  let [escaped, digits, before] = [false, false, isDigit(token.charCodeAt(0))];
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at);
    const now = isDigit(code);
    if (now !== before) changes++;
    if (now) digits = true;
    if (code === PERCENT) {
      escaped = true;
      at += 2;
    }
    before = now;
    length++;
  }
  return { length, changes, escaped, digits };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
