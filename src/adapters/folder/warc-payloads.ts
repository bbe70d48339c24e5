/**
 * Which payloads an archive has, also from runs before (B6): a payload that comes again is named
 * by a revisit, however long ago it was written, and nothing of that is held in memory.
 *
 *   hash → serial of a file, byte → opening of the member there → the response, if it is that one
 *
 * Notes for the index are gathered, which is cheaper; those that a kill took are found again in
 * the file that was open then, which is read through anyway (warc-mend.ts).
 *
 * The index is a hint and is never believed: a file may have been taken away, cut back after a
 * power cut, or its record erased. Then the payload is new, and is written whole.
 */
import { join } from 'node:path';
import { type Archived, originalIn } from '../../archive/index.ts';
import type { ArchivedFile } from '../../ports/archive.ts';
import { folderArchive, openEither, serialOf } from './warc-mend.ts';

export interface PayloadPlace {
  /** The number in the name of its file. */
  readonly serial: number;
  readonly at: number;
}

export interface PayloadEntry extends PayloadPlace {
  readonly payload: Uint8Array;
}

/** Promises nothing but speed: what it forgets is written once more. */
export interface PayloadIndex {
  get(payloads: readonly Uint8Array[]): Promise<readonly (PayloadPlace | undefined)[]>;
  put(entries: readonly PayloadEntry[]): Promise<void>;
  remove(payloads: readonly Uint8Array[]): Promise<void>;
}

/** More than the fields of any record of ours. */
const OPENING_BYTES = 16 << 10;
/** Far fewer than the payloads that are in memory anyway (originals.ts). */
const NOTES_MAX = 500;

export class WrittenPayloads {
  readonly #folder: string;
  readonly #index: PayloadIndex;
  #files: readonly ArchivedFile[] = [];
  #notes: PayloadEntry[] = [];

  constructor(folder: string, index: PayloadIndex) {
    this.#folder = folder;
    this.#index = index;
  }

  /** For each payload the response that has it. */
  async find(payloads: readonly Uint8Array[]): Promise<(Archived | undefined)[]> {
    const places = payloads.length === 0 ? [] : await this.#index.get(payloads);
    const found: (Archived | undefined)[] = [];
    for (const [nth, place] of places.entries()) {
      const opening = place && (await this.#openingAt(place));
      found.push(opening && originalIn(opening, payloads[nth] as Uint8Array));
    }
    return found;
  }

  async add(entries: readonly PayloadEntry[]): Promise<void> {
    this.#notes.push(...entries);
    if (this.#notes.length >= NOTES_MAX) await this.flush();
  }

  /** What cannot be noted is written whole the next time; the store tells of its trouble itself. */
  async flush(): Promise<void> {
    const notes = this.#notes;
    this.#notes = [];
    if (notes.length > 0) await this.#index.put(notes).catch(() => {});
  }

  async #openingAt({ serial, at }: PayloadPlace): Promise<Buffer | undefined> {
    const file = await this.#fileNo(serial);
    const handle = file && (await openEither(join(this.#folder, file.name), 'r').catch(() => {}));
    if (!handle) return undefined;
    try {
      const room = Buffer.allocUnsafe(OPENING_BYTES);
      const { bytesRead } = await handle.read(room, 0, room.length, at);
      return room.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async #fileNo(serial: number): Promise<ArchivedFile | undefined> {
    const isIt = ({ name }: ArchivedFile) => serialOf(name) === serial;
    const known = this.#files.find(isIt);
    if (known !== undefined) return known;
    this.#files = await folderArchive(this.#folder).list();
    return this.#files.find(isIt);
  }
}
