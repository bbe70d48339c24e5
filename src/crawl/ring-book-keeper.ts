/**
 * The owner of arc 0 keeps the book of a ring's jobs: answers questions out of its rows (A1, D4).
 *
 * Writes follow one another, each decided by what the one before has left, and within one epoch:
 * an owner that another has replaced in between is refused by its log, or sees it here.
 */
import { type ArcTable, type TableRow, VALUE_BYTES_MAX } from '../ports/arc-table.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import { CALL_BYTES_MAX } from '../ports/ring-calls.ts';
import { NotOurs } from '../ports/tenures.ts';
import {
  type BookAnswer,
  type BookQuestion,
  bytesOf,
  ENTRIES,
  type EntryRow,
  entryFrom,
  entryKey,
  idIn,
  isEntryKey,
  questionFrom,
  seedsFrom,
  seedsKey,
} from './ring-book-wire.ts';
import { Heard } from './ring-caller.ts';

export const BOOK_ARC = 0;
/** Jobs, and pieces of 16 KiB of their seeds. */
export const BOOK_ROWS_MAX = 50_000;
const ROWS_PER_LOOK = 64;
/** What is around what it holds. */
const ANSWER_BYTES_MAX = CALL_BYTES_MAX - 4 * 1024;

type Of<Kind extends BookQuestion['kind']> = BookQuestion & { readonly kind: Kind };

export class BookKeeper {
  readonly #table: ArcTable;
  readonly #arcs: Pick<RingArcs, 'epochOf'>;
  readonly #heard = new Heard<Uint8Array>();
  #last: Promise<unknown> = Promise.resolve();
  #rows = 0;
  #countedIn = 0;

  constructor(table: ArcTable, arcs: Pick<RingArcs, 'epochOf'>) {
    this.#table = table;
    this.#arcs = arcs;
  }

  /** What is no question is answered with nothing. */
  async answer(question: Uint8Array, arc: number | undefined): Promise<Uint8Array> {
    if (arc !== BOOK_ARC) return Uint8Array.of();
    const answer = this.#heard.once(question, async (body, head) => {
      const asked = questionFrom(body);
      return asked === undefined ? Uint8Array.of() : bytesOf(await this.#do(asked, head));
    });
    return (await answer) ?? Uint8Array.of();
  }

  #do(asked: BookQuestion, head: string): Promise<BookAnswer> {
    if (asked.kind === 'all') return this.#all(asked.after);
    if (asked.kind === 'seeds') return this.#seeds(asked);
    const work = asked.kind === 'add' ? () => this.#add(asked, head) : () => this.#put(asked, head);
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #put({ kind, entry }: Of<'open' | 'put'>, head: string): Promise<BookAnswer> {
    const epoch = this.#arcs.epochOf(BOOK_ARC);
    const before = await this.#entryOf(entry.id);
    if (before !== undefined && kind === 'open') return { isNew: before.by === head };
    const value = Buffer.from(JSON.stringify({ by: before?.by ?? head, entry }));
    if (value.length > VALUE_BYTES_MAX || (before === undefined && (await this.#isFull()))) {
      return { isFull: true };
    }
    await this.#write(epoch, { key: entryKey(entry.id), value });
    return { isNew: before === undefined };
  }

  async #add({ job, at, urls }: Of<'add'>, head: string): Promise<BookAnswer> {
    const epoch = this.#arcs.epochOf(BOOK_ARC);
    if (await this.#isFull()) return { isFull: true };
    await this.#write(epoch, { key: seedsKey(job, at, head), value: Buffer.from(urls) });
    return { isNew: true };
  }

  async #write(epoch: number | undefined, row: TableRow): Promise<void> {
    if (epoch === undefined || this.#arcs.epochOf(BOOK_ARC) !== epoch)
      throw new NotOurs([BOOK_ARC]);
    await this.#table.put(BOOK_ARC, [row]);
    this.#rows++;
  }

  /** Counted once in an epoch; a row that is written anew counts twice until the next. */
  async #isFull(): Promise<boolean> {
    const epoch = this.#arcs.epochOf(BOOK_ARC);
    if (epoch === undefined) throw new NotOurs([BOOK_ARC]);
    if (this.#countedIn !== epoch) {
      this.#rows = await this.#table.count(BOOK_ARC, BOOK_ROWS_MAX);
      this.#countedIn = epoch;
    }
    return this.#rows >= BOOK_ROWS_MAX;
  }

  async #entryOf(id: number): Promise<EntryRow | undefined> {
    const before = id === 0 ? ENTRIES : entryKey(id - 1);
    const [row] = await this.#table.rows(BOOK_ARC, before, 1);
    if (row === undefined || !entryKey(id).equals(row.key)) return undefined;
    return entryFrom(row.value);
  }

  async #all(after: number | undefined): Promise<BookAnswer> {
    const from = after === undefined ? ENTRIES : entryKey(after);
    const rows = await this.#table.rows(BOOK_ARC, from, ROWS_PER_LOOK);
    const found = rows.filter(({ key }) => isEntryKey(key));
    const fitting = fittingOf(found);
    const entries = fitting.flatMap(({ value }) => entryFrom(value)?.entry ?? []);
    const isMore = fitting.length < found.length || found.length === ROWS_PER_LOOK;
    const last = fitting.at(-1);
    return { entries, ...(isMore && last && { after: idIn(last.key) }) };
  }

  async #seeds({ job, after }: Of<'seeds'>): Promise<BookAnswer> {
    const from = seedsFrom(job);
    const start = after === undefined ? from : Buffer.from(after, 'hex');
    const rows = await this.#table.rows(BOOK_ARC, start, ROWS_PER_LOOK);
    const found = rows.filter(({ key }) => from.equals(key.subarray(0, from.length)));
    const fitting = fittingOf(found);
    const urls = fitting.flatMap(({ value }) => Buffer.from(value).toString().split('\n'));
    const isMore = fitting.length < found.length || found.length === ROWS_PER_LOOK;
    const last = fitting.at(-1);
    return { urls, ...(isMore && last && { after: Buffer.from(last.key).toString('hex') }) };
  }
}

/** As many as an answer holds, and one at least. */
function fittingOf(rows: readonly TableRow[]): readonly TableRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ value }) => {
    bytes += value.length;
    return bytes > ANSWER_BYTES_MAX;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}
