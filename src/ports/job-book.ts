/**
 * What defines jobs, kept over restarts: what each call asked for, what became of the job by an
 * operator's word or a limit, and the seeds that make its scope. How far a job is, the shard
 * store counts (job-counts.ts).
 *
 * Promises (job-book.contract.ts):
 *   1. What put() and addSeeds() resolved for survives a power cut.
 *   2. all() returns each job once, as it was last put, by number.
 *   3. seeds() returns what was added to a job, in order, and nothing of others.
 *   4. A number is one job's: of all who open it, one is told true; the others change nothing.
 */
import type { Instant } from '../base/instant.ts';
import type { ScopeKind } from '../url/index.ts';

export interface JobBook {
  all(): Promise<readonly JobEntry[]>;
  /** A new job; false where its number is taken. */
  open(entry: JobEntry): Promise<boolean>;
  put(entry: JobEntry): Promise<void>;
  /** Canonical URLs: they hold no line end. */
  addSeeds(job: number, seeds: readonly string[]): Promise<void>;
  seeds(job: number): Promise<readonly string[]>;
}

export type JobPriority = 'high' | 'normal' | 'low';

/** Why nothing more of a job is asked; 'finished' is never written: it follows from the counts. */
export type JobEnd = 'page_limit' | 'time_limit' | 'cancelled';

export interface JobEntry {
  /** 0 is the crawl itself. */
  readonly id: number;
  readonly name: string;
  readonly createdAt: Instant;
  /** URLs that the call brought. */
  readonly seeds: number;
  readonly priority: JobPriority;
  readonly scope: ScopeKind;
  readonly depth?: number;
  readonly ttlHours?: number;
  readonly pagesMax?: number;
  readonly until?: Instant;
  readonly pausedAt?: Instant;
  readonly endedBy?: JobEnd;
  /** When it ended, or was last seen with nothing left to do. */
  readonly endedAt?: Instant;
  /** An Idempotency-Key, hashed, and the body that came with it. */
  readonly call?: { readonly name: string; readonly digest: string };
  /** Of the crawl itself, where several nodes share the book: the settings that make it this crawl. */
  readonly identity?: Readonly<Record<string, string>>;
  /** What its call was answered; left out until it is. */
  readonly receipt?: JobReceipt;
}

export interface JobReceipt {
  readonly queued: number;
  readonly known: number;
  readonly refusedCount: number;
  readonly refused: readonly { readonly url: string; readonly reason: string }[];
  readonly startAt: Instant;
}
