/**
 * The shard store of a ring's node: the embedded store over rows that go through logs.
 *
 *   commit ─▶ ours?  ─▶ 1. hosts and admissions, until K nodes have them
 *                       2. pages settled, and all the rest
 *
 * In two steps, because a commit is of several arcs, each with a log of its own: a page that
 * outlived the links that it named would never name them again. What is refused in between has
 * been done in part (`NotOurs.isPartly`).
 *
 * Copies lie in the same tables. What is asked about all rows is answered for the arcs that are
 * ours at that instant; what is asked by name, from whatever there is.
 */
import type { Instant } from '../../base/instant.ts';
import type { BlobCodec } from '../../content/index.ts';
import type { ArcLog } from '../../ports/arc-log.ts';
import { arcsIn } from '../../ports/commit-arcs.ts';
import type { JobCounts } from '../../ports/job-counts.ts';
import type { Records, ScannedUrl, StoredTrace, VisitedUrl } from '../../ports/records.ts';
import type {
  Commit,
  Committed,
  Due,
  JobPlace,
  JobUrls,
  KeyRange,
  ShardStore,
  StoredHost,
  Totals,
  WaitingPlace,
} from '../../ports/shard-store.ts';
import { NotOurs } from '../../ports/tenures.ts';
import {
  type HostKey,
  type HostRecord,
  URL_KEY_BYTES,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import { arcOf, wholeOf } from '../../url/index.ts';
import { TABLE } from '../embedded/keys.ts';
import { EmbeddedShardStore } from '../embedded/shard-store.ts';
import type { Packs } from '../folder/pack.ts';
import { type ArcCount, ArcCounts } from './arc-counts.ts';
import { stepsOf } from './commit-steps.ts';
import { OwnedArcs } from './owned-arcs.ts';
import type { RingRows } from './rows.ts';

export interface RingStoreParts {
  readonly rows: RingRows;
  readonly log: ArcLog;
  readonly traces: Packs;
  readonly codec: BlobCodec;
}

export class RingStore implements ShardStore, Records {
  readonly #rows: RingRows;
  readonly #owned: OwnedArcs;
  readonly #store: EmbeddedShardStore;
  readonly #counts: ArcCounts;
  /** Of the commit under way. */
  readonly #fence: Fence;
  /** The epoch in which all that an arc holds was known to be kept. */
  readonly #sure = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    rows: RingRows,
    owned: OwnedArcs,
    store: EmbeddedShardStore,
    counts: ArcCounts,
    fence: Fence,
  ) {
    this.#rows = rows;
    this.#counts = counts;
    this.#owned = owned;
    this.#store = store;
    this.#fence = fence;
  }

  static async open({ rows, log, traces, codec }: RingStoreParts): Promise<RingStore> {
    const fence: Fence = { epochs: new Map() };
    const fenced = {
      write: (ops: Parameters<RingRows['write']>[0]) => rows.write(ops, fence.epochs),
      getMany: rows.getMany.bind(rows),
      rows: rows.rows.bind(rows),
      keys: rows.keys.bind(rows),
      keyRuns: rows.keyRuns.bind(rows),
    };
    const counts = new ArcCounts(rows, log);
    const store = await EmbeddedShardStore.open(fenced, traces, codec, counts);
    return new RingStore(rows, new OwnedArcs(log), store, counts, fence);
  }

  commit(commit: Commit): Promise<Committed> {
    const mine = this.#last.then(() => this.#commit(commit));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #commit(commit: Commit): Promise<Committed> {
    this.#fence.epochs = this.#epochsOf(commit);
    const [first, ...rest] = stepsOf(commit);
    const done = await this.#store.commit(first);
    try {
      await this.#makeSure(first, done.fresh);
      const [second] = rest;
      if (second === undefined) return done;
      return { ...(await this.#store.commit(second)), fresh: done.fresh };
    } catch (error) {
      throw error instanceof NotOurs ? new NotOurs(error.arcs, true) : error;
    }
  }

  /** Rejects with NotOurs while nothing is written. */
  #epochsOf(commit: Commit): Map<number, number> {
    const arcs = [...new Set([...arcsIn(commit)].map(wholeOf))];
    const epochs = this.#owned.epochsOf(arcs);
    const lost = arcs.filter((arc) => !epochs.has(arc));
    if (lost.length > 0) throw new NotOurs(lost);
    return epochs;
  }

  /**
   * That a URL is known already is relied on, too. What was new has been kept by now, with all
   * before it; an arc that had nothing new in this epoch is waited for.
   */
  async #makeSure({ admitted }: Commit, fresh: readonly boolean[]): Promise<void> {
    const { epochs } = this.#fence;
    const isSure = (arc: number) => this.#sure.get(arc) === epochs.get(arc);
    const sure = (arc: number) => this.#sure.set(arc, epochs.get(arc) as number);
    const unsure = new Set<number>();
    admitted.forEach(({ waiting }, i) => {
      if (fresh[i]) sure(arcOf(waiting.key));
      else unsure.add(arcOf(waiting.key));
    });
    const asked = [...unsure].filter((arc) => !isSure(arc));
    if (asked.length === 0) return;
    await this.#rows.confirm(asked);
    asked.forEach(sure);
  }

  /** Of one arc whatever there is: who takes it must not miss a host because its term is short. */
  async *hosts(range: KeyRange): AsyncIterable<readonly HostRecord[]> {
    for (const part of this.#owned.within(range)) yield* this.#store.hosts(part);
  }

  host(key: HostKey): Promise<StoredHost | undefined> {
    return this.#store.host(key);
  }

  waiting(host: HostKey, after: WaitingPlace | undefined, limit: number) {
    return this.#store.waiting(host, after, limit);
  }

  due(until: Instant, limit: number, from?: Instant, arcs?: readonly number[]) {
    return this.#store.due(until, limit, from, arcs ?? this.#owned.all()) as Promise<
      readonly Due[]
    >;
  }

  urls(keys: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]> {
    return this.#store.urls(keys);
  }

  async ofJob(
    job: number,
    where: JobPlace,
    from: Buffer | undefined,
    limit: number,
  ): Promise<JobUrls> {
    const place = this.#owned.placeAfter(from?.subarray(1));
    if (place === undefined) return { urls: [], next: undefined };
    const start = place.length === 0 ? from : Buffer.from([TABLE[where], ...place]);
    const { urls, next } = await this.#store.ofJob(job, where, start, limit);
    return { urls: urls.filter(({ key }: Waiting) => this.#owned.has(key)), next };
  }

  totals(): Promise<Totals> {
    return this.#store.totals();
  }

  jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    return this.#store.jobs();
  }

  /** Counts of each arc that is ours: what a ring comes to is a sum over all of its nodes. */
  countsByArc(): Promise<readonly ArcCount[]> {
    return this.#counts.byArc();
  }

  scan(after: UrlKey | undefined, limit: number): Promise<readonly ScannedUrl[]> {
    return this.#owned.read(after, (place) => this.#store.scan(place, limit));
  }

  visited(after: UrlKey | undefined, limit: number): Promise<readonly VisitedUrl[]> {
    return this.#owned.read(after, (place) => this.#store.visited(place, limit));
  }

  async keys(after: UrlKey | undefined, limit: number): Promise<Buffer> {
    const read = async (place: UrlKey | undefined) => {
      const flat = await this.#store.keys(place, limit);
      return Array.from({ length: flat.length / URL_KEY_BYTES }, (_, nth) => {
        return { key: flat.subarray(nth * URL_KEY_BYTES, (nth + 1) * URL_KEY_BYTES) };
      });
    };
    return Buffer.concat((await this.#owned.read(after, read)).map(({ key }) => key));
  }

  trace(key: UrlKey): Promise<StoredTrace | undefined> {
    return this.#store.trace(key);
  }

  /** The place of each waiting URL of ours, by its first byte (../../crawl/metrics-shards.ts). */
  async *waitingPlaces(): AsyncIterable<Iterable<number>> {
    for await (const run of this.#store.waitingPlaces()) {
      yield [...run].filter((first) => this.#owned.hasArc(first >> 2));
    }
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#store.close();
  }
}

interface Fence {
  epochs: Map<number, number>;
}
