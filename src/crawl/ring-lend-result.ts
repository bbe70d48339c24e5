/**
 * What came of a loan as bytes (lend-result.ts), and bytes of another node as such, or as nothing.
 *
 *   answered   status  version  why it is short  address  times  fields  body
 *   failed     reason  whole  detail           refused  detail           returned
 *
 * Whether it fits what was lent is looked at by whoever lent it (problemIn).
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { unreachable } from '../base/index.ts';
import { HOUR_MS } from '../base/instant.ts';
import type { FailureReason, Truncation } from '../fetch/index.ts';
import type { FetcherAnswer, FetcherResult } from './lend-result.ts';

const KINDS = ['answered', 'failed', 'refused', 'returned'] as const;
const VERSIONS = ['1.0', '1.1', '2'] as const;
const CUTS: readonly (Truncation | undefined)[] = [
  ...(['body-limit', 'time-limit', 'connection-closed', 'length-mismatch'] as const),
  'broken-framing',
];
const REASONS: readonly FailureReason[] = [
  ...(['connect', 'tls', 'connect-timeout', 'first-byte-timeout', 'whole-timeout'] as const),
  ...(['header-limit', 'protocol', 'closed'] as const),
];
const DETAIL_CHARS_MAX = 1_000;
const FIELDS_MAX = 512;
const STATUS_MAX = 999;

const writer = new ByteWriter();

export function encodeResult(result: FetcherResult): Uint8Array {
  writer.byte(KINDS.indexOf(result.kind));
  switch (result.kind) {
    case 'answered':
      return writeAnswer(result);
    case 'failed': {
      const at = REASONS.indexOf(result.reason);
      // What only an owner can meet has no place here: it asks again itself.
      if (at < 0) return takeBack();
      writer.byte(at).float(result.wholeMs);
      return writer.text(result.detail.slice(0, DETAIL_CHARS_MAX)).take();
    }
    case 'refused':
      return writer.text(result.detail.slice(0, DETAIL_CHARS_MAX)).take();
    case 'returned':
      return writer.take();
    default:
      return unreachable(result);
  }
}

function takeBack(): Uint8Array {
  writer.take();
  return encodeResult({ kind: 'returned' });
}

function writeAnswer(answer: FetcherAnswer): Uint8Array {
  const { status, httpVersion, truncated, remoteAddress, connectMs, headers, body } = answer;
  const cut = CUTS.indexOf(truncated);
  writer.varint(status).byte(VERSIONS.indexOf(httpVersion));
  writer.byte(cut + 1).text(remoteAddress);
  writer
    .float(connectMs ?? -1)
    .float(answer.firstByteMs)
    .float(answer.wholeMs);
  const fields = Object.entries(headers).slice(0, FIELDS_MAX);
  writer.varint(fields.length);
  for (const [name, value] of fields) writer.text(name).text(value);
  return writer.raw(body).take();
}

export function decodeResult(bytes: Uint8Array): FetcherResult | undefined {
  try {
    return readResult(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readResult(from: ByteReader): FetcherResult {
  const kind = KINDS[from.byte()];
  switch (kind) {
    case 'answered':
      return readAnswer(from);
    case 'failed': {
      const reason = REASONS[from.byte()];
      const wholeMs = msIn(from);
      if (reason === undefined) throw NONE;
      return { kind, reason, wholeMs, detail: from.text().slice(0, DETAIL_CHARS_MAX) };
    }
    case 'refused':
      return { kind, detail: from.text().slice(0, DETAIL_CHARS_MAX) };
    case 'returned':
      return { kind };
    default:
      throw NONE;
  }
}

function readAnswer(from: ByteReader): FetcherAnswer {
  const status = from.varint();
  const [httpVersion, cut] = [VERSIONS[from.byte()], from.byte()];
  if (status < 100 || status > STATUS_MAX || httpVersion === undefined || cut > CUTS.length) {
    throw NONE;
  }
  const truncated = CUTS[cut - 1];
  const remoteAddress = from.text();
  const connect = from.float();
  const times = { firstByteMs: msIn(from), wholeMs: msIn(from) };
  const many = from.varint();
  if (many > FIELDS_MAX || !(connect >= -1 && connect <= HOUR_MS)) throw NONE;
  const headers = Object.fromEntries(
    Array.from({ length: many }, () => [from.text(), from.text()]),
  );
  return {
    ...{ kind: 'answered', status, headers, body: from.rest(), remoteAddress, httpVersion },
    ...(truncated !== undefined && { truncated }),
    ...(connect >= 0 && { connectMs: connect }),
    ...times,
  };
}

const NONE = new RangeError('no result');

function msIn(from: ByteReader): number {
  const ms = from.float();
  if (!(ms >= 0 && ms <= HOUR_MS)) throw NONE;
  return ms;
}
