/**
 * The near-index in the embedded store (content/near.ts says how it finds): an original is in
 * two rows, one under each half of its fingerprint (near-rows.ts). A filter in memory, made
 * again from the rows after a start, keeps nearly every question from the disk.
 *
 * While the filter is not complete a duplicate may be missed; nothing is ever found that is not
 * there.
 */
import {
  chooseOriginals,
  type Halves,
  halvesOf,
  isNear,
  NearFilter,
  type Original,
  PROBES,
  probe,
  type Side,
} from '../../content/index.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import * as keys from './keys.ts';
import type { LsmRows } from './lsm.ts';
import * as rows from './near-rows.ts';

const ROWS_PER_READ = 10_000;
const SIDES: readonly Side[] = [0, 1];
const NO_ROW = Buffer.alloc(0);

export class EmbeddedNearIndex implements NearIndex {
  readonly #lsm: LsmRows;
  readonly #filter: NearFilter;
  #last: Promise<unknown> = Promise.resolve();
  #recalling: Promise<void> | undefined;
  /** The filter knows every row. */
  #isComplete = false;
  #isClosed = false;

  constructor(lsm: LsmRows, filter = new NearFilter()) {
    this.#lsm = lsm;
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

  async find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    await this.#last;
    const asked = pages.map(({ simhash }) => halvesOf(simhash));
    const questions = this.#questions(asked);
    if (questions.length === 0) return chooseOriginals(pages, () => []);
    const found = await this.#rowsOf(await this.#leads(questions));
    const near = asked.map((): Original[] => []);
    for (const { nth, high } of found.leads) {
      const halves = asked[nth] as Halves;
      for (const original of rows.originalsIn(found.rowOf(high), high)) {
        if (isNear(halvesOf(original.simhash), halves)) near[nth]?.push(original);
      }
    }
    return chooseOriginals(pages, (nth) => near[nth] ?? []);
  }

  write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    if (added.length + removed.length === 0) return Promise.resolve();
    const mine = this.#last.then(() => this.#write(added, removed));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#last, this.#recalling]);
  }

  /** What the filter does not rule out. */
  #questions(asked: readonly Halves[]): Question[] {
    const questions: Question[] = [];
    for (const [nth, halves] of asked.entries()) {
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
  async #leads(questions: readonly Question[]): Promise<Lead[]> {
    const lower = questions.filter(({ side }) => side === 1);
    const found = await this.#lsm.getMany(lower.map(({ value }) => keys.nearKey(1, value)));
    const leads = questions.flatMap(({ nth, side, value }) =>
      side === 0 ? [{ nth, high: value }] : [],
    );
    for (const [i, { nth, halves, value }] of lower.entries()) {
      for (const high of rows.highsIn(found[i] ?? NO_ROW)) {
        const isAsked = leads.some((lead) => lead.nth === nth && lead.high === high);
        if (!isAsked && isNear({ high, low: value }, halves)) leads.push({ nth, high });
      }
    }
    return leads;
  }

  async #rowsOf(leads: readonly Lead[]) {
    const highs = [...new Set(leads.map(({ high }) => high))];
    const found = await this.#lsm.getMany(highs.map((high) => keys.nearKey(0, high)));
    const byHigh = new Map(highs.map((high, i) => [high, found[i] ?? NO_ROW]));
    return { leads, rowOf: (high: number) => byHigh.get(high) ?? NO_ROW };
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
  }

  /** Only rows that the filter does not rule out are read: nearly none when originals are added. */
  async #rowsBefore(fingerprints: readonly Fingerprint[]): Promise<ChangedRows> {
    const wanted = fingerprints.flatMap(({ simhash }) => {
      const { high, low } = halvesOf(simhash);
      return [keys.nearKey(0, high), keys.nearKey(1, low)];
    });
    const isThere = (key: Buffer) => this.#filter.has(key[1] as Side, keys.nearHalf(key));
    const perhaps = this.#isComplete ? wanted.filter(isThere) : wanted;
    return new ChangedRows(perhaps, await this.#lsm.getMany(perhaps));
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
  readonly #rows = new Map<string, Buffer>();

  constructor(wanted: readonly Buffer[], found: readonly (Buffer | undefined)[]) {
    for (const [i, key] of wanted.entries()) {
      this.#rows.set(key.toString('latin1'), found[i] ?? NO_ROW);
    }
  }

  get(side: Side, half: number): Buffer {
    return this.#rows.get(keys.nearKey(side, half).toString('latin1')) ?? NO_ROW;
  }

  change(side: Side, half: number, change: (row: Buffer) => Buffer): void {
    const name = keys.nearKey(side, half).toString('latin1');
    this.#rows.set(name, change(this.#rows.get(name) ?? NO_ROW));
  }

  ops() {
    return [...this.#rows].map(([name, value]) => {
      const key = Buffer.from(name, 'latin1');
      return value.length === 0
        ? ({ type: 'del', key } as const)
        : ({ type: 'put', key, value } as const);
    });
  }
}
