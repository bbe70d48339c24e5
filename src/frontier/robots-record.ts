/**
 * What an attempt to read robots.txt comes to (R2).
 *
 * A host that does not answer is asked twice more, after a growing pause, before its URLs are
 * set aside: until then they just wait. After the third failure nothing is allowed for an hour.
 * Whoever wants fewer retries for pages has as few for robots.txt; a host that is busy (429, 503)
 * has its own number of tries, as pages there have. Where nobody asked yet (`isUnread`), we look
 * twice more in any case.
 */
import { unreachable } from '../base/assert.ts';
import { HOUR_MS, type Instant } from '../base/instant.ts';
import { decodeBody, type Outcome } from '../fetch/index.ts';
import type { RobotsRecord } from '../record/index.ts';
import { ROBOTS_BYTES_MAX } from '../robots/index.ts';
import { isBusyStatus } from './judge.ts';
import type { Politeness } from './policy.ts';

const RETRIES_MAX = 2;
const UNREADABLE_LIFE_MS = HOUR_MS;
const NO_BODY = new Uint8Array(0);

export interface RobotsRead {
  readonly record: RobotsRecord;
  /** The host is not asked before this instant; 0 when its turn alone decides. */
  readonly retryAt: Instant;
}

export function robotsRecord(
  origin: string,
  outcome: Outcome,
  before: RobotsRecord | undefined,
  now: Instant,
  policy: Politeness,
  isUnread = false,
): RobotsRead {
  const status = outcome.kind === 'answered' ? outcome.status : 0;
  if (status >= 200 && status < 500 && status !== 429) {
    const expiresAt = now + policy.robotsLifeMs;
    return {
      record: {
        ...{ origin, fetchedAt: now, expiresAt, status, body: bodyOf(outcome) },
        ...{ tries: 0, problem: '' },
      },
      retryAt: 0,
    };
  }
  const tries = (before?.tries ?? 0) + 1;
  const { times, busyTimes } = policy.retry;
  const wanted = isBusyStatus(status) ? busyTimes : times;
  const retries = isUnread ? RETRIES_MAX : Math.min(RETRIES_MAX, wanted);
  const isLast = tries > retries || outcome.kind === 'refused';
  const pause = policy.retry.firstMs * policy.retry.factor ** (tries - 1);
  const expiresAt = isLast ? now + UNREADABLE_LIFE_MS : now;
  const record = {
    origin,
    fetchedAt: now,
    expiresAt,
    status,
    body: NO_BODY,
    tries: isLast ? 0 : tries,
    problem: problemOf(outcome),
  };
  return { record, retryAt: isLast ? 0 : now + pause };
}

const REFUSED = 'address ';

/** Nothing was sent: the address is the problem, not robots.txt. */
export function isRefusal(problem: string): boolean {
  return problem.startsWith(REFUSED);
}

function problemOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'answered':
      return '';
    case 'failed':
      return `${outcome.reason}: ${outcome.detail}`;
    case 'refused':
      return `${REFUSED}${outcome.address} may not be asked: ${outcome.detail}`;
    default:
      return unreachable(outcome);
  }
}

function bodyOf(outcome: Outcome): Uint8Array {
  if (outcome.kind !== 'answered' || outcome.status >= 300) return NO_BODY;
  const encoding = outcome.headers['content-encoding'] ?? '';
  return decodeBody(outcome.body, encoding, ROBOTS_BYTES_MAX).body;
}
