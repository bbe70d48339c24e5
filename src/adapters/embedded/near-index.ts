/**
 * The near-index in the embedded store (content/near.ts says how it finds): an original has two
 * rows, one under each half of its fingerprint. A filter in memory, made again from the rows
 * after a start, keeps nearly every question from the disk.
 *
 * While the filter is not complete a duplicate may be missed; nothing is ever found that is not
 * there. Of originals that share a half the first `ROWS_MAX` are looked at.
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
  simhashFrom,
} from '../../content/index.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import * as keys from './keys.ts';
import type { Del, LsmRows, Put } from './lsm.ts';

const ROWS_MAX = 4_096;
const ROWS_PER_READ = 10_000;
const SIDES: readonly Side[] = [0, 1];
const NOTHING = Buffer.alloc(0);

export class EmbeddedNearIndex implements NearIndex {
  readonly #lsm: LsmRows;
  readonly #filter: NearFilter;
  #last: Promise<unknown> = Promise.resolve();
  #recalling: Promise<void> | undefined;
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
    const { gte, lt } = keys.nearRange(1);
    for (let from: { gte: Buffer } | { gt: Buffer } = { gte }; !this.#isClosed; ) {
      const rows = await this.#lsm.keys({ ...from, lt, limit: ROWS_PER_READ });
      const last = rows.at(-1);
      if (last === undefined) return;
      for (const row of rows) this.#remember(keys.nearHalves(row));
      from = { gt: last };
    }
  }

  async find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    await this.#last;
    const asked = pages.map(({ simhash }) => halvesOf(simhash));
    const found = asked.map((): Original[] => []);
    await Promise.all(this.#questions(asked).map((question) => this.#answer(question, found)));
    return chooseOriginals(pages, (nth) => found[nth] ?? []);
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

  #remember({ high, low }: Halves): void {
    this.#filter.add(0, high);
    this.#filter.add(1, low);
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

  async #answer(question: Question, found: Original[][]): Promise<void> {
    const { nth, halves, side, value } = question;
    const range = keys.nearRange(side, value);
    if (side === 0) {
      const rows = await this.#lsm.rows({ ...range, limit: ROWS_MAX });
      for (const row of rows) {
        if (isNear(keys.nearHalves(row[0]), halves)) found[nth]?.push(originalIn(...row));
      }
      return;
    }
    const rows = await this.#lsm.keys({ ...range, limit: ROWS_MAX });
    const near = rows.map(keys.nearHalves).filter((other) => isNear(other, halves));
    for (const originals of await Promise.all(near.map((other) => this.#originals(other)))) {
      found[nth]?.push(...originals);
    }
  }

  async #originals({ high, low }: Halves): Promise<Original[]> {
    const rows = await this.#lsm.rows({ ...keys.nearRange(0, high, low), limit: ROWS_MAX });
    return rows.map((row) => originalIn(...row));
  }

  async #write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    const ops: (Put | Del)[] = [];
    for (const fingerprint of removed) {
      const halves = halvesOf(fingerprint.simhash);
      const there = await this.#originals(halves);
      ops.push({ type: 'del', key: keys.nearKey(0, halves, fingerprint.key) });
      const isOthers = there.some(({ key }) => !isAmong(key, fingerprint.simhash, removed));
      if (!isOthers) ops.push({ type: 'del', key: keys.nearKey(1, halves) });
    }
    for (const { key, simhash, pairs } of added) {
      const halves = halvesOf(simhash);
      const value = Buffer.alloc(8);
      value.writeBigUInt64BE(pairs);
      ops.push({ type: 'put', key: keys.nearKey(0, halves, key), value });
      ops.push({ type: 'put', key: keys.nearKey(1, halves), value: NOTHING });
      this.#remember(halves);
    }
    await this.#lsm.write(ops);
  }
}

interface Question {
  readonly nth: number;
  readonly halves: Halves;
  readonly side: Side;
  readonly value: number;
}

function originalIn(row: Buffer, value: Buffer): Original {
  const { high, low } = keys.nearHalves(row);
  const simhash = simhashFrom(high, low);
  return { key: keys.nearUrlKey(row), simhash, pairs: value.readBigUInt64BE() };
}

function isAmong(key: Buffer, simhash: bigint, pages: readonly Fingerprint[]): boolean {
  return pages.some((page) => page.simhash === simhash && page.key.equals(key));
}
