/**
 * The index of the bodies, made new: from the packs themselves, which hold every hash.
 *
 * `MemoryBlobIndex` is the reference for the one in the shard store's engine, and enough for
 * tests and small crawls.
 */

import { isBlank } from './blank.ts';
import type { BlobEntry, BlobIndex } from './blob-store.ts';
import { expand, type PiecePlace } from './blocks.ts';
import { decodeBodyHead } from './body-head.ts';
import type { Packs, Place } from './pack.ts';

export class MemoryBlobIndex implements BlobIndex {
  readonly #places = new Map<string, PiecePlace>();

  get size(): number {
    return this.#places.size;
  }

  async get(hashes: readonly Uint8Array[]): Promise<readonly (PiecePlace | undefined)[]> {
    return hashes.map((hash) => this.#places.get(keyOf(hash)));
  }

  async put(entries: readonly BlobEntry[]): Promise<void> {
    for (const { hash, place } of entries) this.#places.set(keyOf(hash), place);
  }

  async remove(hashes: readonly Uint8Array[]): Promise<void> {
    for (const hash of hashes) this.#places.delete(keyOf(hash));
  }
}

export interface Rebuilt {
  readonly bodies: number;
  /** Where the packs hold bytes that are no whole record. */
  readonly gaps: readonly Place[];
}

const ENTRIES_PER_PUT = 1_000;

export async function rebuildBlobIndex(packs: Packs, index: BlobIndex): Promise<Rebuilt> {
  const gaps: Place[] = [];
  let entries: BlobEntry[] = [];
  let bodies = 0;
  for await (const { place, record } of packs.scan()) {
    if (record === undefined) gaps.push(place);
    if (record === undefined) continue;
    for (const { hash, from, bytes } of decodeBodyHead(await expand(record))) {
      if (isBlank(hash)) continue;
      bodies++;
      entries.push({ hash, place: { ...place, from, bytes } });
    }
    if (entries.length < ENTRIES_PER_PUT) continue;
    await index.put(entries);
    entries = [];
  }
  if (entries.length > 0) await index.put(entries);
  return { bodies, gaps };
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
}
