/**
 * The families of a URL on its host: a narrow one, a wide one, and one across all paths.
 *
 *   URL                                shape (U4)                 kin          token
 *   /wiki/Article-77                   /wiki/Article-*            /wiki/**
 *   /list/3?visit=9f31c2ab             /list/*?visit=*            /list/*?     ?visit=
 *   /shop?brand=2&color=red            /shop?brand=*&color=red    /shop?
 *   /tree/leaf/bark/leaf/bark/leaf/    itself                     /tree/~
 *   /about                             itself                     /
 *
 * A program that makes URLs without end mostly makes one shape. Where it makes words, it makes
 * them below one folder, of one path, or by adding the same segments again (`~`): that is the
 * kin. Where it marks each visitor, a parameter that looks like a token stands behind any path.
 */
import { pathOf, pathShapeOf } from '../url/index.ts';
import { hash32 } from './bits.ts';

/** Keys by level; the last is missing where no parameter looks like a token. */
export type Families = readonly [shape: string, kin: string, token: string | undefined];
export const LEVELS = 3;

/** A longer key is cut and closed with a hash: a hostile URL costs no more than any other. */
const KEY_LENGTH_MAX = 120;
/** Letters and digits mixed, or more of either than a word or a number has. */
const TOKEN = /^(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{6,}$|^[\w-]{24,}$|^\d{9,}$/i;
/** Segments that stood earlier in the path, from which on the path counts as repeating. */
const REPEATS_MIN = 3;

export function familiesOf(url: string): Families {
  const path = pathOf(url);
  const shape = pathShapeOf(path);
  const at = shape.indexOf('?');
  const kin = at >= 0 ? shape.slice(0, at + 1) : kinOfPath(path, shape);
  return [keyOf(shape), keyOf(kin), at >= 0 ? tokenIn(url, url.indexOf('?') + 1) : undefined];
}

/** The segments of a path repeat, and the family is all that do so below one folder. */
export function isRepeating(kin: string): boolean {
  return kin.endsWith('/~');
}

export function hasQuery(kin: string): boolean {
  return kin.endsWith('?');
}

/** Names and values of a query, without an array of pairs. */
export function eachParameter(url: string, see: (name: number, pair: number) => void): void {
  let from = url.indexOf('?') + 1;
  if (from === 0) return;
  while (from < url.length) {
    const and = url.indexOf('&', from);
    const to = and < 0 ? url.length : and;
    const equals = url.indexOf('=', from);
    see(hash32(url, from, equals < 0 || equals > to ? to : equals), hash32(url, from, to));
    from = to + 1;
  }
}

export function parametersIn(url: string): number {
  let count = url.includes('?') ? 1 : 0;
  for (let at = url.indexOf('&'); at >= 0 && count > 0; at = url.indexOf('&', at + 1)) count++;
  return count;
}

/** The name of the first parameter whose value no person would type: `?visit=`. */
function tokenIn(url: string, queryAt: number): string | undefined {
  for (let from = queryAt; from < url.length; ) {
    const and = url.indexOf('&', from);
    const to = and < 0 ? url.length : and;
    const equals = url.indexOf('=', from);
    if (equals > from && equals < to && TOKEN.test(url.slice(equals + 1, to))) {
      return keyOf(`?${url.slice(from, equals + 1)}`);
    }
    from = to + 1;
  }
  return undefined;
}

function kinOfPath(path: string, shape: string): string {
  const repeated = repeatedFrom(path);
  if (repeated !== undefined) return `${repeated}/~`;
  const end = shape.indexOf('/', 1);
  return end < 0 || end === shape.length - 1 ? '/' : `${shape.slice(0, end)}/**`;
}

/** The folder below which segments come again, when enough of them do; empty for the root. */
function repeatedFrom(path: string): string | undefined {
  if (slashesIn(path) < 2 * REPEATS_MIN - 1) return undefined;
  const segments = path.split('/');
  const firstAt = new Map<string, number>();
  let repeats = 0;
  let top = segments.length;
  segments.forEach((segment, i) => {
    if (segment === '' || isNumber(segment)) return;
    const before = firstAt.get(segment);
    if (before === undefined) firstAt.set(segment, i);
    else {
      repeats++;
      top = Math.min(top, before);
    }
  });
  if (repeats < REPEATS_MIN) return undefined;
  return top > 1 ? `/${segments[1]}` : '';
}

function slashesIn(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count++;
  return count;
}

/** Numbers meet by chance: /2024/01/01 repeats nothing. */
function isNumber(segment: string): boolean {
  return /^[0-9]+$/.test(segment);
}

function keyOf(text: string): string {
  if (text.length <= KEY_LENGTH_MAX) return text;
  const tail = /(?:\/~|\/\*\*|\?)$/.exec(text)?.[0] ?? '';
  const kept = text.slice(0, KEY_LENGTH_MAX - tail.length);
  return `${kept}...${hash32(text).toString(16)}${tail}`;
}
