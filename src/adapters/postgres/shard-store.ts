/**
 * The shard store on PostgreSQL: what several nodes share, each owning arcs of it.
 *
 * Reads go over a connection of their own: they never wait behind a commit (writer.ts), nor see
 * half of one.
 */
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
import { keyColumn, placeOf } from './columns.ts';
import { Counts, countedByAll } from './counts.ts';
import { Link, type PostgresOptions, type Statement, type Values } from './link.ts';
import { type DueRow, type DueStateRow, dueIn, dueOf, ofJob, READ, waitingOf } from './reads.ts';
import { type UrlRow, urlIn, type WaitRow, waitIn } from './rows.ts';
import { openLink } from './schema.ts';
import { Writer } from './writer.ts';

const HOSTS_PER_CHUNK = 1_000;
const FIRST = Buffer.alloc(0);
const LAST_BYTES = Buffer.alloc(16, 0xff);

export interface ShardStoreOptions extends PostgresOptions {
  /**
   * Whose arcs may be changed (tenures.ts): a commit that touches others' is refused. Left out,
   * nothing is checked: for whoever only reads.
   */
  readonly holder?: string;
}

export class PostgresShardStore implements ShardStore, Records, DueTruth {
  readonly #reader: Link;
  readonly #writer: Writer;
  readonly #counts: Counts;

  private constructor(reader: Link, writer: Writer, counts: Counts) {
    this.#reader = reader;
    this.#writer = writer;
    this.#counts = counts;
  }

  static async open(options: ShardStoreOptions): Promise<PostgresShardStore> {
    const link = await openLink(options);
    try {
      const reader = await Link.open(options);
      const counts = new Counts();
      const writer = new Writer(link, counts, options);
      const store = new PostgresShardStore(reader, writer, counts);
      await store.#look();
      return store;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  async *hosts(range: KeyRange): AsyncIterable<readonly HostRecord[]> {
    const end = Buffer.concat([Buffer.from([range.to]), LAST_BYTES]);
    // A single byte comes before every key that starts with it.
    for (let from: Buffer = Buffer.from([range.from]); ; ) {
      const rows = await this.#read<{ key: Buffer; record: Buffer }>(READ.hosts, [
        ...[from, end, HOSTS_PER_CHUNK],
      ]);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ record }) => decodeHost(record));
      from = last.key;
    }
  }

  async host(key: HostKey): Promise<StoredHost | undefined> {
    type Row = { record: Buffer; records: Buffer | null; bytes: Buffer | null };
    const [row] = await this.#read<Row>(READ.host, [key]);
    if (row === undefined) return undefined;
    const robots = row.records === null ? [] : decodeRobots(row.records);
    return { record: decodeHost(row.record), robots, sketch: row.bytes ?? NO_BYTES };
  }

  commit(commit: Commit): Promise<Committed> {
    return this.#writer.commit(commit);
  }

  async waiting(
    host: HostKey,
    after: WaitingPlace | undefined,
    limit: number,
  ): Promise<readonly Waiting[]> {
    const from = after === undefined ? host : placeOf(host, after.rank, after.key);
    const end = Buffer.concat([host, LAST_BYTES]);
    const rows = await this.#read<WaitRow>(waitingOf(host), [from, end, limit]);
    return rows.map(waitIn);
  }

  async due(
    until: Instant,
    limit: number,
    from: Instant = 0,
    arcs?: readonly number[],
  ): Promise<readonly Due[]> {
    if (arcs?.length === 0) return [];
    const range = [Math.ceil(from), Math.floor(until), limit];
    return (await this.#read<DueRow>(dueOf(arcs), range)).map(dueIn);
  }

  async urls(wanted: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]> {
    const rows = await this.#rowsOf<UrlRow>(READ.urls, wanted);
    return rows.map((row) => row && urlIn(row));
  }

  async dueStates(wanted: readonly UrlKey[]): Promise<readonly (DueState | undefined)[]> {
    const rows = await this.#rowsOf<DueStateRow>(READ.dueStates, wanted);
    return rows.map((row) => {
      const record = row && urlIn(row);
      return record && { record, dueAt: row?.due_at ?? undefined };
    });
  }

  async ofJob(
    job: number,
    where: JobPlace,
    from: Buffer | undefined,
    limit: number,
  ): Promise<JobUrls> {
    const rows = await this.#read<WaitRow>(ofJob(job, where), [job, from ?? FIRST, limit]);
    return { urls: rows.map(waitIn), next: rows.at(-1)?.key };
  }

  async totals(): Promise<Totals> {
    await this.#look();
    return this.#counts.totals();
  }

  async jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    await this.#look();
    return this.#counts.jobs();
  }

  async scan(after: UrlKey | undefined, limit: number): Promise<readonly ScannedUrl[]> {
    const rows = await this.#read<UrlRow>(READ.scan, [after ?? FIRST, limit]);
    return rows.flatMap((row) => {
      const record = urlIn(row);
      return record === undefined ? [] : [{ key: row.key, record }];
    });
  }

  async keys(after: UrlKey | undefined, limit: number): Promise<Buffer> {
    const [row] = await this.#read<{ keys: Buffer }>(READ.keys, [after ?? FIRST, limit]);
    return row?.keys ?? Buffer.alloc(0);
  }

  async trace(key: UrlKey): Promise<StoredTrace | undefined> {
    const [row] = await this.#read<{ trace: Buffer | null }>(READ.trace, [key]);
    return row?.trace ? decodeTrace(row.trace.toString()) : undefined;
  }

  async visited(after: UrlKey | undefined, limit: number): Promise<readonly VisitedUrl[]> {
    type Row = UrlRow & { readonly trace: Buffer | null };
    const rows = await this.#read<Row>(READ.visited, [after ?? FIRST, limit]);
    return rows.map((row) => {
      const links = row.trace === null ? [] : decodeTrace(row.trace.toString()).links;
      return { key: row.key, record: urlIn(row) as UrlRecord, links };
    });
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#reader.close();
  }

  async #look(): Promise<void> {
    this.#counts.see(await this.#reader.run(countedByAll));
  }

  /** One for each key, where it is there. */
  async #rowsOf<R extends UrlRow>(
    statement: Statement,
    wanted: readonly UrlKey[],
  ): Promise<readonly (R | undefined)[]> {
    if (wanted.length === 0) return [];
    const rows = await this.#read<R>(statement, [keyColumn(wanted)]);
    const found = new Map(rows.map((row) => [row.key.toString('latin1'), row]));
    return wanted.map((key) => found.get(key.toString('latin1')));
  }

  #read<R extends object>(statement: Statement, values: Values): Promise<R[]> {
    return this.#reader.run((send) => send<R>(statement, values));
  }
}
