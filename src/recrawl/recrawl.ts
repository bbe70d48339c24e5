/**
 * When to come back: one visit's observations in, the next visit's instant out (T1–T5).
 *
 *   halving   every page has an interval that follows its changes; over budget, those who ask
 *             most often wait longer, top pages last
 *   optimal   every page is visited as often as its price says (optimum.ts)
 *   uniform   every page as often as any other: what the other two are measured against
 *   never     nothing is visited again unless somebody asks for it
 *
 * Holds the census of what is known, and nothing about single pages: those are in their records.
 */
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { HostClass, UrlRecord } from '../record/index.ts';
import { Census, type Counted, IMPORTANCE_MIN } from './census.ts';
import { Division, PAUSE_MS_MIN, STARVED_MS } from './division.ts';
import { halvedMs } from './halving.ts';
import { classify, hostChangeMs, notePace, type Pace } from './pace.ts';
import type { PolicyName } from './policy-names.ts';
import {
  changeMsOf,
  doubtedChangeMs,
  isPrior,
  isSure,
  learn,
  priorRate,
  type Rate,
} from './rate.ts';
import { boundsOf, importanceOf, type Tier, TOP_IMPORTANCE, tierOf } from './tiers.ts';

export interface RecrawlPolicy {
  readonly name: PolicyName;
  /** Visits a day, or a share of the known pages a day; undefined leaves it to the policy. */
  readonly budget: { readonly perDay: number } | { readonly share: number } | undefined;
  /** Classes that an operator gave to hosts. */
  readonly classes: ReadonlyMap<string, HostClass>;
}

/** What is read of the host, and what it learns. */
export interface SeenHost extends Pace {
  readonly host: string;
  readonly quality: number;
}

export type KnownPage = Pick<
  UrlRecord,
  'priority' | 'lastFetchedAt' | 'intervalMs' | 'visits' | 'rateShape' | 'rateMs'
>;

export interface SeenVisit {
  readonly now: Instant;
  readonly host: SeenHost;
  readonly priority: number;
  /** The record of the visit before, if there was one. */
  readonly before: KnownPage | undefined;
  /** Undefined when the visit could not tell. */
  readonly changed: boolean | undefined;
}

export interface NextVisit {
  readonly nextCrawlAt: Instant;
  readonly intervalMs: number;
  readonly rateShape: number;
  readonly rateMs: number;
}

/** The longest pause: a clock that jumped must not put a page off for longer. */
export const PAUSE_MS_MAX: number = 365 * DAY_MS;
/** Without a budget of its own: a tenth of the pages a day, and some in any case. */
const DEFAULT_BUDGET = { share: 0.1, min: 1_000 } as const;
/** A pause of so many times between changes finds one anyhow, and says nothing of the rate. */
const BLIND = 3;

export class Recrawl {
  readonly policy: RecrawlPolicy;
  readonly #division: Division;
  #census = new Census();

  constructor(policy: RecrawlPolicy) {
    this.policy = policy;
    const by = {
      halving: 'pause',
      optimal: 'price',
      uniform: 'nothing',
      never: 'nothing',
    } as const;
    this.#division = new Division(by[policy.name]);
  }

  /** Pages that are visited again and again, and the visits a day that they ask for. */
  get demand(): { readonly pages: number; readonly perDay: number } {
    const { top, rest } = this.#census.demand;
    return { pages: this.#census.pages, perDay: top + rest };
  }

  /** Visits a day that may be spent; infinite where nobody asked for a limit. */
  get budgetPerDay(): number {
    const { budget, name } = this.policy;
    const { pages } = this.#census;
    if (budget !== undefined) return 'perDay' in budget ? budget.perDay : budget.share * pages;
    if (name !== 'optimal') return Number.POSITIVE_INFINITY;
    return Math.max(DEFAULT_BUDGET.min, DEFAULT_BUDGET.share * pages);
  }

  tierOf(page: KnownPage, host: SeenHost): Tier {
    return tierOf(importanceOf(page.priority, host.quality), pageChangeMs(page, host));
  }

  /** Who goes first when not all can: top pages, then by tier; smaller is sooner. */
  urgencyOf(page: KnownPage, host: SeenHost): number {
    const isTop = importanceOf(page.priority, host.quality) >= TOP_IMPORTANCE;
    return isTop ? 0 : this.tierOf(page, host);
  }

  /** A page was answered: what is known of it now, and when it is visited next. */
  next(visit: SeenVisit): NextVisit {
    const { now, host, before } = visit;
    const rate = this.#learn(visit);
    const changeMs = changeMsOf(rate);
    const importance = Math.max(IMPORTANCE_MIN, importanceOf(visit.priority, host.quality));
    const intervalMs = paused(this.#intervalMs(visit, importance, rate));
    if (before !== undefined) this.leave(before, host);
    this.#census.add({ changeMs, importance, intervalMs });
    this.#division.divide(this.#census, this.budgetPerDay);
    const isProbe = this.#isProbe(visit, rate, intervalMs);
    const shortestMs = this.#division.shortestMs(importance);
    const waitMs = paused(isProbe ? changeMs : Math.max(shortestMs, intervalMs));
    const { shape: rateShape, ms: rateMs } = rate;
    return { nextCrawlAt: Math.round(now + waitMs), intervalMs, rateShape, rateMs };
  }

  /** A page that is visited no longer as it was: gone, or about to be counted anew. */
  leave(page: KnownPage, host: SeenHost): void {
    if (page.intervalMs > 0) this.#census.remove(counted(page, host));
  }

  /** A census of pages as they are in their records: `adopt` it when all are counted. */
  count(census: Census, page: KnownPage, host: SeenHost): void {
    if (page.intervalMs > 0) census.add(counted(page, host));
  }

  adopt(census: Census): void {
    this.#census = census;
    this.#division.divide(census, this.budgetPerDay, true);
  }

  #learn({ now, host, before, changed }: SeenVisit): Rate {
    const set = this.policy.classes.get(host.host);
    const known = before && !isPrior(rateIn(before)) ? rateIn(before) : undefined;
    const elapsedMs = before === undefined ? 0 : now - before.lastFetchedAt;
    if (changed === undefined || !(elapsedMs > 0)) {
      classify(host, set);
      return known ?? priorRate(hostChangeMs(host));
    }
    const rate = learn(known ?? priorRate(hostChangeMs(host)), elapsedMs, changed);
    notePace(host, elapsedMs, rate, set);
    return rate;
  }

  #intervalMs(visit: SeenVisit, importance: number, rate: Rate): number {
    const { host, before, changed } = visit;
    const changeMs = changeMsOf(rate);
    if (this.policy.name === 'uniform') return this.#uniformMs();
    const pricedMs = this.#division.pricedMs(changeMs, importance);
    if (pricedMs !== undefined) {
      const doubtedMs = this.#division.pricedMs(doubtedChangeMs(rate), importance);
      return Math.min(pricedMs, doubtedMs ?? pricedMs);
    }
    const bounds = boundsOf(host.hostClass, tierOf(importance, changeMs));
    return halvedMs(before?.intervalMs ?? 0, changed, bounds);
  }

  /**
   * A page that changes too quickly to be worth its visits is left alone for weeks, and would be
   * for ever if that was a mistake: every second visit is soon enough to tell, until it is sure.
   */
  #isProbe({ before }: SeenVisit, rate: Rate, intervalMs: number): boolean {
    if (this.policy.name !== 'optimal' || isSure(rate)) return false;
    return intervalMs > BLIND * changeMsOf(rate) && (before?.visits ?? 0) % 2 === 1;
  }

  #uniformMs(): number {
    const perDay = this.budgetPerDay;
    const { pages } = this.#census;
    return perDay === Number.POSITIVE_INFINITY ? STARVED_MS / 4 : (pages / perDay) * DAY_MS;
  }
}

function counted(page: KnownPage, host: SeenHost): Counted {
  const importance = Math.max(IMPORTANCE_MIN, importanceOf(page.priority, host.quality));
  return { changeMs: pageChangeMs(page, host), importance, intervalMs: page.intervalMs };
}

function pageChangeMs(page: KnownPage, host: SeenHost): number {
  return page.rateShape > 0 ? changeMsOf(rateIn(page)) : hostChangeMs(host);
}

function rateIn({ rateShape: shape, rateMs: ms }: KnownPage): Rate {
  return { shape, ms };
}

function paused(ms: number): number {
  return Math.round(Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, ms)));
}
