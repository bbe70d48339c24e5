/**
 * Retry-After (RFC 9110, 10.2.3): seconds, or an HTTP date.
 *
 * The answer is how long to wait from now; a date gone by means now. Anything else is
 * undefined, and the caller falls back to its own back-off (P2): a made-up number would be
 * either rude or endless. How long is too long is the caller's to say.
 */
import type { Instant } from '../base/instant.ts';
import { parseHttpDate } from './http-date.ts';

export function parseRetryAfter(value: string, nowMs: Instant): number | undefined {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  const instant = parseHttpDate(text, nowMs);
  return instant === undefined ? undefined : Math.max(0, instant - nowMs);
}
