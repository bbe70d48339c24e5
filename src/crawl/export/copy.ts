/**
 * An archive that was written as the crawl went, given on: its files as they are, member by
 * member, with a line for the index and for the list of pages from what stands in them.
 *
 *   request, response, metadata │ request, revisit, metadata │ …      an exchange ends with metadata
 *
 * The last exchange of a file that a crawl still writes to may be cut, and is left out. With a
 * host, only its exchanges are copied.
 */
import {
  type ArchivedExchange,
  type FoundMember,
  fieldOf,
  httpMessageIn,
  MemberStream,
  type Originals,
  type ReadWarcRecord,
  readWarcRecord,
  targetOf,
} from '../../archive/index.ts';
import type { ArchivedFile, ArchiveFiles } from '../../ports/archive.ts';
import { hostnameOf, hostOf } from '../../url/index.ts';
import {
  type ArchivedMain,
  exchangeOf,
  indexLine,
  originalOf,
  pageLineOf,
  pictureLine,
  withheldIn,
} from './copied-lines.ts';
import type { ExportTold } from './walk.ts';
import type { Shelf } from './warc-series.ts';

export interface CopyNotes {
  indexed?(line: string): Promise<void>;
  /** A line of the list of pages. */
  page?(line: string): Promise<void>;
  /** What took place, of whatever is copied. */
  exchanged?(url: string, exchange: ArchivedExchange): Promise<void>;
  /** Learns which payloads there are. */
  readonly originals?: Originals;
}

interface Member extends FoundMember {
  readonly record: ReadWarcRecord;
}

type Told = { -readonly [Name in keyof ExportTold]: number };

export async function copyArchive(
  source: ArchiveFiles,
  files: readonly ArchivedFile[],
  host: string | undefined,
  shelf: Shelf,
  notes: CopyNotes,
  signal: AbortSignal,
): Promise<ExportTold> {
  const told = { whole: 0, repeated: 0, head: 0, absent: 0, nothing: 0, damaged: 0 };
  for (const file of files) {
    await new FileCopy(file, host, shelf, notes, told).run(source, signal);
  }
  return told;
}

class FileCopy {
  readonly #file: ArchivedFile;
  readonly #name: string;
  readonly #host: string | undefined;
  readonly #shelf: Shelf;
  readonly #notes: CopyNotes;
  readonly #told: Told;
  #group: Member[] = [];
  #at = 0;

  constructor(
    file: ArchivedFile,
    host: string | undefined,
    shelf: Shelf,
    notes: CopyNotes,
    told: Told,
  ) {
    this.#file = file;
    this.#name = file.name.replace(/\.open$/, '');
    this.#host = host;
    this.#shelf = shelf;
    this.#notes = notes;
    this.#told = told;
  }

  async run(source: ArchiveFiles, signal: AbortSignal): Promise<void> {
    const stream = new MemberStream();
    await this.#shelf.begin(this.#name);
    for await (const piece of source.read(this.#file.name)) {
      signal.throwIfAborted();
      for (const member of stream.feed(piece)) await this.#take(member);
    }
    for (const member of stream.last()) await this.#take(member);
    if (stream.fault !== undefined && !this.#file.isOpen) this.#told.damaged++;
    await this.#shelf.end();
  }

  async #take(member: FoundMember): Promise<void> {
    const record = readWarcRecord(member.bytes);
    if (typeof record === 'string') return;
    // Pieces of the file are read into memory that is used again.
    this.#group.push({ ...member, record, raw: Buffer.from(member.raw) });
    if (record.type !== 'metadata' && record.type !== 'warcinfo') return;
    const group = this.#group;
    this.#group = [];
    if (this.#isMeant(group)) await this.#write(group);
  }

  #isMeant(group: readonly Member[]): boolean {
    if (this.#host === undefined || group.at(-1)?.record.type === 'warcinfo') return true;
    const url = urlOf(group);
    return url !== '' && (hostOf(url) === this.#host || hostnameOf(url) === this.#host);
  }

  async #write(group: readonly Member[]): Promise<void> {
    const about = group.at(-1)?.record;
    for (const { record, raw } of group) {
      const place = { filename: this.#name, offset: this.#at, length: raw.length };
      await this.#shelf.write(raw);
      this.#at += raw.length;
      if (record.type === 'resource') await this.#notes.indexed?.(pictureLine(record, place));
      if (record.type !== 'response' && record.type !== 'revisit') continue;
      const http = httpMessageIn(record);
      if (http === undefined || about === undefined) continue;
      await this.#note({ record, http, about, place });
    }
    this.#count(group);
    const [url, exchange] = [urlOf(group), exchangeIn(group)];
    if (url !== '' && exchange !== undefined) await this.#notes.exchanged?.(url, exchange);
  }

  async #note(main: ArchivedMain): Promise<void> {
    const line = indexLine(main);
    if (line !== undefined) await this.#notes.indexed?.(line);
    const page = pageLineOf(main);
    if (page !== undefined) await this.#notes.page?.(page);
    const original = originalOf(main.record);
    if (original !== undefined) this.#notes.originals?.add(original.payload, original.archived);
  }

  #count(group: readonly Member[]): void {
    const main = mainOf(group);
    if (main !== undefined) {
      const isCut = fieldOf(main.record.fields, 'WARC-Truncated') !== undefined;
      const isHead = isCut && httpMessageIn(main.record)?.body.length === 0;
      this.#told[main.record.type === 'revisit' ? 'repeated' : isHead ? 'head' : 'whole']++;
    } else if (group.some(({ record }) => record.type === 'metadata' && targetOf(record) !== '')) {
      this.#told.absent++;
    }
  }
}

function mainOf(group: readonly Member[]): Member | undefined {
  return group.find(({ record: { type } }) => type === 'response' || type === 'revisit');
}

/** What the exchange is about; '' for what was erased. */
function urlOf(group: readonly Member[]): string {
  const urls = group.map(({ record }) => targetOf(record));
  return urls.find((url) => /^https?:/.test(url)) ?? '';
}

function exchangeIn(group: readonly Member[]): ArchivedExchange | undefined {
  const main = mainOf(group)?.record;
  if (main !== undefined) return exchangeOf(main);
  const about = group.at(-1)?.record;
  return about?.type === 'metadata' ? withheldIn(about) : undefined;
}
