/**
 * How stored bytes are compressed: zstd where this Node has it, else gzip.
 *
 * Level 1 of either: a crawl is limited by CPU, and the next level costs twice the time for a
 * few per cent of the room.
 */
import * as zlib from 'node:zlib';

export type BlobCodec = 'none' | 'gzip' | 'zstd';
export const BLOB_CODECS: readonly BlobCodec[] = ['none', 'gzip', 'zstd'];

/** Bytes shorter than this are not worth a frame. */
const COMPRESS_FROM_BYTES = 128;
const ZSTD_LEVEL = 1;

export const hasZstd = typeof zlib.zstdCompressSync === 'function';

export interface Packed {
  readonly codec: BlobCodec;
  readonly bytes: Uint8Array;
}

export function pack(bytes: Uint8Array, wanted: BlobCodec): Packed {
  if (wanted === 'none' || bytes.length < COMPRESS_FROM_BYTES) return { codec: 'none', bytes };
  if (wanted === 'zstd' && hasZstd) return { codec: 'zstd', bytes: zstd(bytes) };
  return { codec: 'gzip', bytes: zlib.gzipSync(bytes, { level: 1 }) };
}

function zstd(bytes: Uint8Array): Uint8Array {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
  return zlib.zstdCompressSync(bytes, { params });
}

/** Undefined when this Node cannot undo the codec. */
export function unpack(packed: Packed): Uint8Array | undefined {
  switch (packed.codec) {
    case 'none':
      return packed.bytes;
    case 'gzip':
      return zlib.gunzipSync(packed.bytes);
    case 'zstd':
      return hasZstd ? zlib.zstdDecompressSync(packed.bytes) : undefined;
  }
}
