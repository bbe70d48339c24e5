/**
 * The near-index in the embedded store (content/near.ts says how it finds): an original is in
 * two rows, one under each half of its fingerprint (near-rows.ts). A filter in memory, made
 * again from the rows after a start, keeps nearly every question from the disk.
 *
 * While the filter is not complete a duplicate may be missed; nothing is ever found that is not
 * there.
 *
 * Where many pages speak alike (a large site on one subject) the same rows are asked for again
 * and again: those that were read are kept for a while (near-cache.ts).
 */
import {
  bitsIn,
  chooseOriginals,
  type Halves,
  halvesOf,
  NEAR_BITS_MAX,
  NearFilter,
  type Original,
  PROBES,
  probe,
  type Side,
} from '../../content/index.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import * as keys from './keys.ts';
import type { LsmRows } from './lsm.ts';
import { RowCache } from './near-cache.ts';
import * as rows from './near-rows.ts';

const ROWS_PER_READ = 10_000;
const SIDES: readonly Side[] = [0, 1];
const NO_ROW = Buffer.alloc(0);

export class EmbeddedNearIndex implements NearIndex {
  readonly #lsm: LsmRows;
  readonly #cache: RowCache;
  readonly #filter: NearFilter;
  #last: Promise<unknown> = Promise.resolve();
  #recalling: Promise<void> | undefined;
  /** The filter knows every row. */
  #isComplete = false;
  #isClosed = false;

  constructor(lsm: LsmRows, filter = new NearFilter()) {
    this.#lsm = lsm;
    this.#cache = new RowCache(lsm);
    this.#filter = filter;
  }

  /** Fills the filter from the rows; a crawl need not wait for it. */
  recall(): Promise<void> {
    const mine = this.#recall();
    this.#recalling = mine.catch(() => undefined);
    return mine;
  }

  async #recall(): Promise<void> {
    for (const side of SIDES) {
      const { gte, lt } = keys.nearRange(side);
      for (let from: { gte: Buffer } | { gt: Buffer } = { gte }; !this.#isClosed; ) {
        const found = await this.#lsm.keys({ ...from, lt, limit: ROWS_PER_READ });
        const last = found.at(-1);
        if (last === undefined) break;
        for (const row of found) this.#filter.add(side, keys.nearHalf(row));
        from = { gt: last };
      }
    }
    this.#isComplete = !this.#isClosed;
  }

  find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    return this.#next(() => this.#find(pages));
  }

  async #find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    const asked = pages.map(({ key, simhash, pairs }) => {
      return { key, halves: halvesOf(simhash), pairs: halvesOf(pairs) };
    });
    const questions = this.#questions(asked);
    if (questions.length === 0) return chooseOriginals(pages, () => []);
    const near = asked.map((): Original[] => []);
    const leads = await this.#leads(questions);
    const rowOf = await this.#cache.read(
      0,
      leads.map(({ high }) => high),
    );
    for (const { nth, high } of leads) {
      const found = rows.nearIn(rowOf(high), high, asked[nth] as rows.NearPage);
      if (found.length > 0) near[nth]?.push(...found);
    }
    return chooseOriginals(pages, (nth) => near[nth] ?? []);
  }

  write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    if (added.length + removed.length === 0) return Promise.resolve();
    return this.#next(() => this.#write(added, removed));
  }

  /** One after another: a row that is read must not be overtaken by one that is written. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#last, this.#recalling]);
  }

  /** What the filter does not rule out. */
  #questions(asked: readonly rows.NearPage[]): Question[] {
    const questions: Question[] = [];
    for (const [nth, { halves }] of asked.entries()) {
      for (const side of SIDES) {
        const half = side === 0 ? halves.high : halves.low;
        for (let i = 0; i < PROBES; i++) {
          const value = probe(half, i);
          if (this.#filter.has(side, value)) questions.push({ nth, halves, side, value });
        }
      }
    }
    return questions;
  }

  /** Under which upper halves there may be an original: what was asked, and where the lower lead. */
  async #leads(questions: readonly Question[]): Promise<readonly Lead[]> {
    const lower = questions.filter(({ side }) => side === 1);
    const rowOf = await this.#cache.read(
      1,
      lower.map(({ value }) => value),
    );
    const leads = new Map<number, Lead>();
    const add = (nth: number, high: number) => leads.set(nth * 2 ** 32 + high, { nth, high });
    for (const { nth, side, value } of questions) if (side === 0) add(nth, value);
    for (const { nth, halves, value } of lower) {
      const bitsLeft = NEAR_BITS_MAX - bitsIn(value ^ halves.low);
      rows.eachHigh(rowOf(value), (high) => {
        if (bitsIn(high ^ halves.high) <= bitsLeft) add(nth, high);
      });
    }
    return [...leads.values()];
  }

  async #write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    const changed = await this.#rowsBefore([...added, ...removed]);
    for (const fingerprint of removed) {
      const { high, low } = halvesOf(fingerprint.simhash);
      changed.change(0, high, (row) => rows.withoutOriginal(row, low, fingerprint.key));
      const isLeft = rows.hasLow(changed.get(0, high), low);
      if (!isLeft) changed.change(1, low, (row) => rows.withoutHigh(row, high));
    }
    for (const fingerprint of added) {
      const { high, low } = halvesOf(fingerprint.simhash);
      changed.change(0, high, (row) => rows.withOriginal(row, low, fingerprint));
      changed.change(1, low, (row) => rows.withHigh(row, high));
      this.#filter.add(0, high);
      this.#filter.add(1, low);
    }
    await this.#lsm.write(changed.ops());
    this.#cache.update(changed.rows);
  }

  /** Only rows that the filter does not rule out are read: nearly none when originals are added. */
  async #rowsBefore(fingerprints: readonly Fingerprint[]): Promise<ChangedRows> {
    const halves = fingerprints.map(({ simhash }) => halvesOf(simhash));
    const perhaps = (side: Side, wanted: readonly number[]) =>
      this.#isComplete ? wanted.filter((half) => this.#filter.has(side, half)) : wanted;
    const highs = perhaps(
      0,
      halves.map(({ high }) => high),
    );
    const lows = perhaps(
      1,
      halves.map(({ low }) => low),
    );
    return new ChangedRows(await this.#cache.read(0, highs), await this.#cache.read(1, lows));
  }
}

interface Question {
  readonly nth: number;
  readonly halves: Halves;
  readonly side: Side;
  readonly value: number;
}

interface Lead {
  readonly nth: number;
  readonly high: number;
}

/** Rows as they will be: several originals of one write may share one. */
class ChangedRows {
  readonly rows = new Map<string, Buffer>();
  readonly #before: readonly ((half: number) => Buffer)[];

  constructor(...before: readonly ((half: number) => Buffer)[]) {
    this.#before = before;
  }

  get(side: Side, half: number): Buffer {
    const changed = this.rows.get(keys.nearKey(side, half).toString('latin1'));
    return changed ?? this.#before[side]?.(half) ?? NO_ROW;
  }

  change(side: Side, half: number, change: (row: Buffer) => Buffer): void {
    const row = change(this.get(side, half));
    this.rows.set(keys.nearKey(side, half).toString('latin1'), row);
  }

  ops() {
    return [...this.rows].map(([name, value]) => {
      const key = Buffer.from(name, 'latin1');
      return value.length === 0
        ? ({ type: 'del', key } as const)
        : ({ type: 'put', key, value } as const);
    });
  }
}
