/**
 * What undici, Node and OpenSSL throw, in the words of an Outcome.
 *
 * By code where there is one. Before the header fields an error is a failure; after them, it is
 * the reason why a body is short.
 */
import type { FailureReason, Truncation } from '../../fetch/outcome.ts';

export interface Trouble {
  readonly reason: FailureReason;
  readonly detail: string;
}

/** A connection or session that is no more. */
const LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_STREAM_ERROR',
]);

const DETAIL_CHARS_MAX = 300;

export function failureOf(error: Error): Trouble {
  return { reason: reasonOf(error), detail: detailOf(error) };
}

/** One line of bounded length: a certificate may say anything, and does so in our error. */
export function detailOf(error: Error): string {
  const code = codeOf(error);
  const start = code === '' || error.message.includes(code) ? '' : `${code}: `;
  return `${start}${error.message.slice(0, DETAIL_CHARS_MAX)}`.replace(/[\s\p{Cc}]+/gu, ' ');
}

export function truncationOf(error: Error, announcedBytes: number): Truncation {
  const code = codeOf(error);
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'length-mismatch';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'broken-framing';
  if (isParserError(error) && !isCutShort(error)) return 'broken-framing';
  const isReset = code === 'ECONNRESET' || code === 'EPIPE';
  return announcedBytes > 0 && !isReset ? 'length-mismatch' : 'connection-closed';
}

/** The connection went away without a word: on one that had idled, worth a second try. */
export function isSilentClose(error: Error): boolean {
  const code = codeOf(error);
  if (LOST.has(code)) return true;
  return code === 'UND_ERR_SOCKET' && /closed/.test(error.message);
}

function reasonOf(error: Error): FailureReason {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'header-limit';
  if (isSilentClose(error) || isCutShort(error)) return 'closed';
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'aborted';
  if (code === 'UND_ERR_INFO') return 'closed';
  if (code === 'UND_ERR_ABORTED' || code === 'UND_ERR_PRX_TLS') return 'connect';
  if (/^E[A-Z]+$/.test(code)) return 'connect';
  return 'protocol';
}

/** undici 7 names its parser's errors, but leaves their code empty. */
function isParserError(error: Error): boolean {
  return error.name === 'HTTPParserError';
}

function isCutShort(error: Error): boolean {
  return isParserError(error) && /EOF/.test(error.message);
}

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}
