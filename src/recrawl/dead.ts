/**
 * A URL that is gone (404, 410, 451): looked at again, less and less, for 30 days; then it
 * leaves the queue for good (F8). Servers lose pages for a while, and sites move.
 */
import { DAY_MS, type Instant } from '../base/instant.ts';

export const DEAD_FOR_GOOD_MS = 30 * DAY_MS;
const FIRST_LOOK_MS = DAY_MS;
const SLOWER = 1.5;

/** 0 when it has been gone for long enough. `intervalMs` is the pause before this look. */
export function nextLookAtDead(
  deadSince: Instant,
  intervalMs: number,
  now: Instant,
): { readonly nextCrawlAt: Instant; readonly intervalMs: number } {
  const since = Math.min(deadSince, now);
  const lastLookAt = since + DEAD_FOR_GOOD_MS;
  if (now >= lastLookAt) return { nextCrawlAt: 0, intervalMs: 0 };
  const pauseMs = intervalMs > 0 ? Math.max(FIRST_LOOK_MS, intervalMs * SLOWER) : FIRST_LOOK_MS;
  const nextCrawlAt = Math.min(now + pauseMs, lastLookAt);
  return { nextCrawlAt, intervalMs: pauseMs };
}
