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
import type { BlobCodec } from '../../content/index.ts';
import type { Body, ErasableBlobs } from '../../ports/blob-store.ts';
import { Recent } from '../../seen/recent.ts';
import { blankPieces, isBlank } from './blank.ts';
import { appendPieces, expand, type PiecePlace, readPiece } from './blocks.ts';
import { COUNT_BYTES, decodeBodyHead, encodeBodyHead, hideBody } from './body-head.ts';
import { damaged } from './disk.ts';
import { type PackOptions, Packs, type Place } from './pack.ts';
import { Turns } from './turns.ts';

export interface BlobIndex {
  get(hashes: readonly Uint8Array[]): Promise<readonly (PiecePlace | undefined)[]>;
  put(entries: readonly BlobEntry[]): Promise<void>;
  remove(hashes: readonly Uint8Array[]): Promise<void>;
}

export interface BlobEntry {
  readonly hash: Uint8Array;
  readonly place: PiecePlace;
}

export interface FolderBlobOptions extends PackOptions {
  readonly index: BlobIndex;
  /** zstd, or gzip where this Node has no zstd, unless told. */
  readonly codec?: BlobCodec;
}

/** Bodies that repeat do so soon; about 6 MB when full. */
const RECENT_HASHES = 65_536;

export async function openFolderBlobs(options: FolderBlobOptions): Promise<FolderBlobStore> {
  return new FolderBlobStore(await Packs.open(options), options.index, options.codec ?? 'zstd');
}

/** Does the index lead to any body of a block? One without bodies is nobody's concern. */
async function isNamed(block: Place, packs: Packs, index: BlobIndex): Promise<boolean> {
  const bytes = await expand(await packs.read(block));
  const spots = bytes.length < COUNT_BYTES ? [] : decodeBodyHead(bytes);
  const hashes = spots.map(({ hash }) => hash).filter((hash) => !isBlank(hash));
  if (hashes.length === 0) return true;
  const places = await index.get(hashes);
  return places.some((place) => place !== undefined && packs.leads(place, block));
}

export class FolderBlobStore implements ErasableBlobs {
  readonly #packs: Packs;
  readonly #index: BlobIndex;
  readonly #codec: BlobCodec;
  #recent = new Recent(RECENT_HASHES);
  readonly #puts = new Turns();

  constructor(packs: Packs, index: BlobIndex, codec: BlobCodec) {
    this.#packs = packs;
    this.#index = index;
    this.#codec = codec;
  }

  get packs(): Packs {
    return this.#packs;
  }

  put(blobs: readonly Body[]): Promise<readonly boolean[]> {
    return this.#puts.take(() => this.#put(blobs));
  }

  async get(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const [place] = await this.#index.get([hash]);
    if (place === undefined) return undefined;
    const damage = (what: string, cause?: unknown) =>
      damaged(this.#packs.pathOf(place), place.at, what, cause);
    const body = await readPiece(this.#packs, place).catch((error: unknown) => {
      throw error instanceof CrawlError ? error : damage('it cannot be decompressed', error);
    });
    if (createHash('sha256').update(body).digest().compare(hash) === 0) return body;
    if (isBlank(body)) return undefined;
    throw damage('the body does not have its hash');
  }

  /** The bytes go first, then their entry: whoever dies in between can begin again. */
  remove(hashes: readonly Uint8Array[]): Promise<number> {
    return this.#puts.take(async () => {
      const found = await this.#index.get(hashes);
      const places = found.flatMap((place) => (place && this.#packs.holds(place) ? place : []));
      await blankPieces(this.#packs, places, this.#codec, hideBody);
      await this.#index.remove(hashes);
      this.#recent = new Recent(RECENT_HASHES);
      return places.length;
    });
  }

  /** After an unclean end, where the index outlives the process: bodies that it never named. */
  async wipeUnnamed(): Promise<void> {
    // A disk that is read-only today is wiped when it can be written.
    await this.#packs
      .wipeUnknown((block) => isNamed(block, this.#packs, this.#index))
      .catch(() => 0);
  }

  sync(): Promise<void> {
    return this.#packs.sync();
  }

  async close(): Promise<void> {
    await this.#puts.take(async () => {});
    await this.#packs.close();
  }

  async #put(blobs: readonly Body[]): Promise<readonly boolean[]> {
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

  async #notStored(blobs: readonly Body[], asked: readonly number[]): Promise<number[]> {
    if (asked.length === 0) return [];
    const places = await this.#index.get(asked.map((i) => (blobs[i] as Body).hash));
    return asked.filter((_, nth) => {
      const place = places[nth];
      return place === undefined || !this.#packs.holds(place);
    });
  }

  async #store(blobs: readonly Body[]): Promise<void> {
    if (blobs.length === 0) return;
    const headOf = (from: number, to: number) => encodeBodyHead(blobs.slice(from, to));
    const bytes = blobs.map((blob) => blob.bytes);
    const places = await appendPieces(this.#packs, bytes, this.#codec, headOf);
    await this.#index.put(blobs.map(({ hash }, i) => ({ hash, place: places[i] as PiecePlace })));
  }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
}
