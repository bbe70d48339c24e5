/**
 * How many pages there are of each kind: what a budget is divided by, without asking them all.
 *
 * A page is counted in a cell by the logarithms of its rate of change and of its importance, and
 * in another by its interval. A visit moves one page from cell to cell, so the census is always
 * of today and its size does not grow with the web: some thousand numbers.
 */
import { DAY_MS, MINUTE_MS } from '../base/instant.ts';
import type { Demand } from './optimum.ts';
import { TOP_IMPORTANCE, tierMsOf } from './tiers.ts';

/** Four steps to a doubling: a page is at most 9% off the middle of its cell. */
const STEPS = 4;
/** From once in ten seconds to once in a century. */
const CHANGE_MS_MIN = 10_000;
const RATE_CELLS = 33 * STEPS;
/** Importance from 1 down to a thousandth. */
const WEIGHT_CELLS = 10 * STEPS;
export const IMPORTANCE_MIN = 2 ** -10;
/** Intervals from a minute to more than a year. */
const INTERVAL_CELLS = 20 * STEPS;
const BISECTIONS = 40;

export interface Counted {
  readonly changeMs: number;
  readonly importance: number;
  readonly intervalMs: number;
}

export class Census {
  readonly #cells = new Int32Array(RATE_CELLS * WEIGHT_CELLS);
  readonly #intervals = {
    top: new Int32Array(INTERVAL_CELLS),
    rest: new Int32Array(INTERVAL_CELLS),
  };
  #pages = 0;
  #perDay = { top: 0, rest: 0 };

  get pages(): number {
    return this.#pages;
  }

  /** Visits a day that the intervals of the top pages, and of all others, ask for. */
  get demand(): { readonly top: number; readonly rest: number } {
    return { top: Math.max(0, this.#perDay.top), rest: Math.max(0, this.#perDay.rest) };
  }

  add(page: Counted): void {
    this.#count(page, 1);
  }

  remove(page: Counted): void {
    this.#count(page, -1);
  }

  *demands(): Iterable<Demand> {
    for (let cell = 0; cell < this.#cells.length; cell++) {
      const count = this.#cells[cell] as number;
      if (count <= 0) continue;
      const changeMs = CHANGE_MS_MIN * 2 ** ((Math.floor(cell / WEIGHT_CELLS) + 0.5) / STEPS);
      const weight = 2 ** -(((cell % WEIGHT_CELLS) + 0.5) / STEPS);
      yield { count, changesPerMs: 1 / changeMs, weight, floor: promisedTo(weight) };
    }
  }

  /**
   * The shortest pause that everybody can have at so many visits a day: who asks for a longer
   * one gets it, and those who ask most often give way first. 0 when there is enough for all.
   */
  shortestPauseMs(of: 'top' | 'rest', perDay: number): number {
    if (this.demand[of] <= perDay) return 0;
    let [low, high] = [Math.log2(MINUTE_MS), Math.log2(365 * DAY_MS)];
    for (let step = 0; step < BISECTIONS; step++) {
      const middle = (low + high) / 2;
      if (askedPerDay(this.#intervals[of], 2 ** middle) > perDay) low = middle;
      else high = middle;
    }
    return 2 ** high;
  }

  #count({ changeMs, importance, intervalMs }: Counted, by: 1 | -1): void {
    const rate = cellOf(changeMs / CHANGE_MS_MIN, RATE_CELLS);
    const cell = rate * WEIGHT_CELLS + cellOf(1 / importance, WEIGHT_CELLS);
    this.#cells[cell] = (this.#cells[cell] as number) + by;
    this.#pages += by;
    const of = importance >= TOP_IMPORTANCE ? 'top' : 'rest';
    const asks = this.#intervals[of];
    const at = cellOf(intervalMs / MINUTE_MS, INTERVAL_CELLS);
    asks[at] = (asks[at] as number) + by;
    this.#perDay[of] += (by * DAY_MS) / intervalMs;
  }
}

function askedPerDay(intervals: Int32Array, shortestMs: number): number {
  let sum = 0;
  intervals.forEach((count, cell) => {
    const middle = MINUTE_MS * 2 ** ((cell + 0.5) / STEPS);
    sum += (Math.max(0, count) * DAY_MS) / Math.max(shortestMs, middle);
  });
  return sum;
}

/** Visits per ms that a page of this importance is promised, whatever they buy (T2). */
export function promisedTo(importance: number): number {
  return importance >= TOP_IMPORTANCE ? 1 / tierMsOf(2) : 0;
}

function cellOf(ratio: number, cells: number): number {
  return Math.min(cells - 1, Math.max(0, Math.floor(Math.log2(ratio) * STEPS)));
}
