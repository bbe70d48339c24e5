/**
 * How stored bytes are compressed: zstd where this Node has it, else gzip.
 *
 * Level 1 of either: a crawl is limited by CPU, and the next level costs twice the time for a
 * few per cent of the room.
 */
import * as zlib from 'node:zlib';

export type BlobCodec = 'none' | 'gzip' | 'zstd';
export const BLOB_CODECS: readonly BlobCodec[] = ['none', 'gzip', 'zstd'];

export const hasZstd = typeof zlib.zstdCompressSync === 'function';

export interface Packed {
  readonly codec: BlobCodec;
  readonly bytes: Uint8Array;
}
