/**
 * The shard store on PostgreSQL: what several nodes share, each owning arcs of it.
 *
 * A commit is one transaction, two round trips and one number. If the connection is lost before
 * its end is known, the number tells whether it was done: then its answer is given; else it is
 * sent again. So an outage shorter than the patience costs time and nothing else.
 *
 * Reads go over a connection of their own: they never wait behind a commit, nor see half of one.
 */
import type { Instant } from '../../base/instant.ts';
import type { Effects, JobCounts } from '../../ports/job-counts.ts';
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
import { int8Array, textArray } from './arrays.ts';
import { keyColumn, placeOf } from './columns.ts';
import { writeRows } from './commit.ts';
import { type Counted, Counts, type JobRow, type WriterRow } from './counts.ts';
import { Link, type PostgresOptions, type Send, type Statement, type Values } from './link.ts';
import { type DueRow, dueIn, ofJob, READ, waitingOf } from './reads.ts';
import { type UrlRow, urlIn, type WaitRow, waitIn } from './rows.ts';
import { migrate } from './schema.ts';
import { COMMIT, ROLLBACK, WRITE } from './statements.ts';

const HOSTS_PER_CHUNK = 1_000;
const FIRST = Buffer.alloc(0);
const LAST_BYTES = Buffer.alloc(16, 0xff);

interface Done {
  readonly seq: number;
  readonly effects: Effects;
  readonly counted: Counted;
}

export class PostgresShardStore implements ShardStore, Records {
  readonly #writer: Link;
  readonly #reader: Link;
  readonly #counts = new Counts();
  /** Whose counts these are: a number that no other opening of this store has. */
  readonly #id: number;
  #seq = 0;
  #doubt: Done | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(writer: Link, reader: Link, id: number) {
    this.#writer = writer;
    this.#reader = reader;
    this.#id = id;
  }

  static async open(options: PostgresOptions): Promise<PostgresShardStore> {
    const writer = await Link.open(options);
    try {
      await writer.run((send) => migrate(send, options.schema, writer.where));
      const [row] = await writer.run((send) => send<{ id: number }>(READ.join));
      const reader = await Link.open(options);
      const store = new PostgresShardStore(writer, reader, Number(row?.id));
      await store.#look();
      return store;
    } catch (error) {
      await writer.close();
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
    const mine = this.#last.then(() => this.#commit(commit));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #commit(commit: Commit): Promise<Committed> {
    const seq = ++this.#seq;
    let done: Done | undefined;
    const attempt = async (send: Send) => {
      if (done !== undefined && (await this.#isDone(send, seq))) return;
      done = undefined;
      await this.#settleDoubt(send);
      try {
        const effects = await writeRows(send, commit);
        done = { seq, effects, counted: this.#counts.after(commit, effects) };
        await this.#end(send, done);
      } catch (error) {
        await send(ROLLBACK).catch(() => undefined);
        throw error;
      }
    };
    try {
      await this.#writer.run(attempt);
    } catch (error) {
      this.#doubt = done ?? this.#doubt;
      throw error;
    }
    const { effects, counted } = done as unknown as Done;
    this.#counts.take(counted);
    const { fresh, unshelved } = effects;
    return { fresh, unshelved, totals: this.#counts.totals(), jobs: this.#counts.jobs() };
  }

  /** The last commit failed before its end was known: if it was done, it counts. */
  async #settleDoubt(send: Send): Promise<void> {
    if (this.#doubt === undefined) return;
    if (await this.#isDone(send, this.#doubt.seq)) this.#counts.take(this.#doubt.counted);
    this.#doubt = undefined;
  }

  async #isDone(send: Send, seq: number): Promise<boolean> {
    const [row] = await send<{ seq: number }>(READ.seq, [this.#id]);
    return Number(row?.seq) === seq;
  }

  async #end(send: Send, { seq, counted: { totals, changed } }: Done): Promise<void> {
    const sent = [send(WRITE.counts, [this.#id, seq, JSON.stringify(totals)])];
    if (changed.size > 0) {
      const counts = [...changed.values()].map((one) => JSON.stringify(one));
      sent.push(
        send(WRITE.jobCounts, [this.#id, int8Array([...changed.keys()]), textArray(counts)]),
      );
    }
    // COMMIT of a transaction that failed is a ROLLBACK that succeeds: the others tell.
    sent.push(send(COMMIT));
    const ends = await Promise.allSettled(sent);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
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

  async due(until: Instant, limit: number, from: Instant = 0): Promise<readonly Due[]> {
    const range = [Math.ceil(from), Math.floor(until), limit];
    return (await this.#read<DueRow>(READ.due, range)).map(dueIn);
  }

  async urls(wanted: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]> {
    if (wanted.length === 0) return [];
    const rows = await this.#read<UrlRow>(READ.urls, [keyColumn(wanted)]);
    const found = new Map(rows.map((row) => [row.key.toString('latin1'), row]));
    return wanted.map((key) => {
      const row = found.get(key.toString('latin1'));
      return row && urlIn(row);
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
    await this.#last;
    await this.#writer.close();
    await this.#reader.close();
  }

  /** What all have counted by now. */
  async #look(): Promise<void> {
    const [writers, jobs] = await this.#reader.run((send) =>
      Promise.all([send<WriterRow>(READ.writers), send<JobRow>(READ.jobCounts)]),
    );
    this.#counts.see(this.#id, writers, jobs);
  }

  #read<R extends object>(statement: Statement, values: Values): Promise<R[]> {
    return this.#reader.run((send) => send<R>(statement, values));
  }
}
