/** Numbers and instants as the sentences of a story say them. */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';

/** `2026-01-31 12:00:05 UTC (3 minutes ago)` */
export function whenText(at: Instant, now: Instant): string {
  const span = spanText(Math.abs(now - at));
  return at > now ? `${dateText(at)} (in ${span})` : `${dateText(at)} (${span} ago)`;
}

function dateText(at: Instant): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'a time beyond the calendar';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function spanText(ms: number): string {
  if (ms < SECOND_MS) return `${ms > 0 ? Math.max(1, Math.round(ms)) : 0} ms`;
  if (ms < 10 * SECOND_MS) return `${Number((ms / SECOND_MS).toFixed(1))} s`;
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} minutes`;
  if (ms < 48 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return `${Math.round(ms / (24 * HOUR_MS))} days`;
}

/** `1 page`, `2 pages`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listText(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
