/**
 * Bodies in a bucket of any S3 server (B1, C1).
 *
 *   put ─▶ compress ─▶ write `prefix/ab/HASH` if nothing is there ─▶ written, or there already
 *
 * The key is the hash, so whoever writes it writes the same bytes, and the server decides who was
 * first. One that cannot is asked before each write. A body is whole or not there: large ones go
 * in parts that become an object at the end. What is read must have its hash.
 *
 * Not here: how long a body waits while the server is away; put() gives up after a while with
 * `E_STORE_DOWN`, and the caller still has the body.
 */
import { createHash } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { CrawlError } from '../../base/errors.ts';
import type { BlobCodec, Packed } from '../../content/index.ts';
import type { Body, ErasableBlobs } from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import { expand } from '../folder/blocks.ts';
import { loadDriver, PATIENCE, type Patience, S3Line, type S3Place } from './driver.ts';
import { packed } from './pack.ts';
import { writeParts } from './parts.ts';
import { isContested, isMissing, isThere, isUnknownToServer, problemOf } from './problems.ts';
import type { Putter } from './put.ts';

export interface S3BlobOptions extends S3Place {
  readonly clock: Clock;
  /** Of bodies that are not small (pack.ts): zstd, or gzip where this Node has none, unless told. */
  readonly codec?: BlobCodec;
  readonly patience?: Patience;
  /** Bodies on their way at once. */
  readonly concurrency?: number;
  /** Larger ones go in parts of this size. */
  readonly partBytes?: number;
}

const CONCURRENCY = 32;
/** A commit's worth: smaller ones would cost the engines more than the waiting does. */
const PAGES_AHEAD = 64;
const PART_BYTES = 8 << 20;
/** Attempts to write a body that others write at the same instant. */
const TRIES = 4;

/** Rejects when the bucket is not there or does not let us in, rather than at the first page. */
export async function openS3Blobs(options: S3BlobOptions): Promise<S3BlobStore> {
  const driver = await loadDriver();
  const line = new S3Line(driver, options, options.clock, options.patience ?? PATIENCE);
  const store = new S3BlobStore(line, options);
  try {
    await store.look();
    return store;
  } catch (error) {
    await store.close();
    throw problemOf(error, options);
  }
}

export class S3BlobStore implements ErasableBlobs {
  readonly pagesAhead = PAGES_AHEAD;
  readonly #line: S3Line;
  readonly #options: S3BlobOptions;
  #putter: Putter | undefined;
  /** Does the server write only where nothing is? Until it says that it cannot. */
  #isConditional = true;
  /** A removed object leaves old versions behind. */
  #keepsVersions = false;

  constructor(line: S3Line, options: S3BlobOptions) {
    this.#line = line;
    this.#options = options;
  }

  async look(): Promise<void> {
    this.#putter = await this.#line.putter(this.#options.concurrency ?? CONCURRENCY);
    const { bucket: Bucket } = this.#options;
    const versioning = new this.#line.driver.GetBucketVersioningCommand({ Bucket });
    const told = await this.#line
      .ask((client, asking) => client.send(versioning, asking))
      .catch(() => undefined);
    this.#keepsVersions = told?.Status !== undefined;
  }

  async put(bodies: readonly Body[]): Promise<readonly boolean[]> {
    const firsts = new Map(
      bodies.map((body, i) => [hexOf(body.hash), i]).reverse() as [string, number][],
    );
    const isNew = new Array<boolean>(bodies.length).fill(false);
    await this.#each([...firsts.values()], async (i) => {
      isNew[i] = await this.#putOne(bodies[i] as Body);
    });
    return isNew;
  }

  async get(hash: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      const body = await this.#read(hash);
      if (hasHash(body, hash)) return body;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw problemOf(error, this.#options);
    }
    throw damaged(this.#keyOf(hash), this.#options.bucket, 'it does not have its hash');
  }

  async remove(hashes: readonly Uint8Array[]): Promise<number> {
    let removed = 0;
    const distinct = new Map(hashes.map((hash) => [hexOf(hash), hash]));
    await this.#each([...distinct.values()], async (hash) => {
      const Key = this.#keyOf(hash);
      const isStored = await this.#isStored(Key);
      if (isStored || this.#keepsVersions) await this.#delete(Key);
      if (isStored) removed++;
    });
    return removed;
  }

  /** What the server has acknowledged is its own to keep. */
  async sync(): Promise<void> {}

  async close(): Promise<void> {
    this.#putter?.close();
    this.#line.client.destroy();
  }

  async #putOne({ hash, bytes }: Body): Promise<boolean> {
    const body = await packed(bytes, this.#options.codec ?? 'zstd');
    const Key = this.#keyOf(hash);
    for (let tries = 1; ; tries++) {
      if (!this.#isConditional && (await this.#isStored(Key))) return false;
      try {
        await this.#write(Key, body);
        return true;
      } catch (error) {
        if (isThere(error)) return false;
        if (isUnknownToServer(error) && this.#isConditional) this.#isConditional = false;
        else if (!isContested(error) || tries >= TRIES) throw error;
      }
    }
  }

  /** Throws what `isThere` knows when another has written it. */
  async #write(Key: string, { codec, bytes }: Packed): Promise<void> {
    const encoding = codec === 'none' ? undefined : codec;
    const { partBytes = PART_BYTES, bucket: Bucket } = this.#options;
    const isFirst = this.#isConditional;
    if (bytes.length > partBytes) {
      const object = { Bucket, Key, ...(encoding && { ContentEncoding: encoding }) };
      const condition = isFirst ? { IfNoneMatch: '*' } : {};
      return writeParts(this.#line, object, bytes, partBytes, condition);
    }
    const putter = this.#putter;
    assert(putter !== undefined, 'a store is looked at before it is used');
    let tries = 0;
    await this.#line.ask(async (_, { leftMs }) => {
      tries++;
      const put = putter.put({ key: Key, bytes, encoding, isFirst }, leftMs);
      await put.catch((error: unknown) => {
        // Of two attempts the first may have written it, and only its answer was lost.
        if (tries === 1 || !isThere(error)) throw error;
      });
    });
  }

  /** The bytes, expanded. */
  async #read(hash: Uint8Array): Promise<Uint8Array> {
    const [Bucket, Key] = [this.#options.bucket, this.#keyOf(hash)];
    const get = new this.#line.driver.GetObjectCommand({ Bucket, Key });
    const object = await this.#line.ask(async (client, asking) => {
      const { Body, ContentEncoding, ContentLength } = await client.send(get, asking);
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array(0);
      if (bytes.length < (ContentLength ?? 0)) throw new Error('the line broke');
      return { bytes, encoding: ContentEncoding };
    });
    const codec = codecOf(object.encoding);
    if (codec === undefined) {
      throw damaged(Key, Bucket, `its encoding ${object.encoding} is none of ours`);
    }
    return expand({ codec, bytes: object.bytes }).catch((cause: unknown) => {
      if (cause instanceof CrawlError) throw cause;
      throw damaged(Key, Bucket, 'it cannot be decompressed', cause);
    });
  }

  async #isStored(Key: string): Promise<boolean> {
    const head = new this.#line.driver.HeadObjectCommand({ Bucket: this.#options.bucket, Key });
    try {
      await this.#line.ask((client, asking) => client.send(head, asking));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async #delete(Key: string): Promise<void> {
    const { bucket: Bucket } = this.#options;
    const versions = this.#keepsVersions ? await this.#versionsOf(Key) : [undefined];
    for (const VersionId of versions) {
      const one = { Bucket, Key, ...(VersionId && { VersionId }) };
      await this.#line.ask((client, asking) =>
        client.send(new this.#line.driver.DeleteObjectCommand(one), asking),
      );
    }
  }

  /** Those of a body that somebody deleted by hand, too. */
  async #versionsOf(Key: string): Promise<readonly string[]> {
    const list = new this.#line.driver.ListObjectVersionsCommand({
      ...{ Bucket: this.#options.bucket, Prefix: Key },
    });
    const listed = await this.#line.ask((client, asking) => client.send(list, asking));
    const all = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])];
    return all.flatMap((one) => (one.Key === Key ? (one.VersionId ?? []) : []));
  }

  /** In lanes: as many at once as are allowed. The first failure ends it, said in our words. */
  async #each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const left = items.values();
    let isFailed = false;
    const lane = async () => {
      for (const item of left) {
        if (isFailed) return;
        await work(item).catch((error: unknown) => {
          isFailed = true;
          throw problemOf(error, this.#options);
        });
      }
    };
    const lanes = Math.min(items.length, this.#options.concurrency ?? CONCURRENCY);
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  #keyOf(hash: Uint8Array): string {
    const hex = hexOf(hash);
    return `${this.#options.prefix ?? ''}${hex.slice(0, 2)}/${hex}`;
  }
}

function codecOf(encoding: string | undefined): BlobCodec | undefined {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return 'none';
  return encoding === 'gzip' || encoding === 'zstd' ? encoding : undefined;
}

function hasHash(body: Uint8Array, hash: Uint8Array): boolean {
  return createHash('sha256').update(body).digest().compare(hash) === 0;
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex');
}

function damaged(key: string, bucket: string, what: string, cause?: unknown): CrawlError {
  return new CrawlError(
    'E_STORE_DAMAGED',
    `the body ${key} in the bucket ${bucket} is damaged: ${what}`,
    'delete the object: the page is fetched and stored again at its next visit',
    cause,
  );
}
