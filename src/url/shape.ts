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
const TOKEN = /(?:[0-9A-Za-z]|%[0-9A-F]{2})+/g;
const JOINED = /\*(?:[-_.:,+]\*)+/g;
const DIGITS = /[0-9]+/g;
const ESCAPES = /%[0-9A-F]{2}/g;

export function shapeOf(url: string): string {
  const origin = originOf(url);
  const rest = url.slice(origin.length);
  if (!/[0-9]/.test(rest) && rest.length <= WORD_LENGTH_MAX) return url;
  const shaped = rest.replace(UUID, '*').replace(TOKEN, tokenShape).replace(JOINED, '*');
  return origin + shaped;
}

function tokenShape(token: string): string {
  const escaped = token.includes('%');
  const plain = escaped ? token.replace(ESCAPES, 'x') : token;
  if (plain.length > WORD_LENGTH_MAX) return '*';
  const changes = changesIn(plain);
  if (changes === 0) return isDigit(plain.charCodeAt(0)) ? '*' : token;
  if (plain.length >= MIXED_LENGTH_MIN && !isCountedWord(plain, changes)) return '*';
  if (changes >= MIXED_CHANGES_MIN) return '*';
  return escaped ? '*' : token.replace(DIGITS, '*');
}

/** `chapter12`, `2ndedition`: one word and one number, rather than letters and digits mixed. */
function isCountedWord(token: string, changes: number): boolean {
  return changes === 1 && !/^[0-9a-f]+$/i.test(token);
}

/** How often the token goes from letters to digits or back. */
function changesIn(token: string): number {
  let changes = 0;
  let before = isDigit(token.charCodeAt(0));
  for (let at = 1; at < token.length; at++) {
    const now = isDigit(token.charCodeAt(at));
    if (now !== before) changes++;
    before = now;
  }
  return changes;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
