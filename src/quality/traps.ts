/**
 * Is a family of URLs a trap (Q1)? Suspicion lowers its priority, proof cuts it off.
 *
 *   copies    its pages repeat one another
 *   endless   every page names new ones of its kind, none leads back, none is the last
 *   repeats   the same, and each URL repeats the segments of its path
 *   facets    the same few parameters in ever more combinations
 *   counter   the same few steps from each page to the next (steps.ts), and nothing else to find
 *   chain     page after page after page, hundreds in a row, that lead only to the next
 *
 * Size proves nothing: an encyclopaedia is one shape, too. But its articles name each other:
 * if a family has n pages and links go anywhere in it, then each link meets a known page with
 * chance known/n, and the meetings tell n, as birthdays tell the size of a crowd. A tree has
 * no meetings, but it has last pages: a family that looks vast is put on trial, and its pages
 * are asked downwards to find them. What has neither, and nobody outside names, has no end.
 */

import { isRepeating } from './families.ts';
import { type Family, RECORDS, type Watch } from './family.ts';
import type { TrapPolicy } from './trap-policy.ts';

export const TRAP_KINDS = ['copies', 'endless', 'repeats', 'facets', 'counter', 'chain'] as const;
export type TrapKind = (typeof TRAP_KINDS)[number];

export interface Proof {
  readonly kind: TrapKind;
  /** A sentence for the owner of the site. */
  readonly reason: string;
}

/** Meetings that count as none: so many may be chance (three in twenty runs have one or more). */
const MEETINGS_BY_CHANCE = 3;
/** Meetings that are enough to tell a size by. */
const MEETINGS_ENOUGH = 10;
/** Where more than one link in twenty leads back, pages know each other: a large site, no trap. */
const MEETINGS_SHARE = 0.05;
/** Of the pages watched, this share of last or useful ones clears a family. */
const ENDS_SHARE = 0.1;
const USEFUL_FROM = 30;
const ENDS_FROM = 100;
/** A counter: links looked at, different steps among them, and how often each is taken. */
const COUNTER_LINKS = 30;
const COUNTER_STEPS = 100;
const STEPS_TAKEN = 5;
/** Pages within which a counter must have counted further. */
const RECENT_PAGES = 200;
/** Different sets of parameters, and how far their combinations outnumber their values. */
const FACET_SETS = 6;
const FACET_SURPLUS = 4;
const FACET_URLS = 300;

/** Judged after each page of the family that was fetched. */
export function proofAgainst(family: Family, policy: TrapPolicy): Proof | undefined {
  return copiesProof(family, policy) ?? facetsProof(family, policy) ?? watchProof(family, policy);
}

function copiesProof(family: Family, policy: TrapPolicy): Proof | undefined {
  const { copies, stretch } = family;
  if (copies < policy.copiesMax || family.outside * 2 >= family.admitted) return undefined;
  const reason = `${copies} of the last ${stretch} pages like ${family.key} repeat one another`;
  return { kind: 'copies', reason };
}

function facetsProof(family: Family, policy: TrapPolicy): Proof | undefined {
  const { query, admitted } = family;
  if (query === undefined || query.deep < policy.facetsFrom || family.isWanted) return undefined;
  const [sets, pairs] = [query.sets.count, query.pairs.count];
  const isProduct = admitted >= FACET_URLS && admitted > FACET_SURPLUS * pairs;
  if (sets < FACET_SETS || !isProduct) return undefined;
  const what = `${pairs} settings of the filters of ${family.key}`;
  return { kind: 'facets', reason: `${what} are combined into ever more addresses: ${admitted}` };
}

function watchProof(family: Family, policy: TrapPolicy): Proof | undefined {
  const { watch, fetched, key } = family;
  if (watch === undefined || family.isWanted || isUseful(watch)) return undefined;
  const counts = isCounter(family) ? counterProof(family, policy) : undefined;
  if (counts !== undefined || hasEnds(watch)) return counts;
  if (isRepeating(key) && watch.pages >= policy.repeatsFrom) {
    const reason = `addresses below ${key.slice(0, -1)} repeat their own segments without end`;
    return { kind: 'repeats', reason };
  }
  const isVast = looksVast(watch, policy);
  if (isVast && watch.pages >= ENDS_FROM) watch.isOnTrial = true;
  if (isVast && watch.trial >= policy.trialPages) {
    const reason = `each of ${fetched} pages like ${key} names only new pages of its own kind`;
    return { kind: 'endless', reason };
  }
  return chainProof(family, watch, policy);
}

/** Hardly a link leads back, and the few that do speak for more pages than any site has. */
function looksVast({ chances, mentions, repeats }: Watch, policy: TrapPolicy): boolean {
  if (repeats > MEETINGS_SHARE * mentions) return false;
  return chances / (repeats + MEETINGS_BY_CHANCE) >= policy.sizeMax;
}

function counterProof(family: Family, policy: TrapPolicy): Proof | undefined {
  const { fetched, ahead, key } = family;
  const isCalendar = fetched >= policy.calendarFrom && ahead >= policy.calendarFrom / 5;
  if (!isCalendar && (fetched < policy.counterFrom || !isCountingOn(family))) return undefined;
  const tail = isCalendar ? `, ${ahead} of them about dates years ahead` : '';
  const reason = `${fetched} pages like ${key} only count on and lead nowhere else${tail}`;
  return { kind: 'counter', reason };
}

/** Its numbers still grow: the last few records are recent. */
function isCountingOn({ counting, fetched }: Family): boolean {
  const { records = [] } = counting ?? {};
  return records.length >= RECORDS && fetched - (records[0] ?? 0) <= RECENT_PAGES;
}

function chainProof(family: Family, watch: Watch, policy: TrapPolicy): Proof | undefined {
  if (family.chain < policy.chainMax || watch.pages < policy.chainMax / 2) return undefined;
  const reason = `${family.chain} pages like ${family.key} in a row lead only to the next`;
  return { kind: 'chain', reason };
}

/** The same few steps from every page. */
function isCounter({ counting }: Family): boolean {
  if (counting === undefined || counting.taken < COUNTER_LINKS) return false;
  const { count } = counting.steps;
  return count <= COUNTER_STEPS && count * STEPS_TAKEN <= counting.taken;
}

/** Last pages were met: it comes to an end. */
function hasEnds({ pages, dead, trial, trialDead }: Watch): boolean {
  return dead >= ENDS_SHARE * pages || (trial >= USEFUL_FROM && trialDead >= ENDS_SHARE * trial);
}

/** Its pages are good for something else. */
function isUseful({ pages, leading }: Watch): boolean {
  return leading >= ENDS_SHARE * pages;
}

/** Has the family shown that it is finite, useful, or wanted by others? */
export function isCleared(family: Family, policy: TrapPolicy): boolean {
  const { watch } = family;
  if (watch === undefined) return false;
  if (family.isWanted || watch.pages >= policy.watchMax) return true;
  if (watch.pages >= USEFUL_FROM && isUseful(watch)) return true;
  if (watch.pages < ENDS_FROM || isCounter(family)) return false;
  const isSmall = watch.repeats >= MEETINGS_ENOUGH && sizeOf(watch) < policy.sizeMax / 2;
  const leadsBack = watch.repeats > 2 * MEETINGS_SHARE * watch.mentions;
  return isSmall || leadsBack || hasEnds(watch);
}

/** The number of pages that the meetings speak for. */
function sizeOf({ chances, repeats }: Watch): number {
  return chances / Math.max(1, repeats);
}

/** Large enough to be watched, and not cleared before at this size. */
export function isWatchWorthy(family: Family, policy: TrapPolicy): boolean {
  const from = isRepeating(family.key) ? policy.repeatsFrom / 4 : policy.watchFrom;
  return family.fetched >= Math.max(from, family.clearUntil) && !family.isWanted;
}

/** Of `total` URLs of the host: does this family look like a trap, so that others go first? */
export function isSuspect(family: Family, total: number, policy: TrapPolicy): boolean {
  const { admitted, outlinksMax, query, watch } = family;
  if (watch?.isOnTrial || isRepeating(family.key)) return true;
  if (family.isWanted) return false;
  if (watch !== undefined && isCounter(family)) return true;
  if (query !== undefined && query.sets.count >= 2 * FACET_SETS) return true;
  const isDominant = admitted >= policy.outlinksMax && admitted > policy.shareMax * total;
  return isDominant && outlinksMax > policy.outlinksMax;
}
