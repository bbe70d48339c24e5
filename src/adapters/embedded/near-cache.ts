/**
 * Rows of the near-index that were read or written lately, as they are in the store.
 *
 * Two generations: when the young one is full it becomes the old one, and what is met again moves
 * up. Where many pages speak alike (near-index.ts), the rows that all of them ask for stay.
 */
import type { Side } from '../../content/index.ts';
import { nearKey } from './keys.ts';
import type { LsmRows } from './lsm.ts';

/** Of each generation; some 250 bytes each. */
const ROWS_MAX = 16_384;
const NO_ROW = Buffer.alloc(0);

type Rows = Map<number, Buffer>;

export class RowCache {
  readonly #lsm: LsmRows;
  #young: readonly [Rows, Rows] = [new Map(), new Map()];
  #old: readonly [Rows, Rows] = [new Map(), new Map()];

  constructor(lsm: LsmRows) {
    this.#lsm = lsm;
  }

  /** Reads what is not here; after this, `row` knows them all until the next one. */
  async load(side: Side, lists: readonly (readonly number[])[]): Promise<void> {
    this.#makeRoom();
    let missing: Set<number> | undefined;
    for (const halves of lists) {
      for (const half of halves) {
        if (this.#isHere(side, half)) continue;
        missing ??= new Set();
        missing.add(half);
      }
    }
    if (missing === undefined) return;
    const halves = [...missing];
    const found = await this.#lsm.getMany(halves.map((half) => nearKey(side, half)));
    halves.forEach((half, i) => {
      this.#young[side].set(half | 0, found[i] ?? NO_ROW);
    });
  }

  /** Empty where there is none. */
  row(side: Side, half: number): Buffer {
    return this.#young[side].get(half | 0) ?? this.#old[side].get(half | 0) ?? NO_ROW;
  }

  /** A row as it is written now, in memory of its own. */
  set(side: Side, half: number, row: Buffer): void {
    this.#young[side].set(half | 0, row);
  }

  #isHere(side: Side, half: number): boolean {
    if (this.#young[side].has(half | 0)) return true;
    const row = this.#old[side].get(half | 0);
    if (row !== undefined) this.#young[side].set(half | 0, row);
    return row !== undefined;
  }

  #makeRoom(): void {
    if (this.#young[0].size + this.#young[1].size < ROWS_MAX) return;
    this.#old = this.#young;
    this.#young = [new Map(), new Map()];
  }
}
