/**
 * An archive in a folder: WARC files, of which the newest grows (B6).
 *
 *   orb-20260131120000-00000-myhost.warc.gz   …-00001-myhost.warc.gz.open ← put()
 *
 * An exchange is request, response and metadata behind each other, each a gzip member, written at
 * once at a known place: whatever dies leaves at most a ragged end, which the next start cuts off
 * (warc-mend.ts). `.open` goes when nothing more is written to a file. A payload that was written
 * before, by whichever run, is named: the latest are in memory, all in an index (warc-payloads.ts).
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Archived,
  decodedName,
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
import { NamedPages, type UrlsOf } from './named-pages.ts';
import { Turns } from './turns.ts';
import { mendFolder, OPEN_SUFFIX } from './warc-mend.ts';
import { type PayloadEntry, type PayloadIndex, WrittenPayloads } from './warc-payloads.ts';

export interface WarcArchiveOptions {
  readonly folder: string;
  readonly series: WarcSeries;
  readonly fileBytesMax?: number;
  /** Remembers payloads over a restart; without it only those of this run are named. */
  readonly payloads?: PayloadIndex;
  /** The URLs of pages, by their keys: to say which page named another. */
  readonly urlsOf?: UrlsOf;
  readonly openToWrite?: (path: string) => Promise<GrowingFile>;
}

export async function openWarcArchive(options: WarcArchiveOptions): Promise<WarcArchive> {
  const { folder } = options;
  try {
    return new WarcArchive(options, await mendFolder(folder, options.payloads));
  } catch (error) {
    throw diskError(error, folder);
  }
}

const UNMODIFIED = 304;

/** The members of exchanges that go into one file together. */
interface Batch {
  readonly members: Buffer[];
  /** New payloads, and how far behind the first member their response is. */
  readonly payloads: { readonly payload: Uint8Array; readonly at: number }[];
  bytes: number;
}

export class WarcArchive implements Archive {
  readonly #options: WarcArchiveOptions;
  readonly #originals = new Originals();
  readonly #written: WrittenPayloads | undefined;
  readonly #named: NamedPages;
  readonly #turns = new Turns();
  #serial: number;
  #path = '';
  #file: GrowingFile | undefined;
  #bytes = 0;
  #hasExchanges = false;
  #isRagged = false;
  #forgetting = 0;
  /** There is no file of a run before. */
  readonly #isFirstRun: boolean;

  constructor(options: WarcArchiveOptions, serial: number) {
    const { folder, payloads, urlsOf } = options;
    this.#options = options;
    this.#written = payloads && new WrittenPayloads(folder, payloads);
    this.#named = new NamedPages(urlsOf);
    this.#serial = serial;
    this.#isFirstRun = serial === 0;
  }

  put(exchanges: readonly Exchanged[]): Promise<void> {
    return this.#turns.take(() => this.#trying(() => this.#put(exchanges)));
  }

  /** While `work` takes records out nothing is named, and afterwards only what it left. */
  async forgetting<T>(work: () => Promise<T>): Promise<T> {
    this.#forgetting++;
    try {
      // What is noted now goes before the records do, or it would come back behind them.
      await this.#turns.take(async () => this.#written?.flush());
      return await work();
    } finally {
      this.#originals.clear();
      this.#named.clear();
      this.#forgetting--;
    }
  }

  sync(): Promise<void> {
    return this.#turns.take(() => this.#trying(() => this.#sync()));
  }

  close(): Promise<void> {
    return this.#turns.take(() => this.#trying(() => this.#endFile()));
  }

  async #put(exchanges: readonly Exchanged[]): Promise<void> {
    const most = this.#options.fileBytesMax ?? WARC_FILE_BYTES_MAX;
    const payloads = exchanges.map(payloadOf);
    await this.#recall(exchanges, payloads);
    const vias = await this.#named.find(exchanges.map(({ parent }) => parent));
    let batch: Batch = { members: [], payloads: [], bytes: 0 };
    for (const [nth, exchanged] of exchanges.entries()) {
      const payload = payloads[nth] as Uint8Array;
      const { members, names } = this.#membersOf(exchanged, payload, vias[nth]);
      const bytes = members.reduce((sum, member) => sum + member.length, 0);
      if (this.#file === undefined) await this.#beginFile();
      const isFull = this.#bytes + batch.bytes + bytes > most;
      if (isFull && (this.#hasExchanges || batch.bytes > 0)) {
        await this.#write(batch);
        await this.#endFile();
        await this.#beginFile();
        batch = { members: [], payloads: [], bytes: 0 };
      }
      const at = batch.bytes + (members[0]?.length ?? 0);
      for (const name of names) batch.payloads.push({ payload: name, at });
      batch.members.push(...members);
      batch.bytes += bytes;
    }
    await this.#write(batch);
  }

  /** What a run before wrote, or this one long ago, is named like what was written just now. */
  async #recall(exchanges: readonly Exchanged[], payloads: readonly Uint8Array[]) {
    if (this.#written === undefined || this.#forgetting > 0) return;
    if (this.#isFirstRun && this.#originals.isWhole) return;
    const isNew = (one: Uint8Array) => one !== NO_BODY && this.#originals.find(one) === undefined;
    const decoded = exchanges.flatMap(({ beforeHash }) => beforeHash ?? []).map(decodedName);
    const unknown = [...payloads, ...decoded].filter(isNew);
    for (const [nth, original] of (await this.#written.find(unknown)).entries()) {
      if (original !== undefined) this.#originals.add(unknown[nth] as Uint8Array, original);
    }
  }

  #membersOf(exchanged: Exchanged, payload: Uint8Array, via: string | undefined) {
    const repeats = this.#repeatedBy(exchanged, payload);
    const { records, original } = exchangeRecords(exchanged, payload, { repeats, via });
    const members = records.map((record) => exchangeMember(record, exchanged));
    if (original === undefined) return { members, names: [] };
    const { contentHash } = exchanged;
    const names = contentHash === undefined ? [payload] : [payload, decodedName(contentHash)];
    for (const name of names) this.#originals.add(name, { ...original, payload });
    return { members, names };
  }

  #repeatedBy({ answer, beforeHash }: Exchanged, payload: Uint8Array): Archived | undefined {
    if (payload === NO_BODY || this.#forgetting > 0) return undefined;
    const same = this.#originals.find(payload);
    const isUnmodified = answer.status === UNMODIFIED && beforeHash !== undefined;
    return same ?? (isUnmodified ? this.#originals.find(decodedName(beforeHash)) : undefined);
  }

  async #write({ members, payloads, bytes }: Batch): Promise<void> {
    if (members.length === 0) return;
    const file = this.#file;
    assert(file !== undefined, 'a file was begun');
    try {
      if (this.#isRagged) await this.#cut(file);
      await writeAll(file, members, this.#bytes);
    } catch (error) {
      this.#isRagged = true;
      // What was not written cannot be named by what comes later.
      this.#originals.clear();
      await this.#cut(file).catch(() => {});
      throw error;
    }
    const [serial, from] = [this.#serial - 1, this.#bytes];
    const placed = ({ payload, at }: (typeof payloads)[number]): PayloadEntry => {
      return { payload, serial, at: from + at };
    };
    this.#bytes += bytes;
    this.#hasExchanges = true;
    await this.#written?.add(payloads.map(placed));
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

  async #sync(): Promise<void> {
    await this.#written?.flush();
    await this.#file?.datasync();
  }

  async #endFile(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    await this.#written?.flush();
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

/** `NO_BODY` itself for all that have none; of a 304 that of the page that it stands for. */
function payloadOf({ body, bodyHash, answer, beforeHash }: Exchanged): Uint8Array {
  if (answer.status === UNMODIFIED && beforeHash !== undefined) return beforeHash;
  if (body.length === 0) return NO_BODY;
  return bodyHash ?? hashOf(body);
}

function hashOf(body: Uint8Array): Buffer {
  return Buffer.from(sha256Of(body).slice('sha256:'.length), 'hex');
}
