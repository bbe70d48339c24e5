/**
 * How short and how long a page's interval may be: by its host's class (T1) and its tier (T2).
 *
 *   class     news 10 min – 6 h      generic 1 – 30 d      dormant 30 – 90 d
 *   tier      1: an hour at most     2: a day at most      3: the slow end, 7 – 30 d
 *
 * A tier is a promise about a page that matters, so where class and tier disagree, tiers 1 and
 * 2 win: the front page of a sleepy site is looked at daily. Tier 3 promises nothing, and its
 * seven days give way to a class that is quicker.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/instant.ts';
import type { HostClass } from '../record/index.ts';

export type Tier = 1 | 2 | 3;

export interface Bounds {
  readonly floorMs: number;
  readonly ceilingMs: number;
}

const GENERIC: Bounds = { floorMs: DAY_MS, ceilingMs: 30 * DAY_MS };
const CLASSES: Readonly<Record<HostClass, Bounds>> = {
  unknown: GENERIC,
  news: { floorMs: 10 * MINUTE_MS, ceilingMs: 6 * HOUR_MS },
  generic: GENERIC,
  dormant: { floorMs: 30 * DAY_MS, ceilingMs: 90 * DAY_MS },
};
/** A little less than an hour and a day, so that both are kept when a turn comes late. */
const TIER_MS: Readonly<Record<Tier, number>> = {
  ...{ 1: 55 * MINUTE_MS, 2: 23 * HOUR_MS, 3: 7 * DAY_MS },
};

/** From here on a page is one of the top pages, looked at within 24 h whatever it does. */
export const TOP_IMPORTANCE = 0.7;
const SOME_IMPORTANCE = 0.25;
/** A page that stays as it is for less than this changes quickly; for less than that, often. */
const QUICK_MS = 6 * HOUR_MS;
const OFTEN_MS = 7 * DAY_MS;

/** A page's own priority, raised or lowered by what is known of its host, in [0,1]. */
export function importanceOf(priority: number, hostQuality: number): number {
  return Math.min(1, Math.max(0, priority * (0.5 + hostQuality)));
}

export function tierOf(importance: number, changeMs: number): Tier {
  if (importance >= TOP_IMPORTANCE) return changeMs <= QUICK_MS ? 1 : 2;
  return importance >= SOME_IMPORTANCE && changeMs <= OFTEN_MS ? 2 : 3;
}

/** What a tier costs at most: one visit in this time. */
export function tierMsOf(tier: Tier): number {
  return TIER_MS[tier];
}

export function boundsOf(hostClass: HostClass, tier: Tier): Bounds {
  const { floorMs, ceilingMs } = CLASSES[hostClass];
  const tierMs = TIER_MS[tier];
  if (tier === 3) return { floorMs: Math.max(floorMs, Math.min(tierMs, ceilingMs)), ceilingMs };
  const ceiling = Math.min(ceilingMs, tierMs);
  return { floorMs: Math.min(floorMs, ceiling), ceilingMs: ceiling };
}
