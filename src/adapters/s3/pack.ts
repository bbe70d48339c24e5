/**
 * A body as it is stored. A small one is compressed at once: its way to the thread pool and back
 * costs several times what the compression does.
 */
import * as zlib from 'node:zlib';
import { type BlobCodec, hasZstd, type Packed } from '../../content/index.ts';
import { compress } from '../folder/blocks.ts';

/** Larger ones would hold up the main thread for more than a fraction of a millisecond. */
const AT_ONCE_BYTES_MAX = 64 * 1024;
const AT_ONCE_BYTES_MIN = 128;
/** One chunk is enough; a page becomes a quarter of its size. */
const CHUNK_BYTES = 16 * 1024;
const FAST = 1;

export async function packed(bytes: Uint8Array, codec: BlobCodec): Promise<Packed> {
  const isSmall = bytes.length >= AT_ONCE_BYTES_MIN && bytes.length <= AT_ONCE_BYTES_MAX;
  if (codec === 'none' || !isSmall) return compress(bytes, codec);
  if (codec === 'gzip' || !hasZstd) {
    return { codec: 'gzip', bytes: zlib.gzipSync(bytes, { level: FAST, chunkSize: CHUNK_BYTES }) };
  }
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: FAST };
  // Told the size, it makes tables for that, not for half a megabyte: half of the time.
  const size = { chunkSize: CHUNK_BYTES, pledgedSrcSize: bytes.length };
  return { codec, bytes: zlib.zstdCompressSync(bytes, { params, ...size }) };
}
