/**
 * Limits on the whole crawl (F7, L2, P6): pages, bytes, time, and the thousand pages of public
 * hosts that anybody may ask for without leaving a contact.
 *
 * Pages are counted before they are asked, so that a limit holds exactly: what is open counts.
 */
import type { Instant } from '../base/instant.ts';

export interface BudgetLimits {
  /** 0 is no limit, for each of them. */
  readonly pagesMax: number;
  readonly bytesMax: number;
  readonly until: Instant;
  readonly publicPagesMax: number;
}

/** What has been spent, as committed. */
export interface Spent {
  readonly asked: number;
  readonly askedPublic: number;
  readonly bytes: number;
}

export type Exhausted = 'pages' | 'bytes' | 'time' | 'contact';

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #spent: () => Spent;

  constructor(limits: BudgetLimits, spent: () => Spent) {
    this.#limits = limits;
    this.#spent = spent;
  }

  /** How many more pages may be asked for, with `open` of them on their way. */
  pagesLeft(open: number, now: Instant): number {
    const { pagesMax, publicPagesMax } = this.#limits;
    if (this.exhausted(now) !== undefined) return 0;
    const { asked, askedPublic } = this.#spent();
    const left = (max: number, spent: number) =>
      max === 0 ? Number.POSITIVE_INFINITY : Math.max(0, max - spent - open);
    return Math.min(left(pagesMax, asked), left(publicPagesMax, askedPublic));
  }

  /** When its time is over; never is infinite. */
  get endsAt(): Instant {
    return this.#limits.until > 0 ? this.#limits.until : Number.POSITIVE_INFINITY;
  }

  /** Which limit has been reached, if any. */
  exhausted(now: Instant): Exhausted | undefined {
    const { pagesMax, bytesMax, until, publicPagesMax } = this.#limits;
    const { asked, askedPublic, bytes } = this.#spent();
    if (publicPagesMax > 0 && askedPublic >= publicPagesMax) return 'contact';
    if (pagesMax > 0 && asked >= pagesMax) return 'pages';
    if (bytesMax > 0 && bytes >= bytesMax) return 'bytes';
    return until > 0 && now >= until ? 'time' : undefined;
  }
}
