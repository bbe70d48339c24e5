/**
 * What one request came to: a closed union, because a broken server is not an exception.
 *
 * `answered` covers every status, a truncated body included. `failed` means that no usable
 * answer arrived. `refused` means that we did not ask.
 *
 * Not here: what an outcome means for the URL and its host (`../frontier/judge.ts`).
 */
import type { Instant } from '../base/instant.ts';

export type Outcome = Answered | Failed | Refused;

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  /** Lower-case names; repeated fields joined with ', ', set-cookie and x-robots-tag with '\n'. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * As sent, still under its content-encoding (`decode.ts` undoes it); empty when not wanted.
   * May be a view of a larger buffer that nobody else uses.
   */
  readonly body: Uint8Array;
  /** Why the body is shorter than what was sent; undefined when it is whole. */
  readonly truncated?: Truncation;
  readonly remoteAddress: string;
  readonly httpVersion: '1.0' | '1.1' | '2';
  /** Status line, fields and empty line as they came, bytes as latin1; HTTP/2 has no such text. */
  readonly head?: string;
  /** How the connection was secured; undefined when it was not. */
  readonly tls?: Tls;
  /** A certificate problem that the settings told us to accept. */
  readonly tlsError?: string;
  readonly timing: Timing;
}

/**
 * `connection-closed` before the end of a body without an announced length, or by a reset;
 * `length-mismatch` when fewer bytes came than announced; `broken-framing` when the chunks or
 * trailers could not be read on.
 */
export type Truncation =
  | 'body-limit'
  | 'time-limit'
  | 'connection-closed'
  | 'length-mismatch'
  | 'broken-framing'
  | 'unwanted-type'
  | 'decoded-limit';

/** `TLSv1.3`, `TLS_AES_128_GCM_SHA256`. */
export interface Tls {
  readonly protocol: string;
  readonly cipher: string;
}

export interface Timing {
  readonly startedAt: Instant;
  /** What connecting took, TLS included; undefined when an open connection was used. */
  readonly connectMs?: number;
  /** From the start to the end of the header fields, and to the end of the body. */
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  /** One line for a person: which limit, which address, which error. */
  readonly detail: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
}

export type FailureReason =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'connect-timeout'
  | 'first-byte-timeout'
  | 'whole-timeout'
  | 'header-limit'
  | 'protocol'
  | 'closed'
  | 'aborted';

/** The address rules (Y1) forbade the connection; nothing was sent. */
export interface Refused {
  readonly kind: 'refused';
  readonly address: string;
  readonly detail: string;
}
