/** A trace as it is stored: a codec byte, then the packed block of `../record/trace.ts`. */
import { CrawlError } from '../base/errors.ts';
import { decodeTrace, type Trace } from '../record/index.ts';
import { BLOB_CODECS, type BlobCodec, pack, unpack } from './codec.ts';

export function packTrace(block: Uint8Array, wanted: BlobCodec): Buffer {
  const { codec, bytes } = pack(block, wanted);
  const stored = Buffer.allocUnsafe(bytes.length + 1);
  stored[0] = BLOB_CODECS.indexOf(codec);
  stored.set(bytes, 1);
  return stored;
}

export function unpackTrace(stored: Uint8Array): Trace {
  const codec = BLOB_CODECS[stored[0] as number];
  const bytes = codec && unpack({ codec, bytes: stored.subarray(1) });
  if (bytes === undefined) {
    throw new CrawlError(
      'E_BLOB_CODEC',
      `the links of this page are stored with ${codec ?? 'an unknown codec'}`,
      'read the crawl folder with Node 22.15 or later',
    );
  }
  return decodeTrace(bytes);
}
