/**
 * Bodies in a folder: bytes in packs, places in an index (B1, C1).
 *
 *   put ─→ put a moment ago? ─→ in the index? ─→ append to the pack ─→ then to the index
 *
 * In this order, so that whatever dies in between leaves bytes that nothing points to, never a
 * pointer without bytes. The index is given: in a crawl it lives in the shard store's engine.
 */
import { createHash } from 'node:crypto';
import { CrawlError } from '../../base/errors.ts';
import { unpack } from '../../content/codec.ts';
import type { BlobStore, PackedBlob } from '../../ports/blob-store.ts';
import { Recent } from '../../seen/recent.ts';
import { damaged } from './disk.ts';
import { type PackOptions, Packs, type Place } from './pack.ts';
import type { PackRecord } from './pack-record.ts';
import { Turns } from './turns.ts';

export interface BlobIndex {
  get(hashes: readonly Uint8Array[]): Promise<readonly (Place | undefined)[]>;
  put(entries: readonly BlobEntry[]): Promise<void>;
}

export interface BlobEntry {
  readonly hash: Uint8Array;
  readonly place: Place;
}

export interface FolderBlobOptions extends PackOptions {
  readonly index: BlobIndex;
}

/** Bodies that repeat do so soon; about 6 MB when full. */
const RECENT_HASHES = 65_536;

export async function openFolderBlobs(options: FolderBlobOptions): Promise<FolderBlobStore> {
  return new FolderBlobStore(await Packs.open(options), options.index);
}

export class FolderBlobStore implements BlobStore {
  readonly #packs: Packs;
  readonly #index: BlobIndex;
  readonly #recent = new Recent(RECENT_HASHES);
  readonly #puts = new Turns();

  constructor(packs: Packs, index: BlobIndex) {
    this.#packs = packs;
    this.#index = index;
  }

  get packs(): Packs {
    return this.#packs;
  }

  put(blobs: readonly PackedBlob[]): Promise<readonly boolean[]> {
    return this.#puts.take(() => this.#put(blobs));
  }

  async get(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const [place] = await this.#index.get([hash]);
    if (place === undefined) return undefined;
    const record = await this.#packs.read(place);
    return bodyOf(record, hash, (what, cause) =>
      damaged(this.#packs.pathOf(place), place.at, what, cause),
    );
  }

  sync(): Promise<void> {
    return this.#packs.sync();
  }

  async close(): Promise<void> {
    await this.#puts.take(async () => {});
    await this.#packs.close();
  }

  async #put(blobs: readonly PackedBlob[]): Promise<readonly boolean[]> {
    const names = blobs.map(({ hash }) => nameOf(hash));
    const asked = this.#notRecent(names);
    const isNew = new Array<boolean>(blobs.length).fill(false);
    for (const i of await this.#notStored(blobs, asked)) isNew[i] = true;
    await this.#store(blobs.filter((_, i) => isNew[i]));
    for (const i of asked) this.#recent.add(names[i] as string);
    return isNew;
  }

  /** The first of each name that was not put a moment ago. */
  #notRecent(names: readonly string[]): readonly number[] {
    const inBatch = new Set<string>();
    const asked: number[] = [];
    for (const [i, name] of names.entries()) {
      if (inBatch.has(name) || this.#recent.has(name)) continue;
      inBatch.add(name);
      asked.push(i);
    }
    return asked;
  }

  async #notStored(blobs: readonly PackedBlob[], asked: readonly number[]): Promise<number[]> {
    if (asked.length === 0) return [];
    const places = await this.#index.get(asked.map((i) => (blobs[i] as PackedBlob).hash));
    return asked.filter((_, nth) => {
      const place = places[nth];
      return place === undefined || !this.#packs.holds(place);
    });
  }

  async #store(blobs: readonly PackedBlob[]): Promise<void> {
    if (blobs.length === 0) return;
    const places = await this.#packs.append(blobs);
    await this.#index.put(blobs.map(({ hash }, i) => ({ hash, place: places[i] as Place })));
  }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
}

function bodyOf(
  record: PackRecord,
  hash: Uint8Array,
  damage: (what: string, cause?: unknown) => CrawlError,
): Uint8Array {
  if (Buffer.compare(record.hash, hash) !== 0) throw damage('another body stands there');
  const body = unpacked(record, damage);
  if (createHash('sha256').update(body).digest().compare(hash) === 0) return body;
  throw damage('the body does not have its hash');
}

function unpacked(
  record: PackRecord,
  damage: (what: string, cause?: unknown) => CrawlError,
): Uint8Array {
  let body: Uint8Array | undefined;
  try {
    body = unpack(record);
  } catch (error) {
    throw damage(`the body cannot be decompressed as ${record.codec}`, error);
  }
  if (body !== undefined) return body;
  throw new CrawlError(
    'E_BLOB_CODEC',
    `a stored body is compressed with ${record.codec}, which this Node ${process.version} lacks`,
    'read it with Node 22.15 or later',
  );
}
