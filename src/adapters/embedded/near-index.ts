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
  halvesOf,
  NEAR_BITS_MAX,
  type Original,
  PROBES,
  probe,
} from '../../content/near.ts';
import { NearFilter, type Side } from '../../content/near-filter.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import * as keys from './keys.ts';
import type { LsmRows } from './lsm.ts';
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
    const asked = pages.map(({ key, simhash, pairs }) => {
      return { key, halves: halvesOf(simhash), pairs: halvesOf(pairs) };
    });
    const leads = asked.map(({ halves }) => this.#perhaps(0, halves.high));
    const lower = asked.map(({ halves }) => this.#perhaps(1, halves.low));
    await this.#cache.load(1, lower);
    for (const [nth, page] of asked.entries()) {
      this.#follow(page, lower[nth] as number[], leads[nth] as number[]);
    }
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

  /** The values near to a half that the filter does not rule out: nearly always none. */
  #perhaps(side: Side, half: number): number[] {
    const found: number[] = [];
    for (let i = 0; i < PROBES; i++) {
      const value = probe(half, i);
      if (this.#filter.has(side, value)) found.push(value);
    }
    return found;
  }

  /** Adds the upper halves that the rows of lower ones lead to. */
  #follow({ halves }: rows.NearPage, lower: readonly number[], leads: number[]): void {
    for (const value of lower) {
      const bitsLeft = NEAR_BITS_MAX - bitsIn(value ^ halves.low);
      rows.eachHigh(this.#cache.row(1, value), (high) => {
        if (bitsIn(high ^ halves.high) <= bitsLeft && !leads.includes(high)) leads.push(high);
      });
    }
  }

  #near(page: rows.NearPage, leads: readonly number[]): Original[] {
    const found: Original[] = [];
    for (const high of leads) rows.findNear(this.#cache.row(0, high), high, page, found);
    return found;
  }

  async #write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    await this.#loadRows([...added, ...removed]);
    const changed = new ChangedRows(this.#cache);
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
    changed.remember();
  }

  /** Only rows that the filter does not rule out are read: nearly none when originals are added. */
  async #loadRows(fingerprints: readonly Fingerprint[]): Promise<void> {
    const halves = fingerprints.map(({ simhash }) => halvesOf(simhash));
    const highs = halves.map(({ high }) => high);
    const lows = halves.map(({ low }) => low);
    const isThere = (side: Side) => (half: number) =>
      !this.#isComplete || this.#filter.has(side, half);
    await this.#cache.load(0, [highs.filter(isThere(0))]);
    await this.#cache.load(1, [lows.filter(isThere(1))]);
  }
}

/** Rows as they will be: several originals of one write may share one. */
class ChangedRows {
  readonly #rows: readonly Map<number, Buffer>[] = SIDES.map(() => new Map());
  readonly #cache: RowCache;

  constructor(before: RowCache) {
    this.#cache = before;
  }

  get(side: Side, half: number): Buffer {
    return this.#rows[side]?.get(half) ?? this.#cache.row(side, half);
  }

  change(side: Side, half: number, change: (row: Buffer) => Buffer): void {
    this.#rows[side]?.set(half, change(this.get(side, half)));
  }

  ops() {
    return this.#each((side, half, value) => {
      const key = keys.nearKey(side, half);
      return value.length === 0
        ? ({ type: 'del', key } as const)
        : ({ type: 'put', key, value } as const);
    });
  }

  remember(): void {
    this.#each((side, half, row) => this.#cache.set(side, half, row));
  }

  #each<T>(visit: (side: Side, half: number, row: Buffer) => T): T[] {
    return SIDES.flatMap((side) =>
      [...(this.#rows[side] ?? [])].map(([half, row]) => visit(side, half, row)),
    );
  }
}
