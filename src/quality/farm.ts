/**
 * Content farm (C4): a host most of whose pages nearly repeat other pages.
 *
 * It gets a tenth of its budget and a flag for review. Pages of the same bytes do not count:
 * a mirror is no farm, and costs no room. The flag ends when the rate falls.
 */
import type { Instant } from '../base/instant.ts';
import type { HostSketch } from './sketch.ts';

export interface FarmPolicy {
  /** Near-duplicates among its pages. */
  readonly rate: number;
  readonly pagesMin: number;
  /** What is left of its budget. */
  readonly budget: number;
}

export const FARM: FarmPolicy = { rate: 0.5, pagesMin: 50, budget: 0.1 };

/** The rate at which a flag ends, as a part of that at which it begins. */
const RECOVERED = 0.7;

export function judgeFarm(sketch: HostSketch, policy: FarmPolicy, now: Instant): void {
  const { pages, near } = sketch;
  const rate = near / Math.max(1, pages);
  if (sketch.farm === undefined && pages >= policy.pagesMin && rate > policy.rate) {
    const percent = Math.round(100 * rate);
    const reason = `${percent}% of its pages nearly repeat other pages`;
    sketch.farm = { since: now, reason };
  } else if (sketch.farm !== undefined && rate < RECOVERED * policy.rate) {
    sketch.farm = undefined;
  }
}
