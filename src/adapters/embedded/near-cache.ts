/** Rows of the near-index that were read lately: as they are, also after they were written. */
import type { Side } from '../../content/index.ts';
import { nearHalf, nearKey } from './keys.ts';
import type { LsmRows } from './lsm.ts';

/** Some 400 bytes each where it matters. */
const ROWS_MAX = 16_384;
const NO_ROW = Buffer.alloc(0);
const SIDE = 2 ** 32;

export class RowCache {
  readonly #lsm: LsmRows;
  readonly #rows = new Map<number, Buffer>();

  constructor(lsm: LsmRows) {
    this.#lsm = lsm;
  }

  /** Reads what is not here; an empty row where there is none. */
  async read(side: Side, halves: Iterable<number>): Promise<(half: number) => Buffer> {
    const answer = new Map<number, Buffer>();
    const missing: number[] = [];
    for (const half of halves) {
      if (answer.has(half)) continue;
      const row = this.#rows.get(side * SIDE + half);
      if (row === undefined) missing.push(half);
      answer.set(half, row ?? NO_ROW);
    }
    const found = await this.#lsm.getMany(missing.map((half) => nearKey(side, half)));
    if (this.#rows.size + missing.length > ROWS_MAX) this.#rows.clear();
    for (const [i, half] of missing.entries()) {
      const row = found[i] ?? NO_ROW;
      answer.set(half, row);
      this.#rows.set(side * SIDE + half, row);
    }
    return (half) => answer.get(half) ?? NO_ROW;
  }

  /** Rows that are written, by their keys. */
  update(rows: ReadonlyMap<string, Buffer>): void {
    for (const [name, row] of rows) {
      const key = Buffer.from(name, 'latin1');
      const place = (key[1] as number) * SIDE + nearHalf(key);
      if (this.#rows.has(place)) this.#rows.set(place, row);
    }
  }
}
