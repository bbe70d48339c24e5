/**
 * Records in Cassandra. A commit reads what it must know, is thought through (draft.ts), decided
 * in the writer's log (log.ts), and then applied:
 *
 *   read  ─▶  think  ─▶  decide  ─▶  apply  ─▶  answered        three round trips, one of them Paxos
 *
 * Commits follow one another. One whose end is not known, because the store did not answer for
 * longer than the patience, rejects; whether it was decided is asked before anything else is read
 * or written. So it is either whole or not there, and its counts with it.
 */
import { randomUUID } from 'node:crypto';
import type { Instant } from '../../base/instant.ts';
import type { DueState, DueTruth } from '../../ports/due-index.ts';
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
  decodeHost,
  decodeRobots,
  decodeTrace,
  type HostKey,
  type HostRecord,
  NO_BYTES,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import { Draft, nameOf } from './draft.ts';
import { Fence } from './fence.ts';
import type { Intent } from './intent.ts';
import type { CassandraOptions, Link } from './link.ts';
import { finishLeft, WriterLog } from './log.ts';
import { openLink } from './open.ts';
import { ARCS, Reads } from './reads.ts';
import { hashOf, recordOf, waitIn } from './rows.ts';
import { type Counted, Sums } from './sums.ts';

const HOSTS_PER_CHUNK = 1_000;
const NO_HASH = Buffer.alloc(0);
const MICROS = 1_000;
/** A commit has an instant for what it removes, and the next one for what it writes. */
const COMMIT_MICROS = 2;

export interface CassandraStoreOptions extends CassandraOptions {
  /**
   * Whose arcs may be changed (tenures.ts): a commit that touches others' is refused. Left out,
   * nothing is checked: for whoever only reads, or is alone.
   */
  readonly holder?: string;
}

/** A commit under way. */
interface Going {
  readonly seq: number;
  readonly intent: Intent;
  readonly counted: Counted;
}

export class CassandraShardStore implements ShardStore, Records, DueTruth {
  readonly #link: Link;
  readonly #options: CassandraStoreOptions;
  readonly #log: WriterLog;
  readonly #reads: Reads;
  readonly #sums: Sums;
  readonly #fence: Fence | undefined;
  /** After every commit that this one may follow, whatever the clocks of others say. */
  #at = 0;
  #doubt: Going | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(link: Link, log: WriterLog, options: CassandraStoreOptions) {
    const { crawl, holder } = options;
    this.#link = link;
    this.#log = log;
    this.#options = options;
    this.#reads = new Reads(link, crawl);
    this.#sums = new Sums(link, crawl, log.writer);
    this.#fence = holder === undefined ? undefined : new Fence(link, crawl, holder);
  }

  static async open(options: CassandraStoreOptions): Promise<CassandraShardStore> {
    const link = await openLink(options);
    try {
      return await CassandraShardStore.over(link, options);
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  /** Over a link that is the store's from now on, with what was left unfinished finished. */
  static async over(link: Link, options: CassandraStoreOptions): Promise<CassandraShardStore> {
    const { crawl, holder = randomUUID() } = options;
    const log = await WriterLog.open(link, crawl, holder);
    const store = new CassandraShardStore(link, log, options);
    const writers = await store.#sums.writers();
    await link.each(writers, (writer) => finishLeft(link, crawl, writer));
    store.#at = await store.#sums.open();
    return store;
  }

  async *hosts({ from, to }: KeyRange): AsyncIterable<readonly HostRecord[]> {
    await this.#settled();
    for await (const records of this.#reads.hosts(from, to, HOSTS_PER_CHUNK)) {
      yield records.map(decodeHost);
    }
  }

  async host(key: HostKey): Promise<StoredHost | undefined> {
    await this.#settled();
    const row = await this.#reads.host(key);
    if (row === undefined) return undefined;
    const robots = row.robots ? decodeRobots(row.robots) : [];
    return { record: decodeHost(row.record), robots, sketch: row.sketch ?? NO_BYTES };
  }

  commit(commit: Commit): Promise<Committed> {
    return this.#inTurn(() => this.#commit(commit));
  }

  async #commit(commit: Commit): Promise<Committed> {
    await this.#settleDoubt();
    const [epochs, before] = await Promise.all([
      this.#fence?.epochsFor(commit),
      this.#before(commit),
    ]);
    if (this.#fence?.isNew) this.#at = Math.max(this.#at, await this.#sums.look());
    const draft = new Draft(before);
    const effects = draft.make(commit);
    const counted = this.#sums.after(commit, effects);
    const { clock } = this.#options;
    const at = Math.max(this.#at + COMMIT_MICROS, Math.round(clock.now() * MICROS));
    this.#at = at;
    const changes = [...draft.changes(), ...this.#sums.changes(counted, at)];
    const going = { seq: this.#log.next(), intent: { at, changes }, counted };
    try {
      await this.#log.decide(going.seq, going.intent, epochs ?? new Map());
      await this.#finish(going);
    } catch (error) {
      if (!(error instanceof NotOurs)) this.#doubt = going;
      throw error;
    }
    const { fresh, unshelved } = effects;
    return { fresh, unshelved, totals: this.#sums.totals(), jobs: this.#sums.jobs() };
  }

  async #finish(going: Going): Promise<void> {
    await this.#log.apply(going.intent);
    this.#sums.take(going.counted);
    this.#doubt = undefined;
    this.#log.note(going.seq);
  }

  /** The last commit failed before its end was known: if it was decided, it is done now. */
  async #settleDoubt(): Promise<void> {
    const going = this.#doubt;
    if (going === undefined) return;
    if (await this.#log.isDecided(going.seq)) await this.#finish(going);
    else this.#doubt = undefined;
  }

  /** Nobody reads half of a commit that was given up. */
  async #settled(): Promise<void> {
    if (this.#doubt !== undefined) await this.#inTurn(() => this.#settleDoubt());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #before(commit: Commit) {
    const { forgotten = [], shelved = [], unshelved = [], erased = [] } = commit;
    const rows = [...forgotten, ...shelved, ...unshelved, ...erased].map(({ key }) => key);
    rows.push(...commit.redated.map(({ due }) => due.key));
    const named = commit.admitted.filter(({ maybeKnown }) => maybeKnown);
    const [states, known] = await Promise.all([
      this.#reads.states(rows),
      this.#reads.known(named.map(({ waiting }) => waiting.key)),
    ]);
    return { states, known };
  }

  async waiting(
    host: HostKey,
    after: WaitingPlace | undefined,
    limit: number,
  ): Promise<readonly Waiting[]> {
    await this.#settled();
    const [rank, hash] = after === undefined ? [-1, NO_HASH] : [after.rank, hashOf(after.key)];
    const rows = await this.#reads.waiting(host, rank, hash, limit);
    return rows.map((row) => waitIn(host, row));
  }

  async due(
    until: Instant,
    limit: number,
    from: Instant = 0,
    arcs: readonly number[] = Array.from({ length: ARCS }, (_, arc) => arc),
  ): Promise<readonly Due[]> {
    await this.#settled();
    const found = await this.#link.each(arcs, (arc) => this.#reads.due(arc, from, until, limit));
    return found
      .flat()
      .sort((a, b) => a.at - b.at)
      .slice(0, limit);
  }

  async urls(wanted: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]> {
    await this.#settled();
    const states = await this.#reads.states(wanted);
    return wanted.map((key) => {
      const state = states.get(nameOf(key));
      return state && recordOf(state);
    });
  }

  async dueStates(wanted: readonly UrlKey[]): Promise<readonly (DueState | undefined)[]> {
    await this.#settled();
    const states = await this.#reads.states(wanted);
    return wanted.map((key) => {
      const state = states.get(nameOf(key));
      const record = state && recordOf(state);
      return record && { record, dueAt: state.dueAt };
    });
  }

  async ofJob(
    job: number,
    where: JobPlace,
    from: Buffer | undefined,
    limit: number,
  ): Promise<JobUrls> {
    await this.#settled();
    const states = await this.#reads.urls(from, limit);
    const urls = states.flatMap(({ waiting, shelf }) => {
      const found = where === 'shelf' ? shelf : waiting;
      return found !== undefined && (found.job ?? 0) === job ? [found] : [];
    });
    return { urls, next: states.at(-1)?.key };
  }

  async totals(): Promise<Totals> {
    await this.#settled();
    await this.#sums.look();
    return this.#sums.totals();
  }

  async jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    await this.#settled();
    await this.#sums.look();
    return this.#sums.jobs();
  }

  async scan(after: UrlKey | undefined, limit: number): Promise<readonly ScannedUrl[]> {
    await this.#settled();
    const states = await this.#reads.urls(after, limit);
    return states.flatMap((state) => {
      const record = recordOf(state);
      return record === undefined ? [] : [{ key: state.key, record }];
    });
  }

  async keys(after: UrlKey | undefined, limit: number): Promise<Buffer> {
    await this.#settled();
    return Buffer.concat(await this.#reads.keys(after, limit));
  }

  async trace(key: UrlKey): Promise<StoredTrace | undefined> {
    await this.#settled();
    const bytes = (await this.#reads.traces([key])).get(nameOf(key));
    return bytes && decodeTrace(bytes.toString());
  }

  async visited(after: UrlKey | undefined, limit: number): Promise<readonly VisitedUrl[]> {
    await this.#settled();
    const found: ScannedUrl[] = [];
    for (let from = after; found.length < limit; ) {
      const states = await this.#reads.urls(from, limit);
      if (states.length === 0) break;
      from = states.at(-1)?.key;
      found.push(...states.flatMap(({ key, record }) => (record ? [{ key, record }] : [])));
    }
    const visited = found.slice(0, limit);
    const traces = await this.#reads.traces(visited.map(({ key }) => key));
    return visited.map(({ key, record }) => {
      const bytes = traces.get(nameOf(key));
      return { key, record, links: bytes === undefined ? [] : decodeTrace(bytes.toString()).links };
    });
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#log.close();
    await this.#link.close();
  }
}
