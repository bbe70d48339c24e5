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
import { chooseOriginals, halvesOf, type Original } from '../../content/near.ts';
import { NearFilter, type Side } from '../../content/near-filter.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import * as keys from './keys.ts';
import type { Del, LsmRows, Put } from './lsm.ts';
import { RowCache } from './near-cache.ts';
import * as rows from './near-rows.ts';

const ROWS_PER_READ = 10_000;
const SIDES: readonly Side[] = [0, 1];

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
    const asked = pages.map(rows.nearPage);
    const leads = asked.map(({ high }) => this.#filter.near(0, high));
    const lower = asked.map(({ low }) => this.#filter.near(1, low));
    await this.#cache.load(1, lower);
    asked.forEach((page, nth) => {
      this.#follow(page, lower[nth] as number[], leads[nth] as number[]);
    });
    await this.#cache.load(0, leads);
    const near = asked.map((page, nth) => this.#near(page, leads[nth] as number[]));
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

  /** Adds the upper halves that the rows of lower ones lead to. */
  #follow(page: rows.NearPage, lower: readonly number[], leads: number[]): void {
    for (const value of lower) rows.findHighs(this.#cache.row(1, value), value, page, leads);
  }

  #near(page: rows.NearPage, leads: readonly number[]): Original[] {
    const found: Original[] = [];
    for (const high of leads) rows.findNear(this.#cache.row(0, high), high, page, found);
    return found;
  }

  async #write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    await this.#loadRows(added, removed);
    const changed = new ChangedRows(this.#cache);
    for (const { key, simhash } of removed) {
      const { high, low } = halvesOf(simhash);
      const left = rows.withoutOriginal(changed.row(0, high), low, key);
      changed.set(0, high, left);
      if (rows.hasLow(left, low)) continue;
      changed.set(1, low, rows.withoutHigh(changed.row(1, low), high));
    }
    for (const fingerprint of added) {
      const { high, low } = halvesOf(fingerprint.simhash);
      changed.set(0, high, rows.withOriginal(changed.row(0, high), low, fingerprint));
      changed.set(1, low, rows.withHigh(changed.row(1, low), high));
      this.#filter.add(0, high);
      this.#filter.add(1, low);
    }
    await this.#lsm.write(changed.ops);
    changed.remember();
  }

  /** Only rows that the filter does not rule out are read: nearly none when originals are added. */
  async #loadRows(...lists: readonly (readonly Fingerprint[])[]): Promise<void> {
    const highs: number[] = [];
    const lows: number[] = [];
    for (const { simhash } of lists.flat()) {
      const { high, low } = halvesOf(simhash);
      if (!this.#isComplete || this.#filter.has(0, high)) highs.push(high);
      if (!this.#isComplete || this.#filter.has(1, low)) lows.push(low);
    }
    await this.#cache.load(0, [highs]);
    await this.#cache.load(1, [lows]);
  }
}

/** Rows as they will be: several originals of one write may share one. */
class ChangedRows {
  readonly #rows: readonly [Map<number, Buffer>, Map<number, Buffer>] = [new Map(), new Map()];
  readonly #cache: RowCache;

  constructor(before: RowCache) {
    this.#cache = before;
  }

  row(side: Side, half: number): Buffer {
    return this.#rows[side].get(half) ?? this.#cache.row(side, half);
  }

  set(side: Side, half: number, row: Buffer): void {
    this.#rows[side].set(half, row);
  }

  get ops(): (Put | Del)[] {
    const ops: (Put | Del)[] = [];
    for (const side of SIDES) {
      this.#rows[side].forEach((value, half) => {
        const key = keys.nearKey(side, half);
        ops.push(value.length === 0 ? { type: 'del', key } : { type: 'put', key, value });
      });
    }
    return ops;
  }

  remember(): void {
    for (const side of SIDES) {
      this.#rows[side].forEach((row, half) => {
        this.#cache.set(side, half, row);
      });
    }
  }
}
