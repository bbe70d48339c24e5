/**
 * One commit as statements in one transaction, and two round trips:
 *
 *   BEGIN, whatever changes rows  ──▶  which were new, shelved, forgotten …
 *   counts, COMMIT                ──▶  done
 *
 * The order is that of the reference (../memory/shard-store.ts): forget, shelve, unshelve, settle,
 * queue again, redate, admit, hosts, erase; and within each by key, so that two nodes that name
 * the same rows wait for one another, and not in a ring.
 */
import type { Effects, Erased, Forgotten } from '../../ports/job-counts.ts';
import type { Commit } from '../../ports/shard-store.ts';
import { encodeRobots, URL_KEY_BYTES, type UrlKey, type Waiting } from '../../record/index.ts';
import { bytesArray, int8Array } from './arrays.ts';
import {
  hostColumns,
  keyColumn,
  lastOf,
  placeColumn,
  sameWaitColumns,
  visitColumns,
  visitsOf,
  waitColumns,
} from './columns.ts';
import { notHeldBy, refuseStrange } from './fence.ts';
import type { Send, Statement, Values } from './link.ts';
import { recordIn, shelfIn } from './rows.ts';
import { allDone, BEGIN, WRITE } from './statements.ts';

type Names = ReadonlySet<string>;

/**
 * Sends all that changes rows, at once; answers what it came to. Still to be committed. With a
 * holder, only what is the holder's (fence.ts).
 */
export async function writeRows(send: Send, commit: Commit, holder?: string): Promise<Effects> {
  const batch = new Batch(send);
  batch.add(BEGIN);
  const strange = holder === undefined ? [] : quiet(notHeldBy(batch.send, commit, holder));
  const forgotten = forget(batch, commit.forgotten);
  const shelved = shelve(batch, commit.shelved);
  const unshelved = unshelve(batch, commit.unshelved);
  const visits = visitsOf(commit.settled);
  batch.rows(WRITE.settle, visits, visitColumns);
  const queued = [...commit.requeued.map((r) => r.waiting), ...commit.moved.map((m) => m.to)];
  batch.rows(WRITE.queue, lastOf(queued, keyOf), waitColumns);
  redate(batch, commit.redated);
  const written = new Set([...visits, ...queued].map(({ key }) => nameOf(key)));
  const fresh = admit(batch, commit.admitted, written);
  writeHosts(batch, commit);
  batch.rows(WRITE.untrace, lastOf(commit.untraced ?? [], itself), (keys) => [keyColumn(keys)]);
  const erased = erase(batch, commit.erased);
  await batch.sent();
  refuseStrange(await strange);
  return {
    ...{ fresh: await fresh, shelved: await shelved, unshelved: await unshelved },
    ...{ forgotten: await forgotten, erased: await erased },
  };
}

/** Statements that are on their way together. */
class Batch {
  readonly #send: Send;
  readonly #sent: Promise<unknown>[] = [];

  constructor(send: Send) {
    this.#send = send;
  }

  add<R extends object>(statement: Statement, values?: Values): Promise<R[]> {
    const answer = this.#send<R>(statement, values);
    this.#sent.push(answer);
    return answer;
  }

  /** Nothing is sent for no rows. */
  rows<T, R extends object>(
    statement: Statement,
    rows: readonly T[],
    columns: (rows: readonly T[]) => Values,
  ): Promise<R[]> {
    return rows.length === 0 ? Promise.resolve([]) : this.add<R>(statement, columns(rows));
  }

  readonly send: Send = (statement, values) => this.add(statement, values);

  sent(): Promise<void> {
    return allDone(this.#sent);
  }
}

interface KeyRow {
  readonly key: Buffer;
}

async function shelve(batch: Batch, given: readonly Waiting[] = []): Promise<Waiting[]> {
  const waits = lastOf(given, keyOf);
  const done = namesOf(
    await quiet(batch.rows<Waiting, KeyRow>(WRITE.shelve, waits, sameWaitColumns)),
  );
  return waits.filter(({ key }) => done.has(nameOf(key)));
}

async function unshelve(batch: Batch, given: readonly Waiting[] = []): Promise<Waiting[]> {
  const waits = lastOf(given, keyOf);
  const columns = (rows: readonly Waiting[]) => [...sameWaitColumns(rows), placeColumn(rows)];
  const done = namesOf(await quiet(batch.rows<Waiting, KeyRow>(WRITE.unshelve, waits, columns)));
  return waits.filter(({ key }) => done.has(nameOf(key)));
}

async function forget(batch: Batch, given: readonly Waiting[] = []): Promise<Forgotten[]> {
  type Row = KeyRow & { readonly was_shelved: boolean };
  const waits = lastOf(given, keyOf);
  const rows = await quiet(batch.rows<Waiting, Row>(WRITE.forget, waits, sameWaitColumns));
  const found = new Map(rows.map((row) => [nameOf(row.key), row.was_shelved]));
  return waits.flatMap((waiting) => {
    const wasShelved = found.get(nameOf(waiting.key));
    return wasShelved === undefined ? [] : [{ waiting, wasShelved }];
  });
}

function redate(batch: Batch, redated: Commit['redated']): void {
  const rows = lastOf(redated, ({ due }) => due.key);
  batch.rows(WRITE.redate, rows, () => [
    keyColumn(rows.map(({ due }) => due.key)),
    int8Array(rows.map(({ due }) => due.at)),
    int8Array(rows.map(({ to }) => to)),
  ]);
}

/** What this commit has just written is known; of a URL named twice, the first is new. */
async function admit(
  batch: Batch,
  admitted: Commit['admitted'],
  written: Names,
): Promise<boolean[]> {
  const asked = new Map<string, Waiting>();
  const isFirst = admitted.map(({ waiting }) => {
    const name = nameOf(waiting.key);
    if (written.has(name) || asked.has(name)) return false;
    asked.set(name, waiting);
    return true;
  });
  const waits = lastOf([...asked.values()], keyOf);
  const [row] = await quiet(batch.rows<Waiting, { keys: Buffer }>(WRITE.admit, waits, waitColumns));
  const fresh = keysIn(row?.keys ?? Buffer.alloc(0));
  return admitted.map(({ waiting }, i) => isFirst[i] === true && fresh.has(nameOf(waiting.key)));
}

function writeHosts(batch: Batch, { hosts, robots, sketches }: Commit): void {
  batch.rows(WRITE.hosts, hosts, hostColumns);
  batch.rows(WRITE.robots, lastOf(robots, hostOf), (rows) => [
    keyColumn(rows.map(hostOf)),
    bytesArray(rows.map(({ records }) => encodeRobots(records))),
  ]);
  batch.rows(WRITE.sketches, lastOf(sketches, hostOf), (rows) => [
    keyColumn(rows.map(hostOf)),
    bytesArray(rows.map(({ bytes }) => bytes)),
  ]);
}

interface ErasingRow extends KeyRow {
  readonly url: string;
  readonly record: Buffer | null;
  readonly rank: number;
  readonly next_at: number;
  readonly is_due: boolean;
  readonly shelf: Buffer | null;
}

async function erase(batch: Batch, given: Commit['erased'] = []): Promise<Erased[]> {
  const erased = lastOf(given, keyOf);
  type Row = (typeof erased)[number];
  const before = batch.rows<Row, ErasingRow>(WRITE.erasing, erased, (rows) => [
    keyColumn(rows.map(keyOf)),
  ]);
  batch.rows(WRITE.erase, erased, visitColumns);
  const found = new Map((await quiet(before)).map((row) => [nameOf(row.key), row]));
  return erased.map(({ key }) => erasedOf(found.get(nameOf(key))));
}

function erasedOf(row: ErasingRow | undefined): Erased {
  if (row === undefined) return { before: undefined, isWaiting: false, shelf: undefined };
  const before = row.record === null ? undefined : recordIn(row.url, row.record, row.next_at);
  const shelf = row.shelf === null ? undefined : shelfIn({ ...row, waiting: row.shelf });
  return { before, isWaiting: (before?.nextCrawlAt ?? 0) > 0 && !row.is_due, shelf };
}

/** A failure is told by Batch.sent(), once for all of them. */
function quiet<T>(rows: Promise<T[]>): Promise<T[]> {
  return rows.catch(() => []);
}

function keysIn(flat: Buffer): Names {
  const names = new Set<string>();
  for (let at = 0; at < flat.length; at += URL_KEY_BYTES) {
    names.add(flat.toString('latin1', at, at + URL_KEY_BYTES));
  }
  return names;
}

function namesOf(rows: readonly KeyRow[]): Names {
  return new Set(rows.map(({ key }) => nameOf(key)));
}

function nameOf(key: Buffer): string {
  return key.toString('latin1');
}

function keyOf({ key }: { readonly key: UrlKey }): Buffer {
  return key;
}

function itself(key: UrlKey): Buffer {
  return key;
}

function hostOf({ host }: { readonly host: Buffer }): Buffer {
  return host;
}
