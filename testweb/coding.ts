/** Content codings: a host uses its one coding when the asker accepts it. */
import * as zlib from 'node:zlib';
import type { WebRequest } from './exchange.ts';
import type { Coding } from './hosts.ts';

const FAST_BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };

export function compress(
  coding: Coding,
  asked: WebRequest['headers'],
  bytes: Uint8Array,
  headers: Record<string, string>,
): Uint8Array {
  if (coding === 'identity' || !String(asked['accept-encoding'] ?? '').includes(coding)) {
    return bytes;
  }
  const packed = pack(coding, bytes);
  if (packed === undefined) return bytes;
  headers['content-encoding'] = coding;
  headers.vary = 'accept-encoding';
  return packed;
}

/** Undefined where this Node lacks the coding (zstd before 22.15). */
function pack(coding: Coding, bytes: Uint8Array): Uint8Array | undefined {
  if (coding === 'gzip') return zlib.gzipSync(bytes, { level: 1 });
  if (coding === 'deflate') return zlib.deflateSync(bytes, { level: 1 });
  if (coding === 'br') return zlib.brotliCompressSync(bytes, FAST_BROTLI);
  return 'zstdCompressSync' in zlib ? zlib.zstdCompressSync(bytes) : undefined;
}
