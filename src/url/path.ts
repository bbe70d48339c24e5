/**
 * The canonical path: uniform escapes, no session ids, no dot segments.
 *
 * The URL parser resolves dot segments before we see the path, but taking a session id out of
 * `..;jsessionid=1` (or decoding `%%32e`) can make a new one, so they are resolved once more
 * when anything changed.
 */
import { withoutCookielessSegments, withoutMatrixSessions } from './noise.ts';
import { uniformEscapes } from './percent.ts';

const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;

/** Takes the path of a parsed URL: it begins with a slash and holds no `?` or `#`. */
export function canonicalPath(path: string): string {
  const clean = withoutCookielessSegments(withoutMatrixSessions(uniformEscapes(path)));
  return clean !== path && DOT_SEGMENT.test(clean) ? withoutDotSegments(clean) : clean;
}

/** RFC 3986, 5.2.4, as URL parsers do it: empty segments count, nothing goes above the root. */
function withoutDotSegments(path: string): string {
  const segments = path.split('/');
  const last = segments.length - 1;
  const kept: string[] = [];
  for (let at = 1; at <= last; at++) {
    const segment = segments[at]!;
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (at === last) kept.push('');
  }
  return `/${kept.join('/')}`;
}
