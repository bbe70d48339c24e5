/**
 * Where the body of an HTTP/1 answer ends, and whether its connection may be used again
 * (RFC 9112, 6.3 and 9.3), with a browser's leniency:
 *
 *   1. 204 and 304 have no body.
 *   2. `Transfer-Encoding: chunked` from HTTP/1.1 wins over any length; any other value is ignored.
 *   3. Lengths that agree are one length. One that is no number does not count.
 *   4. Lengths that differ: the body ends with the connection, at the latest after the longest of
 *      them, and is called `length-mismatch`: browsers refuse the page, a crawler keeps what it saw.
 *   5. Otherwise the body ends with the connection.
 *
 * What could be read in two ways is never followed by another answer on the same connection.
 */
import type { Head } from './http1-head.ts';

export type Ending = 'none' | 'length' | 'chunks' | 'close';

export interface Framing {
  readonly ending: Ending;
  /** Bytes of the body when the ending is `length`; otherwise 0. */
  readonly bytes: number;
  /** Lengths were given that differ. */
  readonly isDisputed: boolean;
  /** How long the connection may idle after this answer; 0 when it must not be used again. */
  readonly idleMs: number;
}

/** We stop using a connection this long before the server said it would close it. */
const HASTE_MS = 1_000;

export function framingOf(head: Omit<Head, 'text'>, idleMsMax: number): Framing {
  const { status, headers, version } = head;
  const idleMs = idleMsOf(head, idleMsMax);
  if (status === 204 || status === 304) return framed('none', 0, idleMs);
  const length = headers['content-length'];
  if (version === '1.1' && isChunked(headers['transfer-encoding'])) {
    return framed('chunks', 0, length === undefined ? idleMs : 0);
  }
  const lengths = length === undefined ? undefined : lengthsOf(length);
  if (lengths === undefined) return framed('close', 0, 0);
  const { longest, isDisputed, isClear } = lengths;
  if (isDisputed) return { ending: 'length', bytes: longest, isDisputed, idleMs: 0 };
  return framed(longest === 0 ? 'none' : 'length', longest, isClear ? idleMs : 0);
}

function framed(ending: Ending, bytes: number, idleMs: number): Framing {
  return { ending, bytes, isDisputed: false, idleMs };
}

function isChunked(codings: string | undefined): boolean {
  return codings !== undefined && /(?:^|,)\s*chunked\s*(?:,|$)/i.test(codings);
}

interface Lengths {
  readonly longest: number;
  readonly isDisputed: boolean;
  readonly isClear: boolean;
}

/** Repeated fields arrive joined with commas, as a list in one field would. */
function lengthsOf(value: string): Lengths | undefined {
  if (isDigits(value)) return { longest: Number(value), isDisputed: false, isClear: true };
  const all = value.split(',').map((one) => one.trim());
  const known = all.filter(isDigits).map(Number);
  if (known.length === 0) return undefined;
  const isDisputed = known.some((one) => one !== known[0]);
  return { longest: maxOf(known), isDisputed, isClear: known.length === all.length };
}

function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => Math.max(most, one), 0);
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

function idleMsOf({ version, headers }: Omit<Head, 'text'>, idleMsMax: number): number {
  const { connection } = headers;
  if (connection === undefined) return version === '1.0' ? 0 : hinted(headers, idleMsMax);
  if (/(?:^|,)\s*close\s*(?:,|$)/i.test(connection)) return 0;
  const isKept = version === '1.1' || /(?:^|,)\s*keep-alive\s*(?:,|$)/i.test(connection);
  return isKept ? hinted(headers, idleMsMax) : 0;
}

function hinted(headers: Head['headers'], idleMsMax: number): number {
  const hint = headers['keep-alive'];
  if (hint === undefined) return idleMsMax;
  const seconds = /(?:^|[\s,])timeout\s*=\s*(\d+)/i.exec(hint)?.[1];
  if (seconds === undefined) return idleMsMax;
  return Math.max(0, Math.min(idleMsMax, Number(seconds) * 1_000 - HASTE_MS));
}
