/**
 * An archive in a folder: WARC files, of which the newest grows (B6).
 *
 *   orb-20260131120000-00000-myhost.warc.gz   …-00001-myhost.warc.gz.open ← put()
 *
 * An exchange is request, response and metadata behind each other, each a gzip member, written at
 * once at a known place: whatever dies leaves at most a ragged end, which the next start cuts off
 * (warc-mend.ts). `.open` goes when nothing more is written to a file.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Exchanged,
  exchangeMember,
  exchangeRecords,
  NO_BODY,
  Originals,
  sha256Of,
  WARC_FILE_BYTES_MAX,
  type WarcSeries,
  warcFileName,
  warcinfo,
  warcMember,
} from '../../archive/index.ts';
import { assert } from '../../base/assert.ts';
import type { Archive } from '../../ports/archive.ts';
import { diskError, type GrowingFile, syncFolder, writeAll } from './disk.ts';
import { openGrowingFile } from './growing-file.ts';
import { Turns } from './turns.ts';
import { mendFolder, OPEN_SUFFIX } from './warc-mend.ts';

export interface WarcArchiveOptions {
  readonly folder: string;
  readonly series: WarcSeries;
  readonly fileBytesMax?: number;
  readonly openToWrite?: (path: string) => Promise<GrowingFile>;
}

export async function openWarcArchive(options: WarcArchiveOptions): Promise<WarcArchive> {
  const { folder } = options;
  try {
    return new WarcArchive(options, await mendFolder(folder));
  } catch (error) {
    throw diskError(error, folder);
  }
}

/** The members of exchanges that go into one file together. */
interface Batch {
  readonly members: Buffer[];
  bytes: number;
}

export class WarcArchive implements Archive {
  readonly #options: WarcArchiveOptions;
  readonly #originals = new Originals();
  readonly #turns = new Turns();
  #serial: number;
  #path = '';
  #file: GrowingFile | undefined;
  #bytes = 0;
  #hasExchanges = false;
  #isRagged = false;

  constructor(options: WarcArchiveOptions, serial: number) {
    this.#options = options;
    this.#serial = serial;
  }

  put(exchanges: readonly Exchanged[]): Promise<void> {
    return this.#turns.take(() => this.#trying(() => this.#put(exchanges)));
  }

  /** What was written may not be named any more. */
  forget(): void {
    this.#originals.clear();
  }

  sync(): Promise<void> {
    return this.#turns.take(() => this.#trying(async () => this.#file?.datasync()));
  }

  close(): Promise<void> {
    return this.#turns.take(() => this.#trying(() => this.#endFile()));
  }

  async #put(exchanges: readonly Exchanged[]): Promise<void> {
    const most = this.#options.fileBytesMax ?? WARC_FILE_BYTES_MAX;
    let batch: Batch = { members: [], bytes: 0 };
    for (const exchanged of exchanges) {
      const members = this.#membersOf(exchanged);
      const bytes = members.reduce((sum, member) => sum + member.length, 0);
      if (this.#file === undefined) await this.#beginFile();
      const isFull = this.#bytes + batch.bytes + bytes > most;
      if (isFull && (this.#hasExchanges || batch.bytes > 0)) {
        await this.#write(batch);
        await this.#endFile();
        await this.#beginFile();
        batch = { members: [], bytes: 0 };
      }
      batch.members.push(...members);
      batch.bytes += bytes;
    }
    await this.#write(batch);
  }

  #membersOf(exchanged: Exchanged): Buffer[] {
    const { body, bodyHash, withheld } = exchanged;
    const payload = body.length === 0 ? NO_BODY : (bodyHash ?? hashOf(body));
    const repeats = body.length === 0 ? undefined : this.#originals.find(payload);
    const { records, original } = exchangeRecords(exchanged, payload, repeats);
    if (original !== undefined && withheld === undefined) this.#originals.add(payload, original);
    return records.map((record) => exchangeMember(record, exchanged));
  }

  async #write({ members, bytes }: Batch): Promise<void> {
    if (members.length === 0) return;
    const file = this.#file;
    assert(file !== undefined, 'a file was begun');
    try {
      if (this.#isRagged) await this.#cut(file);
      await writeAll(file, members, this.#bytes);
      this.#bytes += bytes;
      this.#hasExchanges = true;
    } catch (error) {
      this.#isRagged = true;
      // What was not written cannot be named by what comes later.
      this.#originals.clear();
      await this.#cut(file).catch(() => {});
      throw error;
    }
  }

  async #cut(file: GrowingFile): Promise<void> {
    await file.truncate(this.#bytes);
    this.#isRagged = false;
  }

  async #beginFile(): Promise<void> {
    const { folder, series, openToWrite = openGrowingFile } = this.#options;
    const name = warcFileName(series, this.#serial);
    const path = join(folder, name);
    const info = warcMember(warcinfo(series, name));
    const file = await openToWrite(path + OPEN_SUFFIX);
    try {
      await writeAll(file, [info], 0);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#serial++;
    this.#path = path;
    this.#bytes = info.length;
    this.#file = file;
    this.#hasExchanges = false;
  }

  async #endFile(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    if (this.#isRagged) await this.#cut(file);
    await file.datasync();
    await file.close();
    this.#file = undefined;
    this.#bytes = 0;
    await rename(this.#path + OPEN_SUFFIX, this.#path);
    await syncFolder(this.#options.folder);
  }

  async #trying(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      throw diskError(error, this.#path || this.#options.folder);
    }
  }
}

function hashOf(body: Uint8Array): Buffer {
  return Buffer.from(sha256Of(body).slice('sha256:'.length), 'hex');
}
