/**
 * Entries of one ZIP file, stored one after the other. The head of an entry is put in place when
 * the entry has ended: only then are its size and checksum known.
 */
import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ZipEntry, zipDirectory, zipLocalHead } from '../../archive/index.ts';
import { assert } from '../../base/assert.ts';
import type { Instant } from '../../base/instant.ts';
import type { NewFile } from '../../ports/new-files.ts';
import type { Shelf, ShelfPlace } from './warc-series.ts';

export interface ZippedFile extends ShelfPlace {
  readonly hash: string;
}

export class ZipShelf implements Shelf {
  readonly #file: NewFile;
  readonly #now: Instant;
  readonly #entries: ZipEntry[] = [];
  readonly #done: ZippedFile[] = [];
  #folder = '';
  #entry: ZipEntry | undefined;
  #hash: Hash = createHash('sha256');
  #at = 0;

  constructor(file: NewFile, now: Instant) {
    this.#file = file;
    this.#now = now;
  }

  get done(): readonly ZippedFile[] {
    return this.#done;
  }

  /** Where the next entries stand: `archive/`. */
  in(folder: string): this {
    this.#folder = folder;
    return this;
  }

  async begin(name: string): Promise<void> {
    assert(this.#entry === undefined, 'one entry at a time');
    this.#entry = { name: this.#folder + name, at: this.#at, bytes: 0, crc32: 0 };
    this.#hash = createHash('sha256');
    await this.#append(zipLocalHead(this.#entry, this.#now));
  }

  async write(bytes: Uint8Array): Promise<void> {
    assert(this.#entry, 'an entry was begun');
    const { crc32: sum, bytes: before } = this.#entry;
    this.#entry = {
      ...this.#entry,
      crc32: crc32(bytes, sum),
      bytes: before + bytes.length,
    };
    this.#hash.update(bytes);
    await this.#append(bytes);
  }

  async end(): Promise<ZippedFile> {
    assert(this.#entry, 'an entry was begun');
    const entry = this.#entry;
    this.#entry = undefined;
    await this.#file.patch(entry.at, zipLocalHead(entry, this.#now));
    this.#entries.push(entry);
    const hash = `sha256:${this.#hash.digest('hex')}`;
    const done = { name: entry.name, bytes: entry.bytes, hash };
    this.#done.push(done);
    return done;
  }

  async add(name: string, bytes: Uint8Array): Promise<ZippedFile> {
    await this.begin(name);
    await this.write(bytes);
    return this.end();
  }

  /** The directory, after the last entry; answers the size of the file. */
  async close(): Promise<number> {
    assert(this.#entry === undefined, 'the last entry has ended');
    await this.#append(zipDirectory(this.#entries, this.#at, this.#now));
    return this.#at;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes);
    this.#at += bytes.length;
  }
}
