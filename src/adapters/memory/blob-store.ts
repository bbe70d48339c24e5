/**
 * Bodies in memory: the reference of the `BlobStore` port, for tests and simulations.
 */
import { createHash } from 'node:crypto';
import { CrawlError } from '../../base/errors.ts';
import { type Packed, unpack } from '../../content/codec.ts';
import type { BlobStore, PackedBlob } from '../../ports/blob-store.ts';

export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Packed>();

  get size(): number {
    return this.#blobs.size;
  }

  async put(blobs: readonly PackedBlob[]): Promise<readonly boolean[]> {
    return blobs.map(({ hash, codec, bytes }) => {
      const name = nameOf(hash);
      if (this.#blobs.has(name)) return false;
      this.#blobs.set(name, { codec, bytes });
      return true;
    });
  }

  async get(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const packed = this.#blobs.get(nameOf(hash));
    const body = packed && unpack(packed);
    if (body === undefined || createHash('sha256').update(body).digest().compare(hash) === 0) {
      return body;
    }
    throw new CrawlError(
      'E_STORE_DAMAGED',
      `the body ${nameOf(hash)} in memory does not have its hash`,
      'whoever put it there gave the wrong hash, or changed the bytes later',
    );
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex');
}
