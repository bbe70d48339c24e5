/**
 * Gzip members (RFC 1952): a WARC file is one after the other, each with one record.
 *
 *   10 bytes head │ deflate │ CRC-32 │ length       → read from any member on, and cut at any
 *
 * What is small, or compressed already, is stored: making a compressor ready takes longer than
 * such a record is worth, and any reader of gzip reads stored blocks.
 */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import { denseDeflate, quickDeflate } from './quick-deflate.ts';

const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const STORED_BYTES_MAX = 65_535;
const BLOCK_HEAD_BYTES = 5;
const TAIL_BYTES = 8;

export function packedMember(pieces: readonly Uint8Array[]): Buffer {
  return memberOf(quickDeflate(pieces), pieces);
}

/** Smaller by a fifth, and a little later. */
export function denseMember(pieces: readonly Uint8Array[]): Buffer {
  return memberOf(denseDeflate(pieces), pieces);
}

function memberOf(packed: Uint8Array, pieces: readonly Uint8Array[]): Buffer {
  const end = HEAD.length + packed.length;
  const member = Buffer.allocUnsafe(end + TAIL_BYTES);
  member.set(HEAD);
  member.set(packed, HEAD.length);
  return tailed(member, end, pieces);
}

export function storedMember(pieces: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(pieces);
  const blocks = Math.max(1, Math.ceil(bytes.length / STORED_BYTES_MAX));
  const size = HEAD.length + blocks * BLOCK_HEAD_BYTES + bytes.length + TAIL_BYTES;
  const member = Buffer.allocUnsafe(size);
  member.set(HEAD);
  let at = HEAD.length;
  for (let from = 0, nth = 1; nth <= blocks; nth++, from += STORED_BYTES_MAX) {
    const length = Math.min(STORED_BYTES_MAX, bytes.length - from);
    member[at] = nth === blocks ? 1 : 0;
    member.writeUInt16LE(length, at + 1);
    member.writeUInt16LE(length ^ 0xffff, at + 3);
    member.set(bytes.subarray(from, from + length), at + BLOCK_HEAD_BYTES);
    at += BLOCK_HEAD_BYTES + length;
  }
  return tailed(member, at, [bytes]);
}

function tailed(member: Buffer, at: number, pieces: readonly Uint8Array[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const crc = pieces.reduce((before, piece) => crc32(piece, before), 0);
  member.writeUInt32LE(crc, at);
  member.writeUInt32LE(length % 2 ** 32, at + 4);
  return member;
}

/** `torn`: more bytes could make it whole. `broken`: none could. */
export type ReadMember =
  | { readonly kind: 'whole'; readonly bytes: Buffer; readonly length: number }
  | { readonly kind: 'torn' | 'broken'; readonly what: string };

/** The member that begins at `at`; `bytesMax` bounds what it unfolds to. */
export function memberAt(file: Uint8Array, at: number, bytesMax = 2 ** 31): ReadMember {
  const from = endOfHead(file, at);
  if (typeof from !== 'number') return from;
  try {
    const { buffer, engine } = inflated(file.subarray(from), bytesMax);
    const end = from + engine.bytesWritten;
    if (end + TAIL_BYTES > file.length) return torn('its checksum is missing');
    const tail = Buffer.from(file.buffer, file.byteOffset + end, TAIL_BYTES);
    const isRight =
      tail.readUInt32LE(0) === crc32(buffer) && tail.readUInt32LE(4) === buffer.length;
    if (!isRight) return { kind: 'broken', what: 'its checksum is wrong' };
    return { kind: 'whole', bytes: buffer, length: end + TAIL_BYTES - at };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'Z_BUF_ERROR' ? torn(message) : { kind: 'broken', what: message };
  }
}

/** As much of a member's record as these first bytes of it hold. */
export function openingOf(piece: Uint8Array): Buffer {
  const from = endOfHead(piece, 0);
  if (typeof from !== 'number') return Buffer.alloc(0);
  try {
    return inflateRawSync(piece.subarray(from), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

function inflated(bytes: Uint8Array, maxOutputLength: number) {
  const options = { info: true, maxOutputLength, finishFlush: constants.Z_FINISH };
  const done: unknown = inflateRawSync(bytes, options);
  return done as { buffer: Buffer; engine: { bytesWritten: number } };
}

const [EXTRA, NAME, COMMENT, CHECKED] = [4, 8, 16, 2];

function endOfHead(file: Uint8Array, at: number): number | ReadMember {
  for (let i = 0; i < 3; i++) {
    if (at + i >= file.length) return torn('its head is cut');
    if (file[at + i] !== HEAD[i]) return { kind: 'broken', what: 'no gzip member begins here' };
  }
  const flags = file[at + 3] ?? 0;
  let end = at + HEAD.length;
  if (flags & EXTRA) end += 2 + (file[end] ?? 0) + 256 * (file[end + 1] ?? 0);
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue;
    const zero = file.indexOf(0, end);
    if (zero === -1) return torn('its head is cut');
    end = zero + 1;
  }
  if (flags & CHECKED) end += 2;
  return end <= file.length ? end : torn('its head is cut');
}

function torn(what: string): ReadMember {
  return { kind: 'torn', what };
}
