/**
 * The log of one writer: where a commit is decided, before any of its rows is changed.
 *
 *   write    the whole commit into the writer's own partition, IF nobody sealed it   ── decided
 *   apply    its changes, each partition for itself, in any order, twice if need be
 *   applied  noted; now and then what is applied is removed from the log
 *
 * Cassandra changes one partition as a whole, and no two. So a commit is one row first, and that
 * row is the commit: whoever finds it unfinished can finish it, and until somebody has, whoever
 * reads the arc waits for that (shard-store.ts, tenures.ts).
 *
 * A seal is put on a writer's log, arc by arc, by who takes an arc from it (tenures.ts): from then
 * on the writer cannot decide a commit that touches the arc, whatever it believes.
 */
import { CrawlError } from '../../base/errors.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { decodeIntent, encodeIntent, type Intent } from './intent.ts';
import type { Link, Step } from './link.ts';
import type { Whole } from './rows.ts';
import { partitionOf, type RowChange, stepOf } from './statements.ts';

/** The tenure under which the writer touches each arc. */
export type Epochs = ReadonlyMap<number, number>;

/** More is written before, in parts: what is decided on should be small. */
const WHOLE_BYTES_MAX = 64 << 10;
const PART_BYTES = 512 << 10;
const BATCH_BYTES_MAX = 512 << 10;
/** Of partitions in one request, and their bytes: `cassandra.yaml` warns at 10 and 5 KiB. */
const COMPANY_MAX = 10;
const COMPANY_BYTES_MAX = 4 << 10;
/** Commits that are removed from the log at once. */
const REMOVED_AT_ONCE = 32;

const CQL = {
  decide: `UPDATE @log SET parts = ?, bytes = ?
    WHERE crawl = ? AND writer = ? AND seq = ? AND part = 0 IF sealed = ?`,
  part: 'INSERT INTO @log (crawl, writer, seq, part, bytes) VALUES (?, ?, ?, ?, ?)',
  head: 'SELECT parts FROM @log WHERE crawl = ? AND writer = ? AND seq = ? AND part = 0',
  seals: 'SELECT sealed, seals FROM @log WHERE crawl = ? AND writer = ? LIMIT 1',
  seal: 'UPDATE @log SET sealed = ?, seals = seals + ? WHERE crawl = ? AND writer = ? IF sealed = ?',
  left: 'SELECT seq, part, parts, bytes FROM @log WHERE crawl = ? AND writer = ? AND seq > ?',
  remove: 'DELETE FROM @log WHERE crawl = ? AND writer = ? AND seq <= ?',
  applied: 'INSERT INTO @writer (crawl, id, applied) VALUES (?, ?, ?)',
  appliedOf: 'SELECT applied FROM @writer WHERE crawl = ? AND id = ?',
} as const;

interface Seals {
  readonly sealed: number | null;
  readonly seals: Readonly<Record<string, Whole>> | null;
}

export class WriterLog {
  readonly #link: Link;
  readonly #crawl: string;
  readonly writer: string;
  #seq = 0;
  #sealed: number | null = null;
  #isListed = false;
  #noted: Promise<unknown> = Promise.resolve();

  private constructor(link: Link, crawl: string, writer: string) {
    this.#link = link;
    this.#crawl = crawl;
    this.writer = writer;
  }

  /** What its writer left unfinished is finished. */
  static async open(link: Link, crawl: string, writer: string): Promise<WriterLog> {
    const log = new WriterLog(link, crawl, writer);
    log.#seq = await finishLeft(link, crawl, writer);
    log.#sealed = (await sealsOf(link, crawl, writer)).sealed;
    return log;
  }

  /** A number for the next commit; one that was not decided is not used again. */
  next(): number {
    return ++this.#seq;
  }

  /** Resolves when it is decided: it will be done. Rejects with NotOurs where it must not be. */
  async decide(seq: number, intent: Intent, epochs: Epochs): Promise<void> {
    await this.#list(seq);
    const bytes = encodeIntent(intent);
    const parts = bytes.length > WHOLE_BYTES_MAX ? partsOf(bytes) : [];
    await this.#link.each(parts, (part) =>
      this.#link.run(CQL.part, [this.#crawl, this.writer, seq, parts.indexOf(part) + 1, part]),
    );
    const row = [parts.length, parts.length === 0 ? bytes : null, this.#crawl, this.writer, seq];
    for (;;) {
      const values = [...row, this.#sealed];
      if (await this.#link.decide([{ text: CQL.decide, values }])) return;
      if (await this.isDecided(seq)) return;
      const { sealed, seals } = await sealsOf(this.#link, this.#crawl, this.writer);
      const lost = [...epochs].filter(([arc, epoch]) => epoch <= (seals?.[arc]?.toNumber() ?? -1));
      if (lost.length > 0) throw new NotOurs(lost.map(([arc]) => arc));
      this.#sealed = sealed;
    }
  }

  /** Among the writers, where others find its log: only who writes is there. */
  async #list(seq: number): Promise<void> {
    if (this.#isListed) return;
    await this.#link.run(CQL.applied, [this.#crawl, this.writer, seq - 1]);
    this.#isListed = true;
  }

  /** For certain: a write that is still on its way has no effect any more. */
  async isDecided(seq: number): Promise<boolean> {
    const rows = await this.#link.serial<{ parts: number | null }>(CQL.head, [
      ...[this.#crawl, this.writer, seq],
    ]);
    return rows.some(({ parts }) => parts !== null);
  }

  apply(intent: Intent): Promise<void> {
    return applyIntent(this.#link, this.#crawl, intent);
  }

  /** Nobody waits for it: what is not noted is only done once more by whoever comes next. */
  note(seq: number): void {
    const own = [this.#crawl, this.writer, seq];
    this.#noted = this.#noted
      .then(() => this.#link.run(CQL.applied, own))
      .then(() => (seq % REMOVED_AT_ONCE === 0 ? this.#link.run(CQL.remove, own) : undefined))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#noted;
  }
}

/** The writer cannot decide any more what touches these arcs under these tenures, or older ones. */
export async function sealWriter(
  link: Link,
  crawl: string,
  writer: string,
  epochs: Epochs,
): Promise<void> {
  for (;;) {
    const { sealed, seals } = await sealsOf(link, crawl, writer);
    const missing = [...epochs].filter(([arc, epoch]) => epoch > (seals?.[arc]?.toNumber() ?? -1));
    if (missing.length === 0) return;
    const values = [(sealed ?? 0) + 1, Object.fromEntries(missing), crawl, writer, sealed];
    if (await link.decide([{ text: CQL.seal, values: values as Step['values'] }])) return;
  }
}

/** Finishes what a writer has decided and not applied; answers its last number. */
export async function finishLeft(link: Link, crawl: string, writer: string): Promise<number> {
  type Row = { seq: Whole; part: number; parts: number | null; bytes: Buffer | null };
  const [row] = await link.run<{ applied: Whole | null }>(CQL.appliedOf, [crawl, writer]);
  const applied = row?.applied?.toNumber() ?? 0;
  const rows = await link.serial<Row>(CQL.left, [crawl, writer, applied]);
  let last = applied;
  for (const { seq, part, parts, bytes } of rows) {
    last = Math.max(last, seq.toNumber());
    if (part !== 0 || parts === null) continue;
    const more = rows.flatMap((other) =>
      other.part > 0 && other.seq.toNumber() === seq.toNumber() ? (other.bytes ?? []) : [],
    );
    if (more.length !== parts) throw incomplete(writer, seq.toNumber(), link.where);
    await applyIntent(
      link,
      crawl,
      decodeIntent(Buffer.concat(parts === 0 && bytes ? [bytes] : more)),
    );
  }
  if (last > applied) await link.run(CQL.applied, [crawl, writer, last]);
  return last;
}

function incomplete(writer: string, seq: number, where: string): CrawlError {
  const what = `commit ${seq} of ${writer} at ${where} has not all of its parts`;
  const hint = 'repair the keyspace (`nodetool repair`), then run the same command again';
  return new CrawlError('E_STORE_DAMAGED', what, hint);
}

async function sealsOf(link: Link, crawl: string, writer: string): Promise<Seals> {
  const [row] = await link.serial<Seals>(CQL.seals, [crawl, writer]);
  return row ?? { sealed: null, seals: null };
}

/** Rows of one partition go together, as one change of it; each change is whole by itself. */
async function applyIntent(link: Link, crawl: string, { at, changes }: Intent): Promise<void> {
  const groups = new Map<string, RowChange[]>();
  for (const change of changes) {
    const name = partitionOf(change);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [change]);
    else group.push(change);
  }
  const batches = [...groups.values()].flatMap(batchesOf);
  await link.each(inCompany(batches), (batch) =>
    link.together(batch.map((change) => stepOf(change, crawl, at))),
  );
}

function batchesOf(changes: readonly RowChange[]): RowChange[][] {
  const batches: RowChange[][] = [];
  let bytes = BATCH_BYTES_MAX;
  for (const change of changes) {
    const own = bytesOf(change);
    if (bytes + own > BATCH_BYTES_MAX) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(change);
    bytes += own;
  }
  return batches;
}

/** Small changes of several partitions share a request, below what the server warns of. */
function inCompany(batches: readonly RowChange[][]): RowChange[][] {
  const requests: RowChange[][] = [];
  let [partitions, bytes] = [COMPANY_MAX, 0];
  for (const batch of batches) {
    const own = batch.reduce((sum, change) => sum + bytesOf(change), 0);
    if (partitions === COMPANY_MAX || bytes + own > COMPANY_BYTES_MAX) {
      requests.push([]);
      [partitions, bytes] = [0, 0];
    }
    requests.at(-1)?.push(...batch);
    partitions++;
    bytes += own;
  }
  return requests;
}

function bytesOf({ values }: RowChange): number {
  return values.reduce<number>((sum, value) => sum + bytesIn(value), 0);
}

function bytesIn(value: unknown): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
}

function partsOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, nth) =>
    bytes.subarray(nth * PART_BYTES, (nth + 1) * PART_BYTES),
  );
}
