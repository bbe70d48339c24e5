/**
 * Which pages are repeated most: clusters of copies, the largest first.
 *
 * No index leads from an original to its copies, so all records are walked past, a little at a
 * time and only while somebody wants to know. Memory is bounded: of very many clusters the small
 * ones are forgotten on the way, and a large one may then be told some smaller than it is.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import { FLAGS, type UrlKey, type UrlRecord } from '../record/index.ts';
import type { AnswerSources } from './ask-sources.ts';

const ROWS_PER_LOOK = 1_000;
const BREATH_MS = 4;
/** A walk that nobody asks about any more ends. */
const LEFT_MS = MINUTE_MS;
/** A whole walk holds for ten times as long as it took: at most a tenth of the time is walked. */
const HOLDS_TIMES = 10;
const HOLDS_MS = { min: 2 * SECOND_MS, max: 10 * MINUTE_MS } as const;
/** How long the first asker waits for a walk that may be short. */
const PATIENCE_MS = SECOND_MS / 2;
const CLUSTERS_MAX = 20_000;
const CLUSTERS_TOLD = 50;
const SAMPLES = 3;

export interface Cluster {
  /** `near`: nearly its words; `exact`: its very bytes. */
  readonly kind: 'near' | 'exact';
  readonly copies: number;
  /** The page that they repeat, as far as it is known. */
  readonly originalUrl?: string;
  readonly samples: readonly string[];
}

export interface CopiesAnswer {
  readonly isCounted: boolean;
  /** Records looked at so far, and when the walk began. */
  readonly looked: number;
  readonly begunAt: Instant;
  readonly clusters: readonly Cluster[];
}

interface Draft {
  readonly kind: Cluster['kind'];
  readonly original: UrlKey | undefined;
  copies: number;
  readonly samples: string[];
}

interface Walked {
  readonly begunAt: Instant;
  holdsUntil: Instant;
  readonly drafts: Map<string, Draft>;
  looked: number;
  isCounted: boolean;
}

type Sources = Pick<AnswerSources, 'store' | 'records' | 'clock'>;

export class CopySurvey {
  readonly #sources: Sources;
  readonly #stop = new AbortController();
  #last: Walked | undefined;
  #walk: { readonly walked: Walked; readonly end: Promise<void> } | undefined;
  #askedAt: Instant = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  async answer(): Promise<CopiesAnswer> {
    const { clock } = this.#sources;
    this.#askedAt = clock.now();
    const isOld = this.#last === undefined || this.#askedAt > this.#last.holdsUntil;
    if (isOld && this.#walk === undefined) this.#begin();
    const patience = clock.sleepUntil(this.#askedAt + PATIENCE_MS, this.#stop.signal);
    if (this.#last === undefined) await Promise.race([this.#walk?.end, patience]);
    const shown = this.#last ?? this.#walk?.walked;
    if (shown === undefined) return { isCounted: false, looked: 0, begunAt: 0, clusters: [] };
    const { isCounted, looked, begunAt } = shown;
    return { isCounted, looked, begunAt, clusters: await this.#told(shown) };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#walk?.end;
  }

  #begin(): void {
    const begunAt = this.#askedAt;
    const walked = { begunAt, holdsUntil: 0, drafts: new Map(), looked: 0, isCounted: false };
    const end = this.#walkPast(walked).finally(() => {
      this.#walk = undefined;
    });
    this.#walk = { walked, end: end.catch(() => undefined) };
  }

  async #walkPast(walked: Walked): Promise<void> {
    const { records, clock } = this.#sources;
    for (let after: UrlKey | undefined; ; ) {
      const rows = await records.scan(after, ROWS_PER_LOOK);
      after = rows.at(-1)?.key;
      if (after === undefined) break;
      for (const { record } of rows) note(walked.drafts, record);
      walked.looked += rows.length;
      if (walked.drafts.size > CLUSTERS_MAX) forgetSmall(walked.drafts);
      await clock.sleepUntil(clock.now() + BREATH_MS, this.#stop.signal);
      const isLeft = clock.now() - this.#askedAt > LEFT_MS;
      if (isLeft || this.#stop.signal.aborted) return;
    }
    const took = HOLDS_TIMES * (clock.now() - walked.begunAt);
    walked.holdsUntil = clock.now() + Math.min(HOLDS_MS.max, Math.max(HOLDS_MS.min, took));
    walked.isCounted = true;
    this.#last = walked;
  }

  async #told({ drafts }: Walked): Promise<Cluster[]> {
    const top = largest(drafts, CLUSTERS_TOLD);
    const keys = top.flatMap(([, { original }]) => (original === undefined ? [] : [original]));
    const found = await this.#sources.store.urls(keys);
    const urls = new Map(keys.map((key, i) => [key.toString('latin1'), found[i]?.url]));
    return top.map(([, { kind, copies, samples, original }]) => {
      const originalUrl = original && urls.get(original.toString('latin1'));
      return { kind, copies, samples, ...(originalUrl !== undefined && { originalUrl }) };
    });
  }
}

function note(drafts: Map<string, Draft>, record: UrlRecord): void {
  const { flags, original, contentHash, url } = record;
  if ((flags & FLAGS.erased) !== 0) return;
  const isNear = (flags & FLAGS.near_duplicate) !== 0 && original.length > 0;
  const isExact = !isNear && (flags & FLAGS.alias) !== 0 && contentHash.length > 0;
  if (!isNear && !isExact) return;
  const name = Buffer.from(isNear ? original : contentHash).toString('latin1');
  const known = drafts.get(name);
  if (known !== undefined) {
    known.copies++;
    if (known.samples.length < SAMPLES) known.samples.push(url);
    return;
  }
  const kind = isNear ? 'near' : 'exact';
  const key = isNear ? Buffer.from(original) : undefined;
  drafts.set(name, { kind, copies: 1, samples: [url], original: key });
}

function largest(drafts: ReadonlyMap<string, Draft>, count: number): [string, Draft][] {
  return [...drafts].sort(([, a], [, b]) => b.copies - a.copies).slice(0, count);
}

function forgetSmall(drafts: Map<string, Draft>): void {
  const kept = largest(drafts, CLUSTERS_MAX / 2);
  drafts.clear();
  for (const [name, draft] of kept) drafts.set(name, draft);
}
