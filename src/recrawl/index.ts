/**
 * When a page is worth another visit (T1–T5, F8).
 *
 *   a visit ─┬─ rate.ts     what it says of the page's rate of change ─┐
 *            └─ pace.ts     … and of its host's class                  │
 *   tiers.ts    how long and how short an interval may be              ├→ recrawl.ts: next visit
 *   halving.ts  changed: halve, unchanged: ×1.5                        │
 *   optimum.ts  the budget where it buys most freshness ───────────────┘
 *   census.ts, division.ts      how many pages of each kind, and what that makes of the budget
 *
 *   hint.ts   a sitemap says that it has changed     dead.ts      gone, and when to stop asking
 *   noise.ts  changed, or only its noise did         allowance.ts the budget, spent evenly
 *   change.ts what became of a page since
 *
 * Everything takes the instant as an argument; no interval ever lands in the past.
 */
export { Allowance, bestFirst } from './allowance.ts';
export { Census } from './census.ts';
export { type Change, type ChangeKind, changeBetween, changeSince } from './change.ts';
export { DEAD_FOR_GOOD_MS, nextLookAtDead } from './dead.ts';
export { pulledForward } from './hint.ts';
export { isSameButNoise } from './noise.ts';
export { frequencyOf, freshnessOf, optimalFrequencies, priceOf } from './optimum.ts';
export { notePace, type Pace } from './pace.ts';
export { POLICIES, type PolicyName } from './policy-names.ts';
export { changeMsOf, learn, type Rate } from './rate.ts';
export {
  type KnownPage,
  type NextVisit,
  PAUSE_MS_MAX,
  Recrawl,
  type RecrawlPolicy,
  type SeenHost,
  type SeenVisit,
} from './recrawl.ts';
export { boundsOf, importanceOf, type Tier, TOP_IMPORTANCE, tierMsOf, tierOf } from './tiers.ts';
