/**
 * Decompression bombs: a few bytes that unfold to gigabytes, made on the first request for one.
 *
 * gzip and deflate unfold to 1 GiB: gzip as members of 64 MiB in a row (RFC 1952 allows it),
 * deflate as one stream. Brotli and zstd unfold to 64 MiB, beyond any sensible limit.
 */
import * as zlib from 'node:zlib';
import { type WebAnswer, whole } from './exchange.ts';
import type { Coding } from './hosts.ts';

const MEMBER_BYTES = 64 * 1024 * 1024;
const MEMBERS = 16;
const BLOCK_BYTES = 1024 * 1024;
const ADLER_MODULUS = 65_521;

const made = new Map<Coding, Uint8Array>();

export function bomb(coding: Exclude<Coding, 'identity'>): WebAnswer {
  let bytes = made.get(coding);
  if (bytes === undefined) {
    bytes = make(coding);
    made.set(coding, bytes);
  }
  const headers = { 'content-type': 'text/html', 'content-encoding': coding };
  return whole(200, headers, bytes);
}

function make(coding: Exclude<Coding, 'identity'>): Uint8Array {
  if (coding === 'deflate') return deflateBomb(MEMBERS * MEMBER_BYTES);
  const spaces = Buffer.alloc(MEMBER_BYTES, 0x20);
  if (coding === 'gzip') {
    const member = zlib.gzipSync(spaces, { level: 9 });
    return Buffer.concat(new Array<Buffer>(MEMBERS).fill(member));
  }
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 };
  const zstd = coding === 'zstd' && 'zstdCompressSync' in zlib;
  return zstd ? zlib.zstdCompressSync(spaces) : zlib.brotliCompressSync(spaces, { params });
}

/** A block that ends at a byte and refers to nothing before it can be repeated as it is. */
function deflateBomb(bytes: number): Uint8Array {
  const block = zlib.deflateRawSync(Buffer.alloc(BLOCK_BYTES), {
    level: 9,
    finishFlush: zlib.constants.Z_FULL_FLUSH,
  });
  const blocks = new Array<Uint8Array>(bytes / BLOCK_BYTES).fill(block);
  const end = Buffer.from([0x03, 0x00, 0, 0, 0, 0]);
  end.writeUInt32BE(((bytes % ADLER_MODULUS) * 65_536 + 1) >>> 0, 2);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, end]);
}
