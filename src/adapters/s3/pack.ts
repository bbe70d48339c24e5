/**
 * A body as it is stored: gzip while it is small, by a compressor that is kept (quick-deflate.ts),
 * where zstd would have to find memory for each body anew; zstd beyond.
 */
import * as zlib from 'node:zlib';
import { denseMember } from '../../archive/gzip-member.ts';
import { type BlobCodec, hasZstd, type Packed } from '../../content/index.ts';
import { compress } from '../folder/blocks.ts';

/** From here on zstd is as fast, and smaller by a tenth. */
const GZIP_BYTES_MAX = 32 * 1024;
/** Larger ones would hold up the main thread for more than a fraction of a millisecond. */
const AT_ONCE_BYTES_MAX = 64 * 1024;
const AT_ONCE_BYTES_MIN = 128;
/** One chunk is enough; a page becomes a quarter of its size. */
const CHUNK_BYTES = 16 * 1024;
const FAST = 1;

export async function packed(bytes: Uint8Array, codec: BlobCodec): Promise<Packed> {
  const isSmall = bytes.length >= AT_ONCE_BYTES_MIN && bytes.length <= AT_ONCE_BYTES_MAX;
  if (codec === 'none' || !isSmall) return compress(bytes, codec);
  if (codec === 'gzip' || !hasZstd || bytes.length <= GZIP_BYTES_MAX) {
    return { codec: 'gzip', bytes: denseMember([bytes]) };
  }
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: FAST };
  // Told the size, it makes tables for that, not for half a megabyte: half of the time.
  const size = { chunkSize: CHUNK_BYTES, pledgedSrcSize: bytes.length };
  return { codec, bytes: zlib.zstdCompressSync(bytes, { params, ...size }) };
}
