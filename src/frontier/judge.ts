/**
 * What an outcome means: for the URL (its fate) and for its host (a sign of health) (P2, F9).
 *
 *   2xx, 304, 3xx, other 4xx   the host is well; the URL is done
 *   404, 410, 451              the URL is dead
 *   403, 401                   the URL has failed; not asked for 7 days
 *   429, 503                   the host is busy: double the pause, honour Retry-After, try again
 *   other 5xx, no answer       the host is ill: back off with jitter, capped tries
 *
 * Not here: when the host may be asked again (turn.ts).
 */
import { unreachable } from '../base/assert.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { Answered, FailureReason, Outcome } from '../fetch/outcome.ts';
import { parseRetryAfter } from '../fetch/retry-after.ts';
import type { RetryPolicy } from './policy.ts';

export type Sign = 'well' | 'busy' | 'ill' | 'none';

export interface Fate {
  readonly state: 'indexed' | 'dead' | 'failed' | 'retrying' | 'skipped';
  readonly reason: string;
  readonly sign: Sign;
  /** When to ask again, for `retrying` and for a failure that is looked at later; 0 is never. */
  readonly retryAt: Instant;
  /** The pause that the server asked for. */
  readonly retryAfterMs: number;
}

export interface Circumstances {
  /** Failed tries before this one. */
  readonly fails: number;
  readonly now: Instant;
  /** In [0,1): spreads retries. */
  readonly random: number;
  readonly retry: RetryPolicy;
}

const DEAD = new Set([404, 410, 451]);
const FORBIDDEN = new Set([401, 403]);
const BUSY = new Set([429, 503]);
/** A host that asks for more is asked again after this; a header must not park a URL for ever. */
const RETRY_AFTER_MS_MAX = 30 * DAY_MS;

export function judge(outcome: Outcome, given: Circumstances): Fate {
  switch (outcome.kind) {
    case 'answered':
      return judgeAnswer(outcome, given);
    case 'failed':
      return judgeFailure(outcome.reason, outcome.detail, given);
    case 'refused':
      return done(
        'skipped',
        `address ${outcome.address} may not be asked: ${outcome.detail}`,
        'none',
      );
    default:
      return unreachable(outcome);
  }
}

export function isBusyStatus(status: number): boolean {
  return BUSY.has(status);
}

function judgeAnswer(answer: Answered, given: Circumstances): Fate {
  const { status } = answer;
  if (isBusyStatus(status)) return busy(answer, given);
  if (status >= 500 || status < 200) return again(`the server answered ${status}`, 'ill', 0, given);
  if (DEAD.has(status)) return done('dead', `the server answered ${status}`, 'well');
  if (FORBIDDEN.has(status)) {
    const fate = done('failed', `the server answered ${status}; asked again in 7 days`, 'well');
    return { ...fate, retryAt: given.now + given.retry.forbiddenMs };
  }
  if (status >= 400) return done('failed', `the server answered ${status}`, 'well');
  return done('indexed', '', 'well');
}

function busy(answer: Answered, given: Circumstances): Fate {
  const header = answer.headers['retry-after'];
  const named = header === undefined ? undefined : parseRetryAfter(header, given.now);
  const asked = named && Math.min(named, RETRY_AFTER_MS_MAX);
  const tail = asked === undefined ? '' : ` and asked for ${Math.ceil(asked / 1000)} s`;
  const patient = { ...given, retry: { ...given.retry, times: given.retry.busyTimes } };
  return again(`the server answered ${answer.status}${tail}`, 'busy', asked ?? 0, patient);
}

function judgeFailure(reason: FailureReason, detail: string, given: Circumstances): Fate {
  if (reason === 'aborted') return { ...done('retrying', detail, 'none'), retryAt: given.now };
  if (reason === 'tls') return done('failed', `tls: ${detail}`, 'ill');
  return again(`${reason}: ${detail}`, 'ill', 0, given);
}

function again(reason: string, sign: Sign, retryAfterMs: number, given: Circumstances): Fate {
  const { fails, now, random, retry } = given;
  if (fails >= retry.times) {
    return {
      state: 'failed',
      reason: `${reason}; ${fails + 1} tries`,
      sign,
      retryAt: 0,
      retryAfterMs,
    };
  }
  const pause = sign === 'busy' ? 0 : retry.firstMs * retry.factor ** fails * (0.5 + random);
  return {
    state: 'retrying',
    reason,
    sign,
    retryAt: now + Math.max(pause, retryAfterMs),
    retryAfterMs,
  };
}

function done(state: Fate['state'], reason: string, sign: Sign): Fate {
  return { state, reason, sign, retryAt: 0, retryAfterMs: 0 };
}
