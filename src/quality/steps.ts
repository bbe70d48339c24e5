/**
 * Counters: the step from one URL to the next, as a number.
 *
 *   /archive?page=7   →  /archive?page=8       one step for all pages of a pager
 *   /events/2026/01/  →  /events/2026/02/      a calendar has a few dozen
 *   /wiki/Amber       →  /wiki/River_bed       an encyclopaedia has as many as it has links
 *
 * A program that counts takes the same few steps from every page. Two URLs that differ in
 * numbers alone are told apart by the differences; words make a step of their own.
 */
import { pathOf } from '../url/index.ts';
import { YEAR_AHEAD } from './trap-policy.ts';

const NUMBERS = /[0-9]+/g;
const FOUR_DIGITS = /[0-9]{4}/;
const DATED = /(?:^|[/=_-])([0-9]{4,5})[-/_.](?:0?[1-9]|1[0-2])(?![0-9])/;
const YEAR = /[?&](?:y|year|jahr|annee|ano)=([0-9]{4,5})(?![0-9])/i;
const COMPACT = /[?&=/](20[0-9]{2}|2[1-9][0-9]{2})(?:0[1-9]|1[0-2])(?:[0-3][0-9])?(?![0-9])/;

/** `a` and `b` are the numbers of the two URLs. */
export function stepOf(a: readonly number[], b: readonly number[], to: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < b.length; i++) {
    const difference = (b[i] as number) - (a[i] ?? 0);
    hash = Math.imul(hash ^ (difference | 0), 0x01000193) ^ (hash >>> 15);
  }
  let inNumber = false;
  for (let i = 0; i < to.length; i++) {
    const code = to.charCodeAt(i);
    const isDigit = code >= 0x30 && code <= 0x39;
    if (!isDigit || !inNumber) hash = Math.imul(hash ^ (isDigit ? 0x23 : code), 0x01000193);
    inNumber = isDigit;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Numbers of path and query; the host's own do not count. */
export function numbersIn(url: string): number[] {
  return (pathOf(url).match(NUMBERS) ?? []).map(Number);
}

/** Is it about a date so far ahead that nobody can have written about it? */
export function isDatedAhead(path: string, year: number): boolean {
  if (!FOUR_DIGITS.test(path)) return false;
  const found = DATED.exec(path) ?? YEAR.exec(path) ?? COMPACT.exec(path);
  return found !== null && Number(found[1]) >= year + YEAR_AHEAD;
}
