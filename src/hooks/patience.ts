/**
 * What came of a delivery, and how long to wait before the next try.
 *
 *   2xx        delivered
 *   410        never again: the server says so
 *   others     again, after twice the last pause, or when Retry-After says, an hour at most
 *
 * There is no last try: the events are in the log, so waiting costs no memory and loses nothing.
 */
import type { Instant } from '../base/instant.ts';
import { parseRetryAfter } from '../fetch/index.ts';

export type PostEnd =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string }
  | { readonly kind: 'failed'; readonly detail: string };

export type Verdict = 'delivered' | 'later' | 'never';

const FIRST_MS = 1_000;
const PAUSE_MAX_MS = 300_000;
const ASKED_MAX_MS = 3_600_000;
const GONE = 410;

export function verdictOn(end: PostEnd): Verdict {
  if (end.kind === 'failed') return 'later';
  if (end.status >= 200 && end.status < 300) return 'delivered';
  return end.status === GONE ? 'never' : 'later';
}

/** `chance` is drawn from [0, 1): hooks that failed together do not come back together. */
export function patienceAfter(end: PostEnd, fails: number, now: Instant, chance: number): number {
  const asked = end.kind === 'answered' ? parseRetryAfter(end.retryAfter, now) : undefined;
  if (asked !== undefined && asked > 0) return Math.min(asked, ASKED_MAX_MS);
  const pause = Math.min(PAUSE_MAX_MS, FIRST_MS * 2 ** Math.min(fails - 1, 20));
  return pause * (0.75 + 0.5 * chance);
}
