/**
 * Packs: bodies one after the other in a few large files, instead of a file each.
 *
 *   append(records) ─→ one write ─→ Place { file, at, length } of each
 *   read(place)     ─→ one read  ─→ the record, checked
 *
 * After kill -9 the newest file may end inside a record; open() cuts it back to the last whole
 * one. What sync() made safe is noted in `pack.synced`, so that open() looks only behind it.
 * A damaged record in the middle stays where it is, and so do the whole ones after it.
 *
 * A record can be written anew without a part of it (G1): it moves to the end, the journal says
 * where to, and its old place is wiped. Whoever knows the old place is led to the new one.
 *
 * Not here: which hash is where (blob-store.ts).
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { damaged, diskError, type GrowingFile } from './disk.ts';
import { MemoryMoves, type Move, type Moves, type Place } from './moves.ts';
import {
  blankBytes,
  decodeRecord,
  encodeRecords,
  type PackRecord,
  recordBytes,
} from './pack-record.ts';
import { type Scanned, scanRecords } from './pack-scan.ts';
import { type Patch, Segments, type Spot } from './segments.ts';

export type { Place } from './moves.ts';

export interface PackOptions {
  readonly folder: string;
  readonly packBytesMax?: number;
  /** Remembers which records have moved; without one only this process does. */
  readonly moves?: Moves;
  readonly openToWrite?: (path: string) => Promise<GrowingFile>;
}

/** A record, and the place of the one that it takes the place of. */
export interface Rewrite {
  readonly place: Place;
  readonly record: PackRecord;
}

export const PACK_BYTES_MAX = 512 * 1024 * 1024;
/** A record's place is 32 bits in its head. */
const BATCH_BYTES_MAX = 2 ** 32 - 1;
/** Blocks looked at after an unclean end: more than is written between two syncs. */
const UNSYNCED_MAX = 1_000;
const SYNCED_NAME = 'pack.synced';

export class Packs {
  readonly #folder: string;
  readonly #segments: Segments;
  readonly #journal: Moves;
  readonly #moved = new Map<string, Place>();
  /** Records behind what was synced last: whoever wrote them may have died before naming them. */
  #unsynced: readonly Place[] = [];

  private constructor(folder: string, segments: Segments, journal: Moves) {
    this.#folder = folder;
    this.#journal = journal;
    this.#segments = segments;
  }

  static async open(options: PackOptions): Promise<Packs> {
    const { folder, packBytesMax = PACK_BYTES_MAX, openToWrite } = options;
    const segments = await Segments.open({
      folder,
      prefix: 'pack-',
      suffix: '.orb',
      bytesMax: packBytesMax,
      ...(openToWrite && { openToWrite }),
    });
    const packs = new Packs(folder, segments, options.moves ?? new MemoryMoves());
    await packs.#cutTornEnd();
    await packs.#recallMoves();
    return packs;
  }

  async append(records: readonly PackRecord[]): Promise<readonly Place[]> {
    const lengths = records.map(recordBytes);
    const bytes = lengths.reduce((sum, length) => sum + length, 0);
    assert(bytes <= BATCH_BYTES_MAX, 'a batch of bodies is below 4 GB');
    const spot = await this.#segments.append(bytes, ({ at }) => encodeRecords(records, at));
    let at = spot.at;
    return lengths.map((length) => {
      at += length;
      return { file: spot.file, at: at - length, length };
    });
  }

  async read(place: Place): Promise<PackRecord> {
    for (;;) {
      const there = this.placeNow(place);
      const bytes = await this.#segments.read(there, there.length);
      if (this.placeNow(place) !== there) continue;
      const record = decodeRecord(bytes, there.at);
      if (typeof record !== 'string') return record;
      throw damaged(this.pathOf(there), there.at, record);
    }
  }

  /**
   * Other records in the place of some: the new are safe before the old are wiped, and whoever
   * dies in between leaves the wiping to the next start.
   */
  async rewrite(rewrites: readonly Rewrite[]): Promise<void> {
    if (rewrites.length === 0) return;
    const places = await this.append(rewrites.map(({ record }) => record));
    await this.sync();
    const moves = rewrites.map(({ place }, i) => {
      return { from: this.placeNow(place), to: places[i] as Place, isWiped: false };
    });
    await this.#journal.put(moves);
    for (const { from, to } of moves) this.#moved.set(nameOf(from), to);
    await this.#wipe(moves);
  }

  /**
   * Wipes what was written right before a kill and is known to nobody: a body that no index
   * names could never be erased. Answers how many records that were.
   */
  async wipeUnknown(isKnown: (place: Place) => Promise<boolean>): Promise<number> {
    const unknown: Place[] = [];
    for (const place of this.#unsynced.slice(-UNSYNCED_MAX)) {
      if (!(await isKnown(place))) unknown.push(place);
    }
    this.#unsynced = [];
    for (const { file, at, length } of unknown) {
      const bytes = blankBytes({ at, length });
      await this.#segments.overwrite(file, [{ at, bytes }]);
    }
    return unknown.length;
  }

  /** Whether what was put at the one place is found at the other now. */
  leads(from: Place, to: Place): boolean {
    return nameOf(this.placeNow(from)) === nameOf(to);
  }

  /** Whether a record lies there that took the place of another. */
  isMoved(place: Place): boolean {
    for (const to of this.#moved.values()) if (nameOf(to) === nameOf(place)) return true;
    return false;
  }

  /** Where a record is now that was put at a place once. */
  placeNow(place: Place): Place {
    let there = place;
    for (let to = this.#moved.get(nameOf(there)); to !== undefined; ) {
      there = to;
      to = this.#moved.get(nameOf(there));
    }
    return there;
  }

  async #wipe(moves: readonly Move[]): Promise<void> {
    const patches = new Map<number, Patch[]>();
    for (const { from } of moves) {
      if (!this.holds(from)) continue;
      const there = patches.get(from.file) ?? [];
      patches.set(from.file, [...there, { at: from.at, bytes: blankBytes(from) }]);
    }
    for (const [file, there] of patches) await this.#segments.overwrite(file, there);
    await this.#journal.put(moves.map((move) => ({ ...move, isWiped: true })));
  }

  async #recallMoves(): Promise<void> {
    const moves = await this.#journal.all();
    for (const { from, to } of moves) this.#moved.set(nameOf(from), to);
    const left = moves.filter(({ isWiped }) => !isWiped);
    if (left.length > 0) await this.#wipe(left);
  }

  /** Do the files reach as far as this place? After a power cut an index may know more. */
  holds(place: Place): boolean {
    return place.at + place.length <= this.#segments.sizeOf(place.file);
  }

  pathOf(place: Place): string {
    return this.#segments.pathOf(place.file);
  }

  /** Every record from the oldest on, and the gaps where none could be read. */
  async *scan(): AsyncIterable<Scanned> {
    for (const file of this.#segments.files) yield* scanRecords(this.#segments, { file, at: 0 });
  }

  async sync(): Promise<void> {
    const safe = await this.#segments.sync();
    const path = join(this.#folder, SYNCED_NAME);
    await writeFile(path, JSON.stringify(safe)).catch((error) => {
      throw diskError(error, path);
    });
  }

  close(): Promise<void> {
    return this.#segments.close();
  }

  async #cutTornEnd(): Promise<void> {
    const newest = this.#segments.end;
    let whole = await this.#syncedOf(newest);
    const unsynced: Place[] = [];
    for await (const { place, record } of scanRecords(this.#segments, {
      ...newest,
      at: whole,
    })) {
      if (record === undefined) continue;
      whole = place.at + place.length;
      unsynced.push(place);
    }
    this.#unsynced = unsynced;
    await this.#segments.cutTo(whole);
  }

  /** How much of the newest file is known to be whole; 0 when nothing is known. */
  async #syncedOf(newest: Spot): Promise<number> {
    try {
      const noted = JSON.parse(await readFile(join(this.#folder, SYNCED_NAME), 'utf8')) as Spot;
      return noted.file === newest.file && noted.at <= newest.at ? noted.at : 0;
    } catch {
      return 0;
    }
  }
}

function nameOf({ file, at }: Place): string {
  return `${file} ${at}`;
}
