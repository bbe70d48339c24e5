/**
 * What a fetcher says of its request, as the outcome of a visit. Its clock is its own: times are
 * how long things took, and count back from when we heard of them. So a host is never taken to
 * have been asked earlier than it was (P1).
 */
import type { Instant } from '../base/instant.ts';
import type { Answered, FailureReason, Outcome, Truncation } from '../fetch/index.ts';
import type { HttpRequest } from '../ports/http.ts';
import type { Loan } from './loan.ts';

export type FetcherResult = FetcherAnswer | FetcherFailure | FetcherRefusal | FetcherReturn;

export interface FetcherAnswer {
  readonly kind: 'answered';
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, still under its content-encoding. */
  readonly body: Uint8Array;
  readonly truncated?: Truncation;
  readonly remoteAddress: string;
  readonly httpVersion: Answered['httpVersion'];
  readonly connectMs?: number;
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

export interface FetcherFailure {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly detail: string;
  readonly wholeMs: number;
}

/** Its own address rules forbade it (Y1): nothing was sent. */
export interface FetcherRefusal {
  readonly kind: 'refused';
  readonly detail: string;
}

/** It will not be asked by this fetcher. */
export interface FetcherReturn {
  readonly kind: 'returned';
}

export interface WrongPlace {
  readonly wrong: string;
  /** A JSON pointer into the results. */
  readonly at: string;
}

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/;
const FIELDS_MAX = 512;

/** An outcome as a fetcher says it; a body may be longer than its limit by one chunk of the line. */
export function resultOf(outcome: Outcome, bodyBytesMax: number): FetcherResult {
  if (outcome.kind === 'refused') return { kind: 'refused', detail: outcome.detail };
  if (outcome.kind === 'failed') {
    const { reason, detail, startedAt, endedAt } = outcome;
    if (reason === 'aborted') return { kind: 'returned' };
    return { kind: 'failed', reason, detail, wholeMs: endedAt - startedAt };
  }
  const { status, headers, remoteAddress, httpVersion, truncated } = outcome;
  const { startedAt: _, ...took } = outcome.timing;
  const body = outcome.body.subarray(0, bodyBytesMax);
  const cut = truncated && { truncated };
  return { kind: 'answered', status, headers, body, ...cut, remoteAddress, httpVersion, ...took };
}

/**
 * It was broken off because the loan ended, long before its host had had the time that it has:
 * that says nothing of the page.
 */
export function isCutShort(result: FetcherResult, { limits }: HttpRequest): boolean {
  if (result.kind !== 'failed' || result.reason !== 'whole-timeout') return false;
  return result.wholeMs < limits.wholeMs;
}

/** What nobody who kept to the terms could have sent. */
export function problemIn(result: FetcherResult, request: HttpRequest): WrongPlace | undefined {
  if (result.kind !== 'answered') return undefined;
  const { bodyBytes, headerBytes } = request.limits;
  if (result.remoteAddress !== request.address) {
    const wrong = `is ${result.remoteAddress}, and the lease was for ${request.address}`;
    return { wrong, at: '/remote_address' };
  }
  if (result.body.length > bodyBytes) {
    return { wrong: `has more than the ${bodyBytes} bytes of the lease`, at: '/body' };
  }
  const fields = Object.entries(result.headers);
  const chars = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const isOdd = fields.some(([name, value]) => !FIELD_NAME.test(name) || /[\0\r]/.test(value));
  if (isOdd || fields.length > FIELDS_MAX || chars > headerBytes) {
    return { wrong: 'are no header fields, or too many', at: '/headers' };
  }
  return undefined;
}

export function outcomeOf(
  result: Exclude<FetcherResult, FetcherReturn>,
  { terms, request }: Loan,
  now: Instant,
): Outcome {
  const address = request?.address ?? '';
  if (result.kind === 'refused') return { kind: 'refused', address, detail: result.detail };
  const wholeMs = Math.min(result.wholeMs, now - terms.from);
  const startedAt = now - wholeMs;
  if (result.kind === 'failed') {
    const { reason, detail } = result;
    return { kind: 'failed', reason, detail, startedAt, endedAt: now };
  }
  const { connectMs, wholeMs: _, firstByteMs, ...rest } = result;
  const timing = {
    ...{ startedAt, firstByteMs: Math.min(firstByteMs, wholeMs), wholeMs },
    ...(connectMs !== undefined && { connectMs }),
  };
  return { ...rest, timing };
}
