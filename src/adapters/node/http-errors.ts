/**
 * Why an exchange ended early, and what Node and OpenSSL throw put into those words.
 *
 * By code where there is one. Before the header fields a fault is a failure; after them, it is
 * the reason why a body is short.
 */
import type { FailureReason, Truncation } from '../../fetch/outcome.ts';

export interface Fault {
  readonly reason: FailureReason | 'refused';
  readonly detail: string;
  /** What it makes of a body that had begun. */
  readonly truncation: Truncation;
  /** The connection went without a byte of answer: after idling, worth asking again. */
  readonly isSilent: boolean;
}

/** A connection or session that is no more. */
const LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_STREAM_ERROR',
]);

const DETAIL_CHARS_MAX = 300;

/** One line of bounded length: a certificate may say anything, and does so in our error. */
export function detailOf(error: Error): string {
  const code = codeOf(error);
  const start = code === '' || error.message.includes(code) ? '' : `${code}: `;
  return `${start}${error.message.slice(0, DETAIL_CHARS_MAX)}`.replace(/[\s\p{Cc}]+/gu, ' ');
}

/** What a socket or an HTTP/2 stream reported. */
export function faultOf(error: Error, hasAnswerBegun = false): Fault {
  const isLost = LOST.has(codeOf(error));
  const reason = isLost ? 'closed' : /^E[A-Z]+$/.test(codeOf(error)) ? 'connect' : 'protocol';
  const isSilent = isLost && !hasAnswerBegun;
  return { reason, detail: detailOf(error), truncation: 'connection-closed', isSilent };
}

/** A fault before any body. */
export function failure(reason: Fault['reason'], detail: string): Fault {
  return { reason, detail, truncation: 'connection-closed', isSilent: false };
}

/** The connection ended in good order, but too early. */
export function endedEarly(truncation: Truncation, hasAnswerBegun: boolean): Fault {
  const detail = hasAnswerBegun ? 'closed before the answer was whole' : 'closed without an answer';
  return { reason: 'closed', detail, truncation, isSilent: !hasAnswerBegun };
}

export function cutBody(truncation: Truncation, detail: string): Fault {
  return { reason: 'protocol', detail, truncation, isSilent: false };
}

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}
