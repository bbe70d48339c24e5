/**
 * What the answer to GET /robots.txt means when it is not a file to read (R2).
 *
 *   2xx                         the body's rules
 *   3xx                         still redirected after five hops: no rules (RFC 9309, 2.3.1.2)
 *   4xx                         no rules (2.3.1.3) …
 *   429                         … except this one: a host that says "too many" is not asked more
 *   5xx, other, 'unreachable'   nothing is allowed until it can be read (2.3.1.4)
 */

import { pathToMatch } from './octets.ts';
import { ALLOWED, parseRobots, type Robots, type RobotsVerdict } from './robots.ts';
import { NO_USAGE } from './usage.ts';

const UNREACHABLE: RobotsVerdict = Object.freeze({
  allowed: false,
  rule: 'robots.txt is unreachable',
});

/** No rules. */
export const allowAll: Robots = Object.freeze({
  isAllowed: () => ALLOWED,
  crawlDelayMs: () => undefined,
  usage: () => NO_USAGE,
  sitemaps: [],
});

/** Nothing may be asked but robots.txt itself. */
export const disallowAll: Robots = Object.freeze({
  isAllowed: (_agent: string, url: string) =>
    pathToMatch(url) === '/robots.txt' ? ALLOWED : UNREACHABLE,
  crawlDelayMs: () => undefined,
  usage: () => NO_USAGE,
  sitemaps: [],
});

export function robotsFromStatus(
  status: number | 'unreachable',
  body: string | Uint8Array = '',
): Robots {
  if (status === 'unreachable' || status === 429) return disallowAll;
  if (status >= 200 && status < 300) return parseRobots(body);
  return status >= 300 && status < 500 ? allowAll : disallowAll;
}
