/** Files in a folder, each under its name when it is whole; all of them taken back on failure. */
import { assert } from '../../base/assert.ts';
import type { NewFile, NewFiles } from '../../ports/new-files.ts';
import type { Shelf, ShelfPlace } from './warc-series.ts';

export class FolderShelf implements Shelf {
  readonly #files: NewFiles;
  readonly #folder: string;
  readonly #done: ShelfPlace[] = [];
  #file: NewFile | undefined;
  #name = '';
  #bytes = 0;

  constructor(files: NewFiles, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** The files that are whole. */
  get done(): readonly ShelfPlace[] {
    return this.#done;
  }

  async begin(name: string): Promise<void> {
    assert(this.#file === undefined, 'one file at a time');
    this.#file = await this.#files.create(this.#pathOf(name));
    this.#name = name;
    this.#bytes = 0;
  }

  async write(bytes: Uint8Array): Promise<void> {
    assert(this.#file, 'a file was begun');
    await this.#file.write(bytes);
    this.#bytes += bytes.length;
  }

  async end(): Promise<ShelfPlace> {
    assert(this.#file, 'a file was begun');
    await this.#file.done();
    this.#file = undefined;
    const place = { name: this.#name, bytes: this.#bytes };
    this.#done.push(place);
    return place;
  }

  async cancel(): Promise<void> {
    await this.#file?.cancel();
    for (const { name } of this.#done) await this.#files.remove(this.#pathOf(name));
  }

  #pathOf(name: string): string {
    return `${this.#folder}/${name}`;
  }
}
