/**
 * The jobs of a crawl as it goes on: what each may name, and whether its URLs are asked now.
 *
 *   rulesOf(job)   scope, depth: what its pages may name (admit.ts); nothing when it has ended
 *   gate(job)      asked, shelved or forgotten, when the turn of its URL has come (../frontier/)
 *
 * What must last is in the book (../ports/job-book.ts) and in the store's counts. Job 0 is
 * the crawl itself: it can be paused, and never ends.
 */
import type { Instant } from '../base/instant.ts';
import type { Aside } from '../frontier/index.ts';
import type { JobBook, JobEnd, JobEntry } from '../ports/job-book.ts';
import { type JobCounts, NO_COUNTS } from '../ports/job-counts.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import type { AdmitRules } from './admit.ts';

export interface JobPlan {
  /** What a job with these seeds may name. */
  readonly rulesFor: (entry: JobEntry, seeds: readonly string[]) => AdmitRules;
  /** The crawl itself, as a job: how many seeds it began with, and when. */
  readonly own: JobEntry;
  /** Other nodes write the book, too. */
  readonly isShared?: boolean;
  readonly stripWww: boolean;
}

export class JobBoard {
  readonly #own: AdmitRules;
  readonly #plan: JobPlan | undefined;
  readonly #now: () => Instant;
  /** As last committed. */
  readonly #counts: () => ReadonlyMap<number, JobCounts>;
  readonly #entries = new Map<number, JobEntry>();
  readonly #rules = new Map<number, AdmitRules>();

  constructor(
    own: AdmitRules,
    plan: JobPlan | undefined,
    now: () => Instant,
    counts: () => ReadonlyMap<number, JobCounts>,
  ) {
    this.#own = own;
    this.#plan = plan;
    this.#now = now;
    this.#counts = counts;
    if (plan !== undefined) this.#entries.set(0, plan.own);
  }

  /** Takes every job from the book, with the scope that it had. */
  async read(book: JobBook, store: ShardStore): Promise<void> {
    for (const entry of await book.all()) {
      this.open(entry, entry.endedBy === undefined ? await book.seeds(entry.id) : []);
      await this.rulesOf(entry.id)?.scope.recall(store);
    }
  }

  /** A new job, or one from the book. */
  open(entry: JobEntry, seeds: readonly string[]): void {
    this.#entries.set(entry.id, entry);
    const rules = entry.id > 0 ? this.#plan?.rulesFor(entry, seeds) : undefined;
    if (rules !== undefined) this.#rules.set(entry.id, rules);
  }

  /** The same job with another word said about it. */
  put(entry: JobEntry): void {
    this.#entries.set(entry.id, entry);
  }

  get(id: number): JobEntry | undefined {
    return this.#entries.get(id);
  }

  /** The newest first. */
  all(): JobEntry[] {
    return [...this.#entries.values()].sort((a, b) => b.id - a.id);
  }

  countsOf(id: number): JobCounts {
    return this.#counts().get(id) ?? NO_COUNTS;
  }

  rulesOf(job: number): AdmitRules | undefined {
    if (job === 0) return this.#own;
    return this.endOf(job) === undefined ? this.#rules.get(job) : undefined;
  }

  /** Is there anybody to whom it belongs? */
  isInScope(url: string): boolean {
    return this.rulesFor(url).scope.judge(url).in;
  }

  /** Those of its job, or of the first whose scope it is in; else of the crawl itself. */
  rulesFor(url: string, job = 0): AdmitRules {
    if (job > 0) return this.#rules.get(job) ?? this.#own;
    if (this.#own.scope.judge(url).in) return this.#own;
    for (const one of this.#rules.keys()) {
      const rules = this.rulesOf(one);
      if (rules?.scope.judge(url).in) return rules;
    }
    return this.#own;
  }

  /** Why nothing more of it is asked: an operator's word, or a limit that is reached. */
  endOf(job: number): JobEnd | undefined {
    const entry = this.#entries.get(job);
    if (entry === undefined || entry.endedBy !== undefined) return entry?.endedBy;
    if (entry.until !== undefined && this.#now() >= entry.until) return 'time_limit';
    const isFull = entry.pagesMax !== undefined && this.countsOf(job).asked >= entry.pagesMax;
    return isFull ? 'page_limit' : undefined;
  }

  readonly gate = (job: number, underWay: number): Aside | undefined => {
    const entry = this.#entries.get(job);
    if (entry === undefined) return undefined;
    if (this.endOf(job) !== undefined) return 'forget';
    if (entry.pausedAt !== undefined) return 'shelve';
    return this.roomOf(entry, underWay) > 0 ? undefined : 'shelve';
  };

  /** Requests that its limit of pages leaves, those under way taken as made. */
  roomOf({ id, pagesMax }: JobEntry, underWay: number): number {
    if (pagesMax === undefined) return Number.POSITIVE_INFINITY;
    return pagesMax - this.countsOf(id).asked - underWay;
  }
}
