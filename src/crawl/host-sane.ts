/** Host records as they come from the store: a turn far ahead was written by a clock that was. */
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { HostRecord } from '../record/index.ts';

/** No pause is longer. */
const TURN_MS_MAX = 31 * DAY_MS;

export function sane(host: HostRecord, now: Instant): HostRecord {
  const latest = now + TURN_MS_MAX;
  if (host.turnAt <= latest && host.lastFetchAt <= latest) return host;
  return {
    ...host,
    turnAt: Math.min(host.turnAt, now),
    lastFetchAt: Math.min(host.lastFetchAt, now),
  };
}
