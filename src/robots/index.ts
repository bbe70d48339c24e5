/**
 * What a site asks of us, read from what it says.
 *
 *   robots.txt body ─ lines.ts ─▶ records ─ groups.ts ─▶ sections by product token ─┐
 *   agent ─ agent.ts ─▶ product token ──────────────────────────────────────────────┤
 *   url ─ octets.ts ─▶ path to match ───────────────────────────── matcher.ts ◀─────┘─▶ verdict
 *
 *   robots.ts       parseRobots: the three roads above, joined (R1)
 *   explain.ts      which of its lines speak to an agent, for people to see
 *   status.ts       what the answer to GET /robots.txt means when it is no file (R2)
 *   scope.ts        which robots.txt governs a URL
 *   directives.ts   X-Robots-Tag and <meta name=robots> (R3), with dates by date.ts
 *   usage.ts        Content-Usage and Content-Signal (R5), with dictionaries by dictionary.ts
 *   usage-rules.ts  the same in robots.txt, by path
 *   link-header.ts  Link: <…>; rel=… (RFC 8288)
 *
 * Not here: fetching and caching robots.txt, and what is done about a verdict.
 */
export { productToken } from './agent.ts';
export { parseRobotsDirectives, type RobotsDirectives } from './directives.ts';
export { linesFor, type SpokenTo } from './explain.ts';
export { ROBOTS_BYTES_MAX } from './lines.ts';
export { canonicalLinks, type HeaderLink, parseLinkHeader } from './link-header.ts';
export { pathToMatch } from './octets.ts';
export { parseRobots, type Robots, type RobotsVerdict } from './robots.ts';
export { governs, robotsUrlFor } from './scope.ts';
export { allowAll, disallowAll, robotsFromStatus } from './status.ts';
export {
  combineUsage,
  headerUsage,
  NO_USAGE,
  parseUsage,
  refusedPurpose,
  type Usage,
  usageText,
} from './usage.ts';
