/**
 * A store with an index of what is due beside it (K2, T3): asked every second for nothing but what
 * comes due, the index answers, and the store is left alone.
 *
 *   commit ─▶ store ─▶ index.note              due ─▶ index ─┬─▶ rows ─▶ stillDue ─▶ requeued
 *                                                    lost? ─▶ store      └─▶ not so: put right
 *                                                      └─▶ filled again (due-fill.ts)
 *
 * The store decides. What the index tells is looked up before it is requeued; what it cannot tell is
 * asked of the store (S5); and now and then the store is asked in any case, so that nothing that
 * an index has missed, for whatever reason, waits for longer than that.
 *
 * A commit of which nobody knows whether it was written has its URLs looked up before the next look.
 */
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import { type DueChange, type DueIndex, type DueTruth, earliestOf } from '../ports/due-index.ts';
import type { Commit, Committed, Due, DueRecord, ShardStore } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import type { UrlKey, UrlRecord } from '../record/index.ts';
import type { Tier } from '../recrawl/index.ts';
import { DueFill } from './due-fill.ts';

export interface DueStoreParts {
  readonly store: ShardStore & DueTruth;
  readonly index: DueIndex;
  readonly clock: Clock;
  readonly tierOf: (record: UrlRecord) => Tier;
  readonly notice?: (text: string) => void;
}

/** The store is asked this often whatever the index says. */
const SWEEP_MS = 10 * MINUTE_MS;
/** What the store counts in: an instant may lose its fraction there. */
const WHOLE_MS = 1;

export class DueStore implements ShardStore {
  readonly #parts: DueStoreParts;
  readonly #fill: DueFill;
  #sweptAt: Instant;
  /** Of commits that failed, and may have been written. */
  readonly #unsure = new Map<string, UrlKey>();
  /** What has changed since each look-up that is under way began. */
  readonly #lookUps = new Set<Set<string>>();
  /** Looks that the store was not asked for. */
  looks = 0;

  constructor(parts: DueStoreParts) {
    this.#parts = parts;
    this.#fill = new DueFill(parts);
    this.#sweptAt = parts.clock.now();
  }

  async commit(commit: Commit): Promise<Committed> {
    const { store, index, tierOf } = this.#parts;
    const changes = changesOf(commit, tierOf);
    try {
      const committed = await store.commit(commit);
      index.note(changes);
      this.#overtake(changes);
      return committed;
    } catch (error) {
      const isNotDone = error instanceof NotOurs && !error.isPartly;
      for (const { key } of isNotDone ? [] : changes) this.#unsure.set(nameOf(key), key);
      throw error;
    }
  }

  /** Of named arcs, which are ours, by the index; of the whole circle by the store. */
  async due(
    until: Instant,
    limit: number,
    from: Instant = 0,
    arcs?: readonly number[],
  ): Promise<readonly Due[]> {
    const { store, index } = this.#parts;
    if (arcs === undefined || this.#isTimeToSweep()) return store.due(until, limit, from, arcs);
    await this.#makeSure();
    const { rows, lost } = await index.due({ from, until, limit }, arcs);
    this.#fill.begin(lost);
    if (lost.length === 0) {
      this.looks++;
      return rows;
    }
    const theirs = await store.due(
      until,
      limit,
      from,
      lost.map(({ arc }) => arc),
    );
    return earliestOf([rows, theirs], limit);
  }

  /** Those that are due by the store, no later than was told; the index is put right about others. */
  async stillDue(dues: readonly Due[]): Promise<readonly (DueRecord | undefined)[]> {
    const { states, putRight } = await this.#lookUp(dues.map(({ key }) => key));
    const wrong: DueChange[] = [];
    const still = dues.map(({ at: told, key }, nth) => {
      const { record, dueAt: at = 0 } = states[nth] ?? {};
      if (record !== undefined && at > 0 && at < told + WHOLE_MS)
        return { due: { at, key }, record };
      wrong.push({ key, at });
      return undefined;
    });
    putRight(wrong);
    return still;
  }

  /** An arc has come: what is committed of it from now on is noted. */
  take(arc: number, epoch: number): void {
    this.#parts.index.take(arc, epoch);
  }

  /** … and has gone: nothing more is. */
  leave(arc: number): Promise<void> {
    return this.#parts.index.leave(arc);
  }

  hosts(range: Parameters<ShardStore['hosts']>[0]) {
    return this.#parts.store.hosts(range);
  }

  host(key: Parameters<ShardStore['host']>[0]) {
    return this.#parts.store.host(key);
  }

  waiting(...asked: Parameters<ShardStore['waiting']>) {
    return this.#parts.store.waiting(...asked);
  }

  urls(keys: readonly UrlKey[]) {
    return this.#parts.store.urls(keys);
  }

  ofJob(...asked: Parameters<ShardStore['ofJob']>) {
    return this.#parts.store.ofJob(...asked);
  }

  /** The index; the store is whoever's gave it. */
  async close(): Promise<void> {
    await this.#fill.close();
    await this.#parts.index.close();
  }

  #isTimeToSweep(): boolean {
    const now = this.#parts.clock.now();
    const isTime = now - this.#sweptAt >= SWEEP_MS;
    if (isTime) this.#sweptAt = now;
    return isTime;
  }

  async #makeSure(): Promise<void> {
    if (this.#unsure.size === 0) return;
    const keys = [...this.#unsure.values()];
    const { states, putRight } = await this.#lookUp(keys);
    putRight(keys.map((key, nth) => ({ key, at: states[nth]?.dueAt ?? 0 })));
    for (const key of keys) this.#unsure.delete(nameOf(key));
  }

  /** As the store has them. What is committed meanwhile is newer, and is noted by its commit. */
  async #lookUp(keys: readonly UrlKey[]) {
    const { store, index } = this.#parts;
    const newer = new Set<string>();
    this.#lookUps.add(newer);
    const states = await store.dueStates(keys).finally(() => this.#lookUps.delete(newer));
    const putRight = (changes: readonly DueChange[]) =>
      index.note(changes.filter(({ key }) => !newer.has(nameOf(key))));
    return { states, putRight };
  }

  #overtake(changes: readonly DueChange[]): void {
    for (const newer of this.#lookUps) for (const { key } of changes) newer.add(nameOf(key));
  }
}

/** In the order of a commit; of a URL that is in it twice, the last counts. */
function changesOf(commit: Commit, tierOf: (record: UrlRecord) => Tier): DueChange[] {
  const { forgotten = [], settled, requeued, redated, erased = [] } = commit;
  return [
    ...forgotten.map(({ key }) => ({ key, at: 0 })),
    ...settled.map(({ waiting, record }) => ({
      ...{ key: waiting.key, at: record.nextCrawlAt, tier: tierOf(record) },
    })),
    ...requeued.map(({ due }) => ({ key: due.key, at: 0 })),
    ...redated.map(({ due, to }) => ({ key: due.key, at: to })),
    ...erased.map(({ key }) => ({ key, at: 0 })),
  ];
}

function nameOf(key: UrlKey): string {
  return key.toString('latin1');
}
