/**
 * What an arc must not forget: hosts, URLs, the order in which they wait, when they are due.
 *
 * Promises (shard-store.contract.ts):
 *   1. A URL admitted twice is new once: commit() answers `true` for it exactly once.
 *   2. A commit is whole or not at all, and survives kill -9 once it has resolved.
 *   3. waiting() returns each waiting URL of a host once, best first, and none that is settled.
 *   4. due() returns what is due, earliest first, and nothing that is not. A redated URL is due
 *      once, at its new instant; one that waits already, or was visited since, is left alone.
 *   5. hosts() returns every host of the arcs asked for in key order, as last committed.
 *   6. A moved URL waits once, at its new place.
 *   7. An erased URL has the record it is given, no trace, and is not due; if it waits, it waits
 *      on. The totals follow.
 *   8. An untraced URL has no trace; all else of it is as it was.
 *   9. A failing engine rejects with a CrawlError; nothing of that commit is visible.
 *  13. A shelved URL is known and waits no more, until it is unshelved: then it waits at its old
 *      place. One that is erased leaves the shelf. A forgotten URL is as if never named; forgetting,
 *      shelving or unshelving what is not there changes nothing, and the totals follow.
 *  14. ofJob() meets every URL of a job once; jobs() counts them as they are. (10–12: records.ts)
 *  15. Where tenures are kept beside the rows (tenures.ts), a commit that changes an arc which its
 *      node does not hold at that instant rejects with NotOurs, and nothing of it is visible.
 */
import type { Instant } from '../base/instant.ts';
import type {
  HostKey,
  HostRecord,
  RobotsRecord,
  UrlKey,
  UrlRecord,
  UrlState,
  Waiting,
} from '../record/index.ts';
import { FLAGS } from '../record/index.ts';
import type { Effects, Erased, JobCounts } from './job-counts.ts';

export interface ShardStore {
  /** Hosts whose position on the circle is in [from, to], in chunks. */
  hosts(range: KeyRange): AsyncIterable<readonly HostRecord[]>;
  host(key: HostKey): Promise<StoredHost | undefined>;
  commit(commit: Commit): Promise<Committed>;
  /** The best URLs of a host after a place in its order. */
  waiting(
    host: HostKey,
    after: WaitingPlace | undefined,
    limit: number,
  ): Promise<readonly Waiting[]>;
  /**
   * From `from` on, or from the earliest, to `until`; of these arcs alone when they are named:
   * where tenures can be split (tenures.ts), also of halves and quarters.
   */
  due(
    until: Instant,
    limit: number,
    from?: Instant,
    arcs?: readonly number[],
  ): Promise<readonly Due[]>;
  /** Only where due() may tell what is not so (due-index.ts): those that are, and their records. */
  stillDue?(dues: readonly Due[]): Promise<readonly (DueRecord | undefined)[]>;
  urls(keys: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]>;
  /** URLs of a job, from a place on; looks at up to `limit` rows. */
  ofJob(job: number, where: JobPlace, from: Buffer | undefined, limit: number): Promise<JobUrls>;
  close(): Promise<void>;
}

/** First and last byte of the host positions meant; the whole circle is 0 to 255. */
export interface KeyRange {
  readonly from: number;
  readonly to: number;
}

export const WHOLE_CIRCLE: KeyRange = { from: 0, to: 255 };

/** Where a URL that is still to be asked is kept. */
export type JobPlace = 'waiting' | 'shelf';

export interface JobUrls {
  readonly urls: readonly Waiting[];
  /** Where to go on; undefined at the end. */
  readonly next: Buffer | undefined;
}

export interface StoredHost {
  readonly record: HostRecord;
  readonly robots: readonly RobotsRecord[];
  /** What was noticed about its pages (quality/sketch.ts); empty when nothing yet. */
  readonly sketch: Uint8Array;
}

/** A place in a host's waiting order: rank, then the first 8 bytes of the url hash. */
export type WaitingPlace = Pick<Waiting, 'rank' | 'key'>;

export interface Commit {
  readonly settled: readonly Settled[];
  readonly admitted: readonly Admission[];
  /** Hosts whose record changed, new ones included. */
  readonly hosts: readonly HostRecord[];
  readonly robots: readonly { readonly host: HostKey; readonly records: readonly RobotsRecord[] }[];
  readonly sketches: readonly { readonly host: HostKey; readonly bytes: Uint8Array }[];
  /** URLs that were due and wait again from now on. */
  readonly requeued: readonly { readonly due: Due; readonly waiting: Waiting }[];
  /** Visited URLs that are due at another instant now; `due.at` 0 was never, `to` 0 is never. */
  readonly redated: readonly { readonly due: Due; readonly to: Instant }[];
  /** Waiting URLs whose priority is another now (F8). */
  readonly moved: readonly { readonly from: Waiting; readonly to: Waiting }[];
  /** Known URLs of which nothing is left but the record given (G1). */
  readonly erased?: readonly { readonly key: UrlKey; readonly record: UrlRecord }[];
  /** URLs whose headers and links are not kept any longer (G2). */
  readonly untraced?: readonly UrlKey[];
  /** Waiting URLs of paused jobs, set aside; and those that wait again (crawl/jobs.ts). */
  readonly shelved?: readonly Waiting[];
  readonly unshelved?: readonly Waiting[];
  /** Waiting or shelved URLs of jobs that have ended, never had: another may name them. */
  readonly forgotten?: readonly Waiting[];
  /** What this commit changes in the counts; the store adds the URLs that turn out to be new. */
  readonly change: Partial<Totals>;
}

/** A commit says only what it changes: `{ ...NOTHING, hosts }`. */
export const NOTHING: Commit = {
  ...{ settled: [], admitted: [], hosts: [], robots: [], sketches: [], requeued: [] },
  ...{ redated: [], moved: [], change: {} },
};

/** A URL that may be new. */
export interface Admission {
  readonly waiting: Waiting;
  /** The filter has met it before, or thinks so: only then must the engine look it up. */
  readonly maybeKnown: boolean;
}

/** A visit's end: the record replaces what was known, and the URL waits no longer. */
export interface Settled {
  readonly waiting: Waiting;
  readonly record: UrlRecord;
  /** Headers and links of the visit (record/trace.ts); undefined keeps the last. */
  readonly trace?: Uint8Array;
  /** A request was made for it, and it is a page. */
  readonly isAsked?: boolean;
  /** Of its body. */
  readonly bytes?: number;
}

export interface Due {
  readonly at: Instant;
  readonly key: UrlKey;
}

/** A URL that is due, as the store has it. */
export interface DueRecord {
  readonly due: Due;
  readonly record: UrlRecord;
}

export interface Committed {
  /** One for each admission: was it new? */
  readonly fresh: readonly boolean[];
  readonly totals: Totals;
  readonly jobs: ReadonlyMap<number, JobCounts>;
  /** Those of the unshelved that were on the shelf. */
  readonly unshelved: readonly Waiting[];
}

/** Counts of the whole crawl, committed with every batch. */
export interface Totals {
  readonly known: number;
  readonly waiting: number;
  readonly retrying: number;
  /** Requests made for pages, retries included; what `--limit` limits. */
  readonly asked: number;
  /** Those of them that went to public addresses (P6). */
  readonly askedPublic: number;
  readonly fetched: number;
  readonly failed: number;
  readonly skipped: number;
  readonly bytes: number;
  readonly hosts: number;
  /** Pages that have the bytes of another, nearly its words, or are a missing page in disguise. */
  readonly copies: number;
  readonly nearDuplicates: number;
  readonly soft404s: number;
  /** Of those that wait: over the budget of their domain, after all others. */
  readonly parked: number;
  /** On the shelf, because their job is paused: they do not count as waiting. */
  readonly shelved: number;
}

export const NO_TOTALS: Totals = {
  known: 0,
  waiting: 0,
  retrying: 0,
  asked: 0,
  askedPublic: 0,
  fetched: 0,
  failed: 0,
  skipped: 0,
  bytes: 0,
  hosts: 0,
  copies: 0,
  nearDuplicates: 0,
  soft404s: 0,
  parked: 0,
  shelved: 0,
};

/** Which of the totals counts a URL that is not waiting. */
export const COUNTED_AS: Readonly<Record<UrlState, keyof Totals>> = {
  ...{ queued: 'waiting', checking: 'waiting', fetching: 'waiting' },
  ...{ storing: 'waiting', parsing: 'waiting' },
  ...{ indexed: 'fetched', skipped: 'skipped', retrying: 'retrying', dead: 'failed' },
  failed: 'failed',
};

/** What the erasure of a URL changes in the counts. */
export function erasedChange({ before, isWaiting, shelf }: Erased): Record<string, number> {
  const flags = before?.flags ?? 0;
  const change: Record<string, number> = {
    copies: flags & FLAGS.alias ? -1 : 0,
    nearDuplicates: flags & FLAGS.near_duplicate ? -1 : 0,
    soft404s: flags & FLAGS.soft_404 ? -1 : 0,
  };
  if (shelf !== undefined) return { ...change, shelved: -1, skipped: 1 };
  const counted = before && COUNTED_AS[before.state];
  if (counted === undefined || isWaiting || counted === 'skipped') return change;
  return { ...change, [counted]: -1, skipped: 1 };
}

export function sumOf(changes: readonly Partial<Totals>[]): Partial<Totals> {
  const sum: Record<string, number> = {};
  for (const change of changes) {
    for (const [name, value] of Object.entries(change)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sum as Partial<Totals>;
}

export function addTotals(totals: Totals, commit: Commit, effects: Effects): Totals {
  const { fresh, shelved, unshelved, forgotten } = effects;
  const change = sumOf([commit.change, ...effects.erased.map(erasedChange)]);
  const sum: Record<keyof Totals, number> = { ...totals };
  for (const name of Object.keys(change) as (keyof Totals)[]) sum[name] += change[name] ?? 0;
  const admitted = commit.admitted.filter((_, i) => fresh[i]).map(({ waiting }) => waiting);
  const waited = forgotten.filter(({ wasShelved }) => !wasShelved);
  sum.known += admitted.length - forgotten.length;
  sum.waiting += admitted.length + unshelved.length - shelved.length - waited.length;
  sum.shelved += shelved.length - unshelved.length - (forgotten.length - waited.length);
  sum.parked += parkedIn([...admitted, ...unshelved, ...commit.requeued.map(waitingOf)]);
  sum.parked += parkedIn(commit.moved.map(({ to }) => to));
  sum.parked -= parkedIn(commit.moved.map(({ from }) => from));
  sum.parked -= parkedIn([...shelved, ...waited.map(waitingOf), ...commit.settled.map(waitingOf)]);
  return sum;
}

function waitingOf({ waiting }: { readonly waiting: Waiting }): Waiting {
  return waiting;
}

/** Only URLs never visited are parked; those that come again have a page to be compared with. */
function parkedIn(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { priority, again }) => sum + (priority === 0 && !again ? 1 : 0), 0);
}
