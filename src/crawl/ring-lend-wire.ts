/**
 * What the owner of a hot host and its replicas say to each other, as bytes (D6, D8).
 *
 *   ask      0  n  seconds  region                     ─▶  wait  loan  loan …
 *   bring    1  id  where it begins  how long all is   ─▶  more, from where │ settled │ lost
 *               a piece of the result
 *
 *   loan     id  shard  url  address  fields  limits  how long it lasts
 *   result   answered │ failed │ refused │ returned
 *
 * Who reads here believes nobody: what is not exactly so is `undefined`, without a throw.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { parseIp } from '../fetch/ip.ts';
import type { LentBatch, LentRequest } from '../ports/lender.ts';
import { CALL_BYTES_MAX } from '../ports/ring-calls.ts';
import { ARCS } from '../url/index.ts';

/** Of a result in one message. */
export const PIECE_BYTES_MAX = 44 * 1024;
/** Loans in one answer. */
export const LOANS_MAX = 32;
const ID_CHARS_MAX = 100;
const REGION_CHARS_MAX = 32;
const SECONDS_MAX = 300;
const WAIT_MS_MAX = 10_000;
const FIELDS_MAX = 64;
const BYTES_MAX = 2 ** 31;
const [ASK, BRING] = [0, 1];
const ENDS = ['more', 'settled', 'lost'] as const;
const LIMITS = ['connectMs', 'firstByteMs', 'wholeMs', 'headerBytes', 'bodyBytes'] as const;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export type LendQuestion =
  | {
      readonly kind: 'ask';
      readonly n: number;
      readonly seconds: number;
      readonly region: string;
    }
  | {
      readonly kind: 'bring';
      readonly id: string;
      readonly at: number;
      readonly total: number;
      readonly piece: Uint8Array;
    };

/** `have`: how much of it is there. */
export interface BroughtSoFar {
  readonly end: (typeof ENDS)[number];
  readonly have: number;
}

const writer = new ByteWriter();

export function encodeLendQuestion(question: LendQuestion): Uint8Array {
  if (question.kind === 'ask') {
    const { n, seconds, region } = question;
    return writer.byte(ASK).varint(n).varint(seconds).text(region).take();
  }
  const { id, at, total, piece } = question;
  return writer.byte(BRING).text(id).varint(at).varint(total).raw(piece).take();
}

export function decodeLendQuestion(bytes: Uint8Array): LendQuestion | undefined {
  return read(bytes, (from): LendQuestion => {
    if (from.byte() === ASK) {
      const [n, seconds] = [upTo(from, LOANS_MAX), upTo(from, SECONDS_MAX)];
      return { kind: 'ask', n, seconds, region: text(from, REGION_CHARS_MAX) };
    }
    if (bytes[0] !== BRING) throw NONE;
    const id = text(from, ID_CHARS_MAX);
    const [at, total] = [upTo(from, BYTES_MAX), upTo(from, BYTES_MAX)];
    const piece = from.rest();
    if (piece.length === 0 || at + piece.length > total) throw NONE;
    return { kind: 'bring', id, at, total, piece };
  });
}

/** As many of the loans as fit into an answer, in their order; how many that were is `told`. */
export function encodeBatch({ requests, waitMs }: LentBatch): {
  readonly bytes: Uint8Array;
  readonly told: number;
} {
  const rows = requests.slice(0, LOANS_MAX).map(loanBytes);
  let [told, length] = [0, 8];
  for (const row of rows) {
    length += row.length;
    if (length > CALL_BYTES_MAX) break;
    told++;
  }
  writer.varint(Math.min(WAIT_MS_MAX, Math.ceil(waitMs)));
  for (const row of rows.slice(0, told)) writer.raw(row);
  return { bytes: writer.take(), told };
}

function loanBytes({ id, shard, url, address, headers, limits, forMs }: LentRequest): Uint8Array {
  const fields = Object.entries(headers);
  writer.text(id).byte(shard).text(url).text(address).varint(fields.length);
  for (const [name, value] of fields) writer.text(name).text(value);
  for (const name of LIMITS) writer.varint(Math.floor(limits[name]));
  return writer.varint(Math.max(0, Math.floor(forMs))).take();
}

export function decodeBatch(bytes: Uint8Array): LentBatch | undefined {
  return read(bytes, (from) => {
    const waitMs = upTo(from, WAIT_MS_MAX);
    const requests: LentRequest[] = [];
    while (!from.done) requests.push(readLoan(from));
    if (requests.length > LOANS_MAX) throw NONE;
    return { requests, waitMs };
  });
}

function readLoan(from: ByteReader): LentRequest {
  const [id, shard] = [text(from, ID_CHARS_MAX), from.byte()];
  const [url, address] = [from.text(), from.text()];
  const fields = Array.from({ length: upTo(from, FIELDS_MAX) }, () => [from.text(), from.text()]);
  const limits = { connectMs: 0, firstByteMs: 0, wholeMs: 0, headerBytes: 0, bodyBytes: 0 };
  for (const name of LIMITS) limits[name] = upTo(from, BYTES_MAX);
  const forMs = upTo(from, SECONDS_MAX * 1_000);
  const isSound = fields.every(([name = '', value = '']) => NAME.test(name) && VALUE.test(value));
  if (!isSound || shard >= ARCS || !isAsked(url) || parseIp(address) === undefined) throw NONE;
  return { id, shard, url, address, headers: Object.fromEntries(fields), limits, forMs };
}

/** What a crawler asks for: nothing else is asked for anybody. */
function isAsked(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username + password === '';
}

export function encodeBrought({ end, have }: BroughtSoFar): Uint8Array {
  return writer.byte(ENDS.indexOf(end)).varint(have).take();
}

export function decodeBrought(bytes: Uint8Array): BroughtSoFar | undefined {
  return read(bytes, (from) => {
    const end = ENDS[from.byte()];
    const have = upTo(from, BYTES_MAX);
    if (end === undefined || !from.done) throw NONE;
    return { end, have };
  });
}

const NONE = new RangeError('nothing that a node says');

function read<T>(bytes: Uint8Array, how: (from: ByteReader) => T): T | undefined {
  try {
    return how(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function upTo(from: ByteReader, max: number): number {
  const value = from.varint();
  if (!(value <= max)) throw NONE;
  return value;
}

function text(from: ByteReader, charsMax: number): string {
  const it = from.text();
  if (it.length > charsMax) throw NONE;
  return it;
}
