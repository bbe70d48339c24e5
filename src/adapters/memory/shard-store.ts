/**
 * The shard store in memory: the reference that the others are measured against, and the
 * store of simulations. Forgets everything when the process ends.
 */
import type { Instant } from '../../base/instant.ts';
import { waitsBefore } from '../../frontier/window.ts';
import type { DueState, DueTruth } from '../../ports/due-index.ts';
import {
  type Erased,
  type Forgotten,
  type JobCounts,
  jobCountsAfter,
} from '../../ports/job-counts.ts';
import type { Records, ScannedUrl, StoredTrace, VisitedUrl } from '../../ports/records.ts';
import {
  addTotals,
  type Commit,
  type Committed,
  type Due,
  type JobPlace,
  type JobUrls,
  type KeyRange,
  NO_TOTALS,
  type ShardStore,
  type StoredHost,
  type Totals,
  type WaitingPlace,
} from '../../ports/shard-store.ts';
import {
  decodeTrace,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  queuedRecord,
  type RobotsRecord,
  URL_KEY_BYTES,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import { covers, hostOf } from '../../url/index.ts';

interface UrlRow {
  record?: UrlRecord;
  waiting?: Waiting;
  /** Set aside, because its job is paused. */
  shelf?: Waiting;
  trace?: Uint8Array;
}

const HOSTS_PER_CHUNK = 1_000;

export class MemoryShardStore implements ShardStore, Records, DueTruth {
  readonly #hosts = new Map<string, HostRecord>();
  readonly #robots = new Map<string, readonly RobotsRecord[]>();
  readonly #sketches = new Map<string, Uint8Array>();
  readonly #urls = new Map<string, UrlRow>();
  readonly #waiting = new Map<string, Map<string, Waiting>>();
  readonly #due = new Map<string, Due>();
  readonly #jobs = new Map<number, JobCounts>();
  #totals: Totals = NO_TOTALS;
  #sorted: readonly string[] = [];

  async *hosts(range: KeyRange): AsyncIterable<readonly HostRecord[]> {
    const all = [...this.#hosts.entries()]
      .filter(([key]) => isInRange(key.charCodeAt(0), range))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, host]) => host);
    for (let i = 0; i < all.length; i += HOSTS_PER_CHUNK) yield all.slice(i, i + HOSTS_PER_CHUNK);
  }

  async host(key: HostKey): Promise<StoredHost | undefined> {
    const record = this.#hosts.get(text(key));
    const sketch = this.#sketches.get(text(key)) ?? NO_BYTES;
    return record && { record, robots: this.#robots.get(text(key)) ?? [], sketch };
  }

  async commit(commit: Commit): Promise<Committed> {
    const forgotten = (commit.forgotten ?? []).flatMap((waiting) => this.#forget(waiting) ?? []);
    const shelved = (commit.shelved ?? []).filter((waiting) => this.#shelve(waiting));
    const unshelved = (commit.unshelved ?? []).filter((waiting) => this.#unshelve(waiting));
    for (const settled of commit.settled)
      this.#settle(settled.waiting, settled.record, settled.trace);
    for (const { due, waiting } of commit.requeued) {
      this.#due.delete(text(due.key));
      this.#queue(waiting);
    }
    for (const { due, to } of commit.redated) this.#redate(due, to);
    const fresh = commit.admitted.map(({ waiting }) => this.#admit(waiting));
    for (const host of commit.hosts) this.#hosts.set(text(hostKeyOf(host.host)), host);
    for (const { host, records } of commit.robots) this.#robots.set(text(host), records);
    for (const { host, bytes } of commit.sketches) this.#sketches.set(text(host), bytes);
    for (const { to } of commit.moved) this.#queue(to);
    for (const key of commit.untraced ?? []) delete this.#urls.get(text(key))?.trace;
    const erased = (commit.erased ?? []).map(({ key, record }) => this.#erase(key, record));
    const effects = { fresh, shelved, unshelved, forgotten, erased };
    this.#totals = addTotals(this.#totals, commit, effects);
    for (const [job, counts] of jobCountsAfter(this.#jobs, commit, effects)) {
      this.#jobs.set(job, counts);
    }
    return { fresh, totals: this.#totals, jobs: this.#jobs, unshelved };
  }

  async waiting(
    host: HostKey,
    after: WaitingPlace | undefined,
    limit: number,
  ): Promise<readonly Waiting[]> {
    const rows = [...(this.#waiting.get(text(host))?.values() ?? [])];
    return rows
      .filter((row) => after === undefined || waitsBefore(after, row))
      .sort((a, b) => (waitsBefore(a, b) ? -1 : 1))
      .slice(0, limit);
  }

  async due(
    until: Instant,
    limit: number,
    from: Instant = 0,
    arcs?: readonly number[],
  ): Promise<readonly Due[]> {
    const isMeant = ({ at, key }: Due) =>
      at >= from && at <= until && (arcs === undefined || arcs.some((arc) => covers(arc, key)));
    const rows = [...this.#due.values()].filter(isMeant);
    return rows.sort((a, b) => a.at - b.at).slice(0, limit);
  }

  async urls(keys: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]> {
    return keys.map((key) => recordOf(this.#urls.get(text(key))));
  }

  async dueStates(keys: readonly UrlKey[]): Promise<readonly (DueState | undefined)[]> {
    return keys.map((key) => {
      const record = recordOf(this.#urls.get(text(key)));
      return record && { record, dueAt: this.#due.get(text(key))?.at };
    });
  }

  async ofJob(
    job: number,
    where: JobPlace,
    from: Buffer | undefined,
    limit: number,
  ): Promise<JobUrls> {
    const keys = this.#keysAfter(from, limit);
    const last = keys[keys.length - 1];
    const urls = keys.flatMap((key) => {
      const row = this.#urls.get(key);
      const found = where === 'shelf' ? row?.shelf : row?.waiting;
      return found !== undefined && (found.job ?? 0) === job ? [found] : [];
    });
    return { urls, next: last === undefined ? undefined : Buffer.from(last, 'latin1') };
  }

  async totals(): Promise<Totals> {
    return this.#totals;
  }

  async jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    return this.#jobs;
  }

  async scan(after: UrlKey | undefined, limit: number): Promise<readonly ScannedUrl[]> {
    return this.#keysAfter(after, limit).map((key) => ({
      key: Buffer.from(key, 'latin1'),
      record: recordOf(this.#urls.get(key)) as UrlRecord,
    }));
  }

  async keys(after: UrlKey | undefined, limit: number): Promise<Buffer> {
    const keys = this.#keysAfter(after, limit);
    return Buffer.concat(
      keys.map((key) => Buffer.from(key, 'latin1')),
      keys.length * URL_KEY_BYTES,
    );
  }

  async trace(key: UrlKey): Promise<StoredTrace | undefined> {
    const block = this.#urls.get(text(key))?.trace;
    return block === undefined ? undefined : decodeTrace(block);
  }

  async visited(after: UrlKey | undefined, limit: number): Promise<readonly VisitedUrl[]> {
    const found: VisitedUrl[] = [];
    const keys = this.#sortedKeys();
    for (let i = after === undefined ? 0 : firstAfter(keys, text(after)); i < keys.length; i++) {
      if (found.length === limit) break;
      const { record, trace } = this.#urls.get(keys[i] as string) ?? {};
      if (record === undefined) continue;
      const links = trace === undefined ? [] : decodeTrace(trace).links;
      found.push({ key: Buffer.from(keys[i] as string, 'latin1'), record, links });
    }
    return found;
  }

  async close(): Promise<void> {}

  #keysAfter(after: UrlKey | undefined, limit: number): string[] {
    const start = after === undefined ? '' : text(after);
    return [...this.#urls.keys()]
      .filter((key) => key > start)
      .sort()
      .slice(0, limit);
  }

  /** Sorted once for all reads between two writes of new URLs. */
  #sortedKeys(): readonly string[] {
    if (this.#sorted.length !== this.#urls.size) this.#sorted = [...this.#urls.keys()].sort();
    return this.#sorted;
  }

  #admit(waiting: Waiting): boolean {
    if (this.#urls.has(text(waiting.key))) return false;
    this.#queue(waiting);
    return true;
  }

  #queue(waiting: Waiting): void {
    const row = this.#urls.get(text(waiting.key)) ?? {};
    this.#urls.set(text(waiting.key), { ...row, waiting });
    this.#queueOf(waiting).set(text(waiting.key), waiting);
  }

  #settle(waiting: Waiting, record: UrlRecord, trace: Uint8Array | undefined): void {
    const key = text(waiting.key);
    const kept = trace ?? this.#urls.get(key)?.trace;
    this.#urls.set(key, kept === undefined ? { record } : { record, trace: kept });
    this.#queueOf(waiting).delete(key);
    if (record.nextCrawlAt > 0) this.#due.set(key, { at: record.nextCrawlAt, key: waiting.key });
  }

  #redate({ at, key }: Due, to: Instant): void {
    const row = this.#urls.get(text(key));
    const isDue = at === 0 || this.#due.get(text(key))?.at === at;
    if (row?.record?.nextCrawlAt !== at || !isDue) return;
    this.#urls.set(text(key), { ...row, record: { ...row.record, nextCrawlAt: to } });
    if (to > 0) this.#due.set(text(key), { at: to, key });
    else this.#due.delete(text(key));
  }

  #erase(key: UrlKey, record: UrlRecord): Erased {
    const { record: before, waiting, shelf } = this.#urls.get(text(key)) ?? {};
    this.#urls.set(text(key), { record, ...(waiting && { waiting }) });
    const isDue = this.#due.delete(text(key));
    return { before, isWaiting: (before?.nextCrawlAt ?? 0) > 0 && !isDue, shelf };
  }

  #shelve(waiting: Waiting): boolean {
    const { waiting: own, ...rest } = this.#urls.get(text(waiting.key)) ?? {};
    if (own === undefined || !isSame(own, waiting)) return false;
    this.#queueOf(waiting).delete(text(waiting.key));
    this.#urls.set(text(waiting.key), { ...rest, shelf: own });
    return true;
  }

  #unshelve(waiting: Waiting): boolean {
    const { shelf, ...rest } = this.#urls.get(text(waiting.key)) ?? {};
    if (shelf === undefined || !isSame(shelf, waiting)) return false;
    this.#urls.set(text(waiting.key), rest);
    this.#queue(shelf);
    return true;
  }

  #forget(waiting: Waiting): Forgotten | undefined {
    const row = this.#urls.get(text(waiting.key));
    const own = row?.waiting ?? row?.shelf;
    if (own === undefined || !isSame(own, waiting)) return undefined;
    this.#urls.delete(text(waiting.key));
    this.#queueOf(waiting).delete(text(waiting.key));
    this.#sorted = [];
    return { waiting, wasShelved: row?.shelf !== undefined };
  }

  #queueOf(waiting: Waiting): Map<string, Waiting> {
    const host = text(hostKeyOf(hostOf(waiting.url)));
    let queue = this.#waiting.get(host);
    if (queue === undefined) {
      queue = new Map();
      this.#waiting.set(host, queue);
    }
    return queue;
  }
}

function firstAfter(keys: readonly string[], place: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function recordOf(row: UrlRow | undefined): UrlRecord | undefined {
  const queued = row?.waiting ?? row?.shelf;
  return row?.record ?? (queued && queuedRecord(queued));
}

/** The same wait of the same job: it may have been forgotten and named again since. */
function isSame(a: Waiting, b: Waiting): boolean {
  return a.rank === b.rank && (a.job ?? 0) === (b.job ?? 0);
}

function isInRange(byte: number, range: KeyRange): boolean {
  return byte >= range.from && byte <= range.to;
}

function text(key: Buffer): string {
  return key.toString('latin1');
}
