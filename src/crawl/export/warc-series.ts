/**
 * WARC files one after the other: a record goes to the file at hand, or begins the next one when
 * that would grow over its limit. Each file begins with its warcinfo.
 *
 * Where the files stand is a shelf's business: a folder (folder-shelf.ts), a WACZ (zip-shelf.ts).
 */
import {
  type RecordPlace,
  WARC_FILE_BYTES_MAX,
  type WarcRecord,
  type WarcSeries,
  warcFileName,
  warcinfo,
  warcMember,
} from '../../archive/index.ts';

/** One file at a time, from its name to its end. */
export interface Shelf {
  begin(name: string): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /** The file is whole. */
  end(): Promise<ShelfPlace>;
}

export interface ShelfPlace {
  readonly name: string;
  readonly bytes: number;
}

export interface WarcWriterOptions {
  readonly bytesMax?: number;
  /** The number of the first file. */
  readonly serial?: number;
}

export class WarcWriter {
  readonly #shelf: Shelf;
  readonly #series: WarcSeries;
  readonly #bytesMax: number;
  #name: string | undefined;
  #bytes = 0;
  #serial: number;

  constructor(shelf: Shelf, series: WarcSeries, options: WarcWriterOptions = {}) {
    const { bytesMax = WARC_FILE_BYTES_MAX, serial = 0 } = options;
    this.#shelf = shelf;
    this.#series = series;
    this.#bytesMax = bytesMax;
    this.#serial = serial;
  }

  /** All in one file, in this order; answers where each is. */
  async write(records: readonly WarcRecord[]): Promise<RecordPlace[]> {
    const members = records.map((record) => warcMember(record));
    const bytes = members.reduce((sum, member) => sum + member.length, 0);
    if (this.#name !== undefined && this.#bytes + bytes > this.#bytesMax) await this.end();
    const filename = this.#name ?? (await this.#begin());
    const places: RecordPlace[] = [];
    for (const member of members) {
      places.push({ filename, offset: this.#bytes, length: member.length });
      await this.#shelf.write(member);
      this.#bytes += member.length;
    }
    return places;
  }

  /** Ends the file at hand, if there is one. */
  async end(): Promise<void> {
    if (this.#name === undefined) return;
    this.#name = undefined;
    await this.#shelf.end();
  }

  async #begin(): Promise<string> {
    const name = warcFileName(this.#series, this.#serial++);
    await this.#shelf.begin(name);
    this.#name = name;
    const info = warcMember(warcinfo(this.#series, name));
    await this.#shelf.write(info);
    this.#bytes = info.length;
    return name;
  }
}
