/**
 * The shard store on the embedded LSM engine: one folder, no server.
 *
 * A commit is one atomic batch. Commits follow one another: the check for known URLs and the
 * write that makes them known must not be overtaken (S4).
 */
import type { Instant } from '../../base/instant.ts';
import type { BlobCodec } from '../../content/index.ts';
import type { Effects, JobCounts } from '../../ports/job-counts.ts';
import type { Records, ScannedUrl, StoredTrace, VisitedUrl } from '../../ports/records.ts';
import type {
  Admission,
  Commit,
  Committed,
  Due,
  JobPlace,
  JobUrls,
  KeyRange,
  Settled,
  ShardStore,
  StoredHost,
  Totals,
  WaitingPlace,
} from '../../ports/shard-store.ts';
import {
  decodeHost,
  decodeRobots,
  decodeTrace,
  encodeHost,
  encodeRobots,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  queuedRecord,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import { appendPieces, type PiecePlace, readPiece, readPieces } from '../folder/blocks.ts';
import type { Packs } from '../folder/pack.ts';
import { eraseRows, untraceRows } from './erase-rows.ts';
import { type CountRows, WholeCounts } from './job-rows.ts';
import * as keys from './keys.ts';
import type { LsmRows } from './lsm.ts';
import {
  admit,
  hostKeysOf,
  move,
  type Ops,
  put,
  requeue,
  settle,
  waitingFrom,
  waitingKeyOf,
} from './queue-rows.ts';
import { decodeKnown, decodeVisited, encodePlace, encodeVisited, traceIn } from './rows.ts';
import { forgetRows, shelfIn, shelvedOf, shelveRows, unshelveRows } from './shelf-rows.ts';
import { traceEndRow, wipeUnsettledTraces } from './trace-end.ts';

const HOSTS_PER_CHUNK = 1_000;
const KEYS_PER_RUN = 10_000;
const NOTHING = Buffer.alloc(0);

const ALL_ARCS = Array.from({ length: keys.DUE_ARCS }, (_, arc) => arc);

export class EmbeddedShardStore implements ShardStore, Records {
  readonly #lsm: LsmRows;
  readonly #traces: Packs;
  readonly #codec: BlobCodec;
  readonly #counts: CountRows;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(lsm: LsmRows, traces: Packs, codec: BlobCodec, counts: CountRows) {
    this.#lsm = lsm;
    this.#traces = traces;
    this.#codec = codec;
    this.#counts = counts;
  }

  static async open(
    lsm: LsmRows,
    traces: Packs,
    codec: BlobCodec,
    counts?: CountRows,
  ): Promise<EmbeddedShardStore> {
    await wipeUnsettledTraces(lsm, traces);
    return new EmbeddedShardStore(lsm, traces, codec, counts ?? (await WholeCounts.open(lsm)));
  }

  async *hosts(range: KeyRange): AsyncIterable<readonly HostRecord[]> {
    const lt = keys.after(Buffer.from([keys.TABLE.host, range.to]));
    let from: { gte: Buffer } | { gt: Buffer } = {
      gte: Buffer.from([keys.TABLE.host, range.from]),
    };
    for (;;) {
      const rows = await this.#lsm.rows({ ...from, lt, limit: HOSTS_PER_CHUNK });
      const last = rows[rows.length - 1];
      if (last === undefined) return;
      yield rows.map(([, value]) => decodeHost(value));
      from = { gt: last[0] };
    }
  }

  async host(key: HostKey): Promise<StoredHost | undefined> {
    const tables = [keys.TABLE.host, keys.TABLE.robots, keys.TABLE.sketch];
    const rows = await this.#lsm.getMany(tables.map((table) => keys.tableKey(table, key)));
    const [record, rules, sketch = NO_BYTES] = rows;
    if (record === undefined) return undefined;
    const robots = rules === undefined ? [] : decodeRobots(rules);
    return { record: decodeHost(record), robots, sketch };
  }

  commit(commit: Commit): Promise<Committed> {
    const mine = this.#last.then(() => this.#commit(commit));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #commit(commit: Commit): Promise<Committed> {
    const ops: Ops = [];
    const forgotten = await forgetRows(this.#lsm, ops, commit.forgotten);
    const shelved = await shelveRows(this.#lsm, ops, commit.shelved);
    const unshelved = await unshelveRows(this.#lsm, ops, commit.unshelved);
    const gone = new Set(forgotten.map(({ waiting }) => waiting.key.toString('latin1')));
    const fresh = await this.#whichAreNew(commit.admitted, gone);
    const traces = commit.settled.flatMap(({ trace }) => trace ?? []);
    const places = await appendPieces(this.#traces, traces, this.#codec);
    ops.push(...traceEndRow(places));
    const before = await this.#rowsBefore(commit.settled);
    let traced = 0;
    for (const settled of commit.settled) {
      const was = before.get(settled);
      settle(ops, settled, settled.trace === undefined ? was : places[traced++]);
      if (settled.trace === undefined || was === undefined) continue;
      put(ops, keys.oldTraceKey(settled.waiting.key, was), encodePlace(was));
    }
    for (const { due, waiting } of commit.requeued) requeue(ops, due, waiting);
    await this.#redate(ops, commit.redated);
    commit.admitted.forEach(({ waiting }, i) => {
      if (fresh[i]) admit(ops, waiting);
    });
    const atHand = hostKeysOf(commit.settled);
    for (const host of commit.hosts) {
      const key = atHand.get(host.host) ?? hostKeyOf(host.host);
      put(ops, keys.tableKey(keys.TABLE.host, key), encodeHost(host));
    }
    for (const { host, records } of commit.robots) {
      put(ops, keys.tableKey(keys.TABLE.robots, host), encodeRobots(records));
    }
    for (const { host, bytes } of commit.sketches) {
      put(ops, keys.tableKey(keys.TABLE.sketch, host), Buffer.from(bytes));
    }
    for (const { from, to } of commit.moved) move(ops, from, to);
    await untraceRows(this.#lsm, this.#traces, this.#codec, ops, commit.untraced ?? []);
    const erased = await eraseRows(this.#lsm, this.#traces, this.#codec, ops, commit.erased ?? []);
    await this.#write(ops, commit, { fresh, shelved, unshelved, forgotten, erased });
    return { fresh, totals: await this.totals(), jobs: await this.jobs(), unshelved };
  }

  /** The counts go along, and are believed once they are written. */
  async #write(ops: Ops, commit: Commit, effects: Effects): Promise<void> {
    const written = await this.#counts.after(ops, commit, effects);
    await this.#lsm.write(ops);
    written();
  }

  async waiting(
    host: HostKey,
    place: WaitingPlace | undefined,
    limit: number,
  ): Promise<readonly Waiting[]> {
    const prefix = keys.tableKey(keys.TABLE.waiting, host);
    const start =
      place === undefined ? { gte: prefix } : { gt: keys.waitingKey(host, place.rank, place.key) };
    const rows = await this.#lsm.rows({ ...start, lt: keys.after(prefix), limit });
    return rows.map(([key, value]) => waitingFrom(key, value));
  }

  async due(
    until: Instant,
    limit: number,
    from: Instant = 0,
    arcs: readonly number[] = ALL_ARCS,
  ): Promise<readonly Due[]> {
    const read = arcs.map((arc) => this.#lsm.keys({ ...keys.dueRange(arc, from, until), limit }));
    const rows = (await Promise.all(read)).flat().map(keys.dueFrom);
    return rows.sort((a, b) => a.at - b.at).slice(0, limit);
  }

  urls(wanted: readonly UrlKey[]): Promise<readonly (UrlRecord | undefined)[]> {
    return this.#records(wanted);
  }

  /** The place of each waiting URL, by its first byte, as of now (../../crawl/metrics-shards.ts). */
  waitingPlaces(): AsyncIterable<Iterable<number>> {
    return firstBytes(this.#lsm.keyRuns(keys.waitingRange(), KEYS_PER_RUN));
  }

  async ofJob(
    job: number,
    where: JobPlace,
    from: Buffer | undefined,
    limit: number,
  ): Promise<JobUrls> {
    const table = Buffer.from([keys.TABLE[where]]);
    const rows = await this.#lsm.rows({ gt: from ?? table, lt: keys.after(table), limit });
    const read = where === 'shelf' ? (_: Buffer, value: Buffer) => shelfIn(value) : waitingFrom;
    const urls = rows.flatMap(([key, value]) => {
      const url = read(key, value);
      return url !== undefined && (url.job ?? 0) === job ? [url] : [];
    });
    return { urls, next: rows[rows.length - 1]?.[0] };
  }

  totals(): Promise<Totals> {
    return this.#counts.totals();
  }

  jobs(): Promise<ReadonlyMap<number, JobCounts>> {
    return this.#counts.jobs();
  }

  async scan(place: UrlKey | undefined, limit: number): Promise<readonly ScannedUrl[]> {
    const rows = await this.#lsm.keys({ ...urlsAfter(place), limit });
    const found = rows.map((key) => key.subarray(1));
    const records = await this.#records(found);
    return found.flatMap((key, i) => {
      const record = records[i];
      return record === undefined ? [] : [{ key, record }];
    });
  }

  async keys(place: UrlKey | undefined, limit: number): Promise<Buffer> {
    const rows = await this.#lsm.keys({ ...urlsAfter(place), limit });
    return Buffer.concat(rows.map((key) => key.subarray(1)));
  }

  async trace(key: UrlKey): Promise<StoredTrace | undefined> {
    const [row] = await this.#lsm.getMany([keys.tableKey(keys.TABLE.visited, key)]);
    const place = traceIn(row);
    return place && traceOf(await readPiece(this.#traces, place));
  }

  async visited(place: UrlKey | undefined, limit: number): Promise<readonly VisitedUrl[]> {
    const table = Buffer.from([keys.TABLE.visited]);
    const gt = place === undefined ? table : keys.tableKey(keys.TABLE.visited, place);
    const rows = await this.#lsm.rows({ gt, lt: keys.after(table), limit });
    const places = rows.map(([, row]) => traceIn(row));
    const traces = await readPieces(this.#traces, places);
    return rows.map(([key, row], i) => {
      const trace = traces[i];
      const links = (trace && traceOf(trace)?.links) ?? [];
      return { key: key.subarray(1), record: decodeVisited(row), links };
    });
  }

  async close(): Promise<void> {
    await this.#last;
  }

  /** Looks up what the filter flags, and finds what one batch names twice. */
  async #whichAreNew(
    admitted: readonly Admission[],
    gone: ReadonlySet<string>,
  ): Promise<boolean[]> {
    const flagged = admitted.filter((admission) => admission.maybeKnown);
    const rows = await this.#lsm.getMany(
      flagged.map(({ waiting }) => keys.tableKey(keys.TABLE.url, waiting.key)),
    );
    const known = new Set<Admission>(flagged.filter((_, i) => rows[i] !== undefined));
    const named = new Set<string>();
    return admitted.map((admission) => {
      const name = admission.waiting.key.toString('latin1');
      if ((known.has(admission) && !gone.has(name)) || named.has(name)) return false;
      named.add(name);
      return true;
    });
  }

  /** Only what is still as it was read: a row that is gone belongs to a URL that waits by now. */
  async #redate(ops: Ops, redated: Commit['redated']): Promise<void> {
    const rows = await this.#lsm.getMany(
      redated.flatMap(({ due }) => [
        keys.tableKey(keys.TABLE.visited, due.key),
        keys.dueKey(due.at, due.key),
      ]),
    );
    redated.forEach(({ due, to }, i) => {
      const [visited, isDue] = [rows[2 * i], due.at === 0 || rows[2 * i + 1] !== undefined];
      const record = visited && decodeVisited(visited);
      if (visited === undefined || record?.nextCrawlAt !== due.at || !isDue) return;
      const row = encodeVisited({ ...record, nextCrawlAt: to }, traceIn(visited));
      put(ops, keys.tableKey(keys.TABLE.visited, due.key), row);
      if (due.at > 0) ops.push({ type: 'del', key: keys.dueKey(due.at, due.key) });
      if (to > 0) put(ops, keys.dueKey(to, due.key), NOTHING);
    });
  }

  /** The last trace of URLs that were visited again: it stays, or is put aside. */
  async #rowsBefore(settled: readonly Settled[]): Promise<Map<Settled, PiecePlace>> {
    const again = settled.filter((s) => s.waiting.again);
    const rows = await this.#lsm.getMany(
      again.map(({ waiting }) => keys.tableKey(keys.TABLE.visited, waiting.key)),
    );
    const places = new Map<Settled, PiecePlace>();
    again.forEach((s, i) => {
      const place = traceIn(rows[i]);
      if (place !== undefined) places.set(s, place);
    });
    return places;
  }

  /** A visited URL by its record; one that has only been queued by the row that waits. */
  async #records(wanted: readonly UrlKey[]): Promise<(UrlRecord | undefined)[]> {
    const records = await this.#visited(wanted);
    const unvisited = wanted.flatMap((_, i) => (records[i] === undefined ? [i] : []));
    if (unvisited.length === 0) return records;
    const waiting = await this.#waitingRecords(unvisited.map((i) => wanted[i] as UrlKey));
    unvisited.forEach((i, nth) => {
      records[i] = waiting[nth];
    });
    return records;
  }

  async #visited(wanted: readonly UrlKey[]): Promise<(UrlRecord | undefined)[]> {
    const rows = await this.#lsm.getMany(
      wanted.map((key) => keys.tableKey(keys.TABLE.visited, key)),
    );
    return rows.map((row) => row && decodeVisited(row));
  }

  async #waitingRecords(wanted: readonly UrlKey[]): Promise<(UrlRecord | undefined)[]> {
    const known = await this.#lsm.getMany(wanted.map((key) => keys.tableKey(keys.TABLE.url, key)));
    const places = known.map(
      (row, i) => row && waitingKeyOf(wanted[i] as UrlKey, decodeKnown(row)),
    );
    const rows = await this.#lsm.getMany(places.flatMap((place) => place ?? []));
    let next = 0;
    const records = places.map((place) => {
      const row = place && rows[next++];
      return row && queuedRecord(waitingFrom(place as Buffer, row));
    });
    // Settled between the reads of its rows: it waits no longer, and has a record by now.
    const lost = places.flatMap((place, i) => (place && records[i] === undefined ? [i] : []));
    const late = await this.#settledOrShelved(lost.map((i) => wanted[i] as UrlKey));
    lost.forEach((i, nth) => {
      records[i] = late[nth];
    });
    return records;
  }

  async #settledOrShelved(wanted: readonly UrlKey[]): Promise<(UrlRecord | undefined)[]> {
    if (wanted.length === 0) return [];
    const shelved = await shelvedOf(this.#lsm, wanted);
    const visited = await this.#visited(wanted);
    return wanted.map((_, i) => visited[i] ?? (shelved[i] && queuedRecord(shelved[i])));
  }
}

async function* firstBytes(runs: AsyncIterable<Buffer[]>): AsyncIterable<Iterable<number>> {
  for await (const run of runs) yield run.map((row) => row[1] as number);
}

/** Undefined for one that was blanked and is still named by a row that was read before. */
function traceOf(piece: Uint8Array): StoredTrace | undefined {
  return piece[0] === 0 ? undefined : decodeTrace(piece);
}

function urlsAfter(place: UrlKey | undefined): { gt: Buffer; lt: Buffer } {
  const table = Buffer.from([keys.TABLE.url]);
  return {
    gt: place === undefined ? table : keys.tableKey(keys.TABLE.url, place),
    lt: keys.after(table),
  };
}
