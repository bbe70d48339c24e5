/**
 * The canonical query: parameters sorted by name, without those that only name the visitor.
 *
 * Repeated names keep their order, because `a=1&a=2` and `a=2&a=1` are different lists. So do
 * `a` and `a=`, and `+` and `%20`. Parameters that are empty text (`a=1&&b=2`, a last `&`)
 * mean nothing to any form parser and go. A noise name without `=` stays: `?sid` alone is
 * more likely the name of a page than an id.
 */
import { isNoiseName, withoutMatrixSessions } from './noise.ts';
import { uniformEscapes } from './percent.ts';

/** Takes the query of a parsed URL without its `?`; an empty answer means: no query. */
export function canonicalQuery(query: string): string {
  return orderedParams(withoutMatrixSessions(uniformEscapes(query)));
}

/** The same for a query that has neither escapes to settle nor `;`. */
export function orderedParams(query: string): string {
  if (!query.includes('&')) return isNoise(query) ? '' : query;
  const params = query.split('&').filter((param) => param !== '' && !isNoise(param));
  if (params.length > 1 && !isSorted(params)) return sortByName(params).join('&');
  return params.join('&');
}

function isNoise(param: string): boolean {
  const equals = param.indexOf('=');
  return equals > 0 && isNoiseName(param.slice(0, equals));
}

function nameOf(param: string): string {
  const equals = param.indexOf('=');
  return equals < 0 ? param : param.slice(0, equals);
}

function isSorted(params: readonly string[]): boolean {
  let before = nameOf(params[0]!);
  for (let at = 1; at < params.length; at++) {
    const name = nameOf(params[at]!);
    if (name < before) return false;
    before = name;
  }
  return true;
}

function sortByName(params: readonly string[]): string[] {
  const named = params.map((param) => ({ name: nameOf(param), param }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return named.map((entry) => entry.param);
}
