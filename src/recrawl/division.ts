/**
 * The budget, divided: the price of a visit under the optimal policy, the shortest pause under
 * the halving rule when its pages ask for more than there is. Divided anew as the census changes.
 */
import { DAY_MS, MINUTE_MS } from '../base/instant.ts';
import { type Census, promisedTo } from './census.ts';
import { type Limits, limitedFrequency, priceOf } from './optimum.ts';
import { TOP_IMPORTANCE } from './tiers.ts';

/** However much is at stake: no page is asked more often than this. */
export const PAUSE_MS_MIN: number = 10 * MINUTE_MS;
/** Under the optimal policy a page is looked at this often at least … */
export const STARVED_MS: number = 60 * DAY_MS;
/** … as long as that takes no more than this share of the budget. */
const STARVED_SHARE = 0.2;
/** Over budget, top pages get their due up to this share of it. */
const TOP_SHARE = 0.8;
/** What the pages ask for lags behind the price: the aim is corrected by what it came to. */
const AIM = { min: 0.7, max: 1.5, step: 0.1 } as const;
/** A price that jumps would leave the pages near it with a moment's interval for weeks. */
const PRICE_KEPT = 0.8;
/** The census is looked at again after this many visits, or a share of its pages. */
const EVERY = { visits: 256, share: 0.1 } as const;

export class Division {
  readonly #by: 'price' | 'pause' | 'nothing';
  #visitsSince = Number.POSITIVE_INFINITY;
  #price: number | undefined;
  #limits: Limits = { budget: 1, floor: 0, top: 1 };
  #aim = 1;
  #shortestMs = { top: 0, rest: 0 };

  constructor(by: 'price' | 'pause' | 'nothing') {
    this.#by = by;
  }

  /** Undefined as long as no price is known. */
  pricedMs(changeMs: number, weight: number): number | undefined {
    if (this.#price === undefined) return undefined;
    const floor = promisedTo(weight);
    const page = { count: 1, changesPerMs: 1 / changeMs, weight, floor };
    return 1 / limitedFrequency(page, this.#price, this.#limits);
  }

  shortestMs(importance: number): number {
    return this.#shortestMs[importance >= TOP_IMPORTANCE ? 'top' : 'rest'];
  }

  /** After a visit: divides anew when enough has changed, or at once when it is asked to. */
  divide(census: Census, perDay: number, atOnce = false): void {
    const every = Math.max(EVERY.visits, census.pages * EVERY.share);
    if (++this.#visitsSince < every && !atOnce) return;
    this.#visitsSince = 0;
    if (perDay === Number.POSITIVE_INFINITY || census.pages <= 0) return;
    if (this.#by === 'pause') this.#shortestMs = shortestFor(census, perDay);
    if (this.#by === 'price') this.#setPrice(census, perDay);
  }

  #setPrice(census: Census, perDay: number): void {
    const { top, rest } = census.demand;
    const aim = this.#aim * (perDay / (top + rest)) ** AIM.step;
    this.#aim = Math.min(AIM.max, Math.max(AIM.min, aim));
    const budget = (this.#aim * perDay) / DAY_MS;
    const floor = Math.min(1 / STARVED_MS, (STARVED_SHARE * budget) / census.pages);
    this.#limits = { budget, floor, top: 1 / PAUSE_MS_MIN };
    const price = priceOf([...census.demands()], this.#limits, this.#price);
    this.#price = (this.#price ?? price) ** PRICE_KEPT * price ** (1 - PRICE_KEPT);
  }
}

function shortestFor(census: Census, perDay: number): { top: number; rest: number } {
  const forTop = Math.min(census.demand.top, TOP_SHARE * perDay);
  return {
    top: census.shortestPauseMs('top', forTop),
    rest: census.shortestPauseMs('rest', perDay - forTop),
  };
}
