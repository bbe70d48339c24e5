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

export function failureOf(error: Error): Trouble {
  return { reason: reasonOf(error), detail: detailOf(error) };
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
  if (code === 'ECONNRESET' || code === 'EPIPE') return true;
  return code === 'UND_ERR_SOCKET' && /closed/.test(error.message);
}

function reasonOf(error: Error): FailureReason {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'header-limit';
  if (isSilentClose(error) || isCutShort(error)) return 'closed';
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'aborted';
  if (code === 'UND_ERR_INFO' || code === 'ERR_HTTP2_STREAM_ERROR') return 'closed';
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

function detailOf(error: Error): string {
  const code = codeOf(error);
  const text = code === '' || error.message.includes(code) ? '' : `${code}: `;
  return `${text}${error.message}`.replace(/\s+/g, ' ').slice(0, 300);
}
