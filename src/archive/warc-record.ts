/**
 * A record of a WARC 1.1 file (ISO 28500), as bytes: fields, a block, and a gzip member of its
 * own, so that a reader can start at any record.
 *
 *   WARC/1.1 ⏎ WARC-Type: … ⏎ … ⏎ Content-Length: n ⏎ ⏎ block ⏎ ⏎   → gzip
 *
 * Digests are `sha256:` in hex, as browsertrix writes them: warcio and jwarc check them, and
 * that of a body is known already, because bodies are stored under it.
 *
 * A record's id follows from its type, URL and date: the same crawl gives the same records.
 */
import * as crypto from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Instant } from '../base/instant.ts';
import { fieldValue } from './http-head.ts';

export type WarcType = 'warcinfo' | 'request' | 'response' | 'revisit' | 'metadata' | 'resource';

export interface WarcRecord {
  readonly type: WarcType;
  /** Undefined for what is about the file. */
  readonly uri?: string;
  readonly date: Instant;
  readonly id: string;
  readonly contentType: string;
  /** Further fields; those that are undefined are left out. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** In pieces, so that a head and a large body need not be joined first. */
  readonly block: readonly Uint8Array[];
}

/** In one call where this Node has it, which is faster for what is short. */
const hashOnce: typeof crypto.hash | undefined = crypto.hash;

export const GZIP_LEVEL = 6;

/** One gzip member. */
export function warcMember(record: WarcRecord, level = GZIP_LEVEL): Buffer {
  return gzipSync(warcBytes(record), { level });
}

export function warcBytes(record: WarcRecord): Buffer {
  return Buffer.concat(warcPieces(record));
}

/** The same, with a large body as it is. */
export function warcPieces(record: WarcRecord): readonly Uint8Array[] {
  const { type, uri, date, id, contentType, fields, block } = record;
  const length = block.reduce((sum, piece) => sum + piece.length, 0);
  const named = {
    'WARC-Type': type,
    'WARC-Record-ID': id,
    'WARC-Date': warcDate(date),
    'WARC-Target-URI': uri,
    ...fields,
    'WARC-Block-Digest': sha256Of(...block),
    'Content-Type': contentType,
    'Content-Length': String(length),
  };
  let head = 'WARC/1.1\r\n';
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined) head += `${name}: ${fieldValue(value)}\r\n`;
  }
  return [Buffer.from(`${head}\r\n`, 'utf8'), ...block, END];
}

/** Of a record that we wrote; '' when it is not one. */
export function warcTypeOf(record: Uint8Array): string {
  const opening = Buffer.from(record.buffer, record.byteOffset, Math.min(record.length, 60));
  return /^WARC\/1\.1\r\nWARC-Type: (\w+)\r\n/.exec(opening.toString('latin1'))?.[1] ?? '';
}

const END = Buffer.from('\r\n\r\n');

/** `name: value` lines: the block of warcinfo and metadata; `more` are such lines already. */
export function warcFields(
  fields: Readonly<Record<string, string | undefined>>,
  more = '',
): Buffer {
  let lines = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') lines += `${name}: ${fieldValue(value)}\r\n`;
  }
  return Buffer.from(lines + more, 'utf8');
}

export function sha256Of(...pieces: readonly Uint8Array[]): string {
  const [only, ...more] = pieces;
  if (hashOnce !== undefined && only !== undefined && more.length === 0) {
    return `sha256:${hashOnce('sha256', only, 'hex')}`;
  }
  const hash = crypto.createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return `sha256:${hash.digest('hex')}`;
}

const TYPE_DIGITS: Readonly<Record<WarcType, number>> = {
  ...{ warcinfo: 0, request: 1, response: 2, revisit: 3, metadata: 4, resource: 5 },
};
let lastText = '';
let lastHex = '';

/**
 * A UUID of version 8: ours to fill. The records of one exchange come one after the other and
 * differ in their type, which is the digit behind the version.
 */
export function recordId(type: WarcType, about: string, date: Instant): string {
  const text = `${about}\n${date}`;
  if (text !== lastText) {
    lastText = text;
    lastHex =
      hashOnce?.('sha256', text, 'hex') ?? crypto.createHash('sha256').update(text).digest('hex');
  }
  const hex = `${lastHex.slice(0, 13)}${TYPE_DIGITS[type]}${lastHex.slice(14)}`;
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return `<urn:uuid:${parts.join('-')}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}>`;
}

export function warcDate(at: Instant): string {
  return new Date(at).toISOString();
}

/** `20260131120000`: how indexes write an instant. */
export function timestamp14(at: Instant): string {
  return warcDate(at).replace(/\D/g, '').slice(0, 14);
}
