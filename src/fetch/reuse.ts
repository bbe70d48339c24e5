/**
 * How long the answer to a page's script may be used again (RFC 9111), so that a site's bundle is
 * asked for once and not for every page of it.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';

/** For scripts and styles about whose age the server says nothing. */
const UNSAID_MS = 10 * MINUTE_MS;
/** However long a server allows: a crawl that goes on for weeks looks again. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;

/** 0 when it may not be used again at all. `isCode`: a script or a style, not data. */
export function reusableMs(
  status: number,
  headers: Readonly<Record<string, string>>,
  isCode: boolean,
  now: Instant,
): number {
  if (status !== 200 || headers.vary?.includes('*')) return 0;
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-store\b|\bno-cache\b|\bprivate\b/.test(control)) return 0;
  const said = /\bmax-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1];
  if (said !== undefined) return Math.min(LONGEST_MS, Number(said) * SECOND_MS);
  const until = headers.expires === undefined ? Number.NaN : Date.parse(headers.expires);
  if (!Number.isNaN(until)) return Math.max(0, Math.min(LONGEST_MS, until - now));
  if (headers.expires !== undefined) return 0;
  return isCode ? UNSAID_MS : 0;
}
