/**
 * Bodies in memory: the reference of the `BlobStore` port, for tests and simulations.
 */
import { createHash } from 'node:crypto';
import { CrawlError } from '../../base/errors.ts';
import type { Body, ErasableBlobs } from '../../ports/blob-store.ts';

export class MemoryBlobStore implements ErasableBlobs {
  readonly #blobs = new Map<string, Uint8Array>();

  get size(): number {
    return this.#blobs.size;
  }

  async put(bodies: readonly Body[]): Promise<readonly boolean[]> {
    return bodies.map(({ hash, bytes }) => {
      const name = nameOf(hash);
      if (this.#blobs.has(name)) return false;
      this.#blobs.set(name, bytes);
      return true;
    });
  }

  async remove(hashes: readonly Uint8Array[]): Promise<number> {
    return hashes.filter((hash) => this.#blobs.delete(nameOf(hash))).length;
  }

  async get(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const body = this.#blobs.get(nameOf(hash));
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
