/**
 * The budget of visits a day, spent evenly: what is left over for an hour may be caught up with,
 * what was left over yesterday is gone. When there is too little, the best go first; top pages
 * do not wait for the next visit to be allowed but go into debt, which all others then pay.
 */
import { DAY_MS, HOUR_MS, type Instant } from '../base/instant.ts';

/** However small the budget: this much may be saved up. */
const SAVED_MIN = 1;
/** The debt that top pages may make: a quarter of a day's visits, and some in any case. */
const DEBT_SHARE = 0.25;
const DEBT_MIN = 10;

export class Allowance {
  #left = SAVED_MIN;
  #at: Instant | undefined;

  /** Visits that may be begun now, with so many a day; the rest is kept for later. */
  left(now: Instant, perDay: number): number {
    if (perDay === Number.POSITIVE_INFINITY) return perDay;
    const elapsed = Math.max(0, now - (this.#at ?? now));
    const max = Math.max(SAVED_MIN, (perDay * HOUR_MS) / DAY_MS);
    this.#left = Math.min(max, this.#left + (elapsed * perDay) / DAY_MS);
    this.#at = now;
    return Math.max(0, Math.floor(this.#left));
  }

  /** Visits that top pages may begin now, those of left() among them. */
  leftForTop(now: Instant, perDay: number): number {
    if (perDay === Number.POSITIVE_INFINITY) return perDay;
    this.left(now, perDay);
    return Math.max(0, Math.floor(this.#left + Math.max(DEBT_MIN, perDay * DEBT_SHARE)));
  }

  spend(visits: number): void {
    this.#left -= visits;
  }
}

/** The order when not all can be visited: the urgent first, then who has waited longest. */
export function bestFirst<T extends { readonly urgency: number; readonly dueAt: Instant }>(
  pages: readonly T[],
): T[] {
  return [...pages].sort((a, b) => a.urgency - b.urgency || a.dueAt - b.dueAt);
}
