/**
 * The LSM engine under the embedded store: LevelDB (docs/decisions/0002-lsm-engine.md).
 *
 * Keys and values are buffers. A write goes to the log without fsync: that survives kill -9
 * of the process, and `sync()`, on a timer and at the end, makes it survive a power cut.
 * What the engine throws becomes a CrawlError with something to do.
 */
import { readdir } from 'node:fs/promises';
import { ClassicLevel } from 'classic-level';
import { CrawlError } from '../../base/errors.ts';
import { SYNC_KEY } from './keys.ts';

export interface LsmOptions {
  readonly dir: string;
  /** fsync every commit. */
  readonly syncAlways: boolean;
}

export type Put = { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer };
export type Del = { readonly type: 'del'; readonly key: Buffer };
export type Row = [key: Buffer, value: Buffer];

export interface Range {
  readonly gte?: Buffer;
  readonly gt?: Buffer;
  readonly lt: Buffer;
  readonly limit: number;
}

const MIB = 1 << 20;
/** Measured at 20 million URLs: docs/decisions/0002-lsm-engine.md. */
const ENGINE = {
  keyEncoding: 'buffer',
  valueEncoding: 'buffer',
  compression: true,
  writeBufferSize: 32 * MIB,
  maxFileSize: 8 * MIB,
  cacheSize: 32 * MIB,
  maxOpenFiles: 84,
} as const;

/** So many rows are read in the order of their keys: docs/decisions/0002-lsm-engine.md. */
const SORT_FROM = 16;

/** All rows as they were at one instant, whatever is written since. */
export interface Picture {
  rowRuns(range: Pick<Range, 'gte' | 'lt'>, size: number): AsyncIterable<Row[]>;
  close(): Promise<void>;
}

/** What a table needs of the engine. */
export type LsmRows = Pick<Lsm, 'write' | 'getMany' | 'rows' | 'keys' | 'keyRuns'>;

export class Lsm {
  readonly #db: ClassicLevel<Buffer, Buffer>;
  readonly #dir: string;
  readonly #sync: boolean;

  private constructor(db: ClassicLevel<Buffer, Buffer>, options: LsmOptions) {
    this.#db = db;
    this.#dir = options.dir;
    this.#sync = options.syncAlways;
  }

  static async open(options: LsmOptions): Promise<Lsm> {
    await refuseHeadless(options.dir);
    const db = new ClassicLevel<Buffer, Buffer>(options.dir, ENGINE);
    try {
      await db.open();
    } catch (error) {
      throw storeError(error, options.dir);
    }
    return new Lsm(db, options);
  }

  /** All or nothing. A chained batch costs half of what an array of operations costs. */
  write(ops: readonly (Put | Del)[]): Promise<void> {
    const batch = this.#db.batch();
    for (const op of ops) {
      if (op.type === 'put') batch.put(op.key, op.value);
      else batch.del(op.key);
    }
    return this.#guard(batch.write({ sync: this.#sync }));
  }

  /**
   * One row is read at once, on this thread: that takes a quarter of the time of handing it to
   * another, and does not wait there behind blocks that are being compressed.
   */
  getMany(keys: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    const [first] = keys;
    if (first === undefined) return Promise.resolve([]);
    if (keys.length === 1) return this.#guard(this.#getNow(first));
    return this.#guard(keys.length < SORT_FROM ? this.#getAll(keys) : this.#getSorted(keys));
  }

  async #getNow(key: Buffer): Promise<(Buffer | undefined)[]> {
    return [this.#db.getSync(key)];
  }

  #getAll(keys: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    return this.#db.getMany(keys as Buffer[]);
  }

  /** Neighbours lie in one block of one file, which is then opened once for all of them. */
  async #getSorted(keys: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    const key = (nth: number) => keys[nth] as Buffer;
    const order = keys.map((_, nth) => nth).sort((a, b) => key(a).compare(key(b)));
    const found = await this.#getAll(order.map(key));
    const rows: (Buffer | undefined)[] = keys.map(() => undefined);
    order.forEach((nth, i) => {
      rows[nth] = found[i];
    });
    return rows;
  }

  rows(range: Range): Promise<Row[]> {
    return this.#guard(this.#db.iterator(range).all());
  }

  keys(range: Range): Promise<Buffer[]> {
    return this.#guard(this.#db.keys(range).all());
  }

  /** Keys as they are now, in runs, whatever is written while they are read. */
  keyRuns(range: Pick<Range, 'gte' | 'lt'>, size: number): AsyncIterable<Buffer[]> {
    return runsOf(this.#db.keys(range), size);
  }

  /** To be closed: as long as it is open, nothing that it shows is let go of. */
  picture(): Picture {
    const snapshot = this.#db.snapshot();
    return {
      rowRuns: (range, size) => runsOf<Row>(this.#db.iterator({ ...range, snapshot }), size),
      close: () => this.#guard(snapshot.close()),
    };
  }

  async sync(): Promise<void> {
    await this.#guard(this.#db.put(SYNC_KEY, Buffer.alloc(0), { sync: true }));
  }

  /**
   * What these rows held before is in no file of the engine afterwards. It keeps old values until
   * it merges the files that they are in, and passes over files that have nothing to merge with:
   * so each row is written once more, and merged down, twice.
   */
  async purge(rows: readonly Buffer[]): Promise<void> {
    for (let pass = 0; pass < 2; pass++) {
      const values = await this.getMany(rows);
      await this.write(
        rows.map((key, i) => {
          const value = values[i];
          return value === undefined ? { type: 'del', key } : { type: 'put', key, value };
        }),
      );
      for (const [first, last] of rangesOf(rows)) {
        await this.#guard(this.#db.compactRange(first, last));
      }
    }
    await this.sync();
  }

  close(): Promise<void> {
    return this.#guard(this.#db.close());
  }

  async #guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw storeError(error, this.#dir);
    }
  }
}

interface Runs<T> {
  nextv(size: number): Promise<T[]>;
  close(): Promise<void>;
}

async function* runsOf<T>(all: Runs<T>, size: number): AsyncIterable<T[]> {
  try {
    for (let run = await all.nextv(size); run.length > 0; run = await all.nextv(size)) yield run;
  } finally {
    await all.close();
  }
}

/** First and last key of each table and host: what lies between two hosts is left alone. */
function rangesOf(rows: readonly Buffer[]): Iterable<readonly [Buffer, Buffer]> {
  const ranges = new Map<string, readonly [Buffer, Buffer]>();
  for (const row of rows) {
    const name = row.toString('latin1', 0, 9);
    const [first, last] = ranges.get(name) ?? [row, row];
    ranges.set(name, [row.compare(first) < 0 ? row : first, row.compare(last) > 0 ? row : last]);
  }
  return ranges.values();
}

/** Without CURRENT the engine would begin anew, and delete the tables that it has never heard of. */
async function refuseHeadless(dir: string): Promise<void> {
  const names = await readdir(dir).catch((): string[] => []);
  if (names.includes('CURRENT') || !names.some((name) => /^MANIFEST-|\.ldb$/.test(name))) return;
  throw damaged(dir, 'its file CURRENT is missing');
}

function damaged(dir: string, what: string, cause?: unknown): CrawlError {
  return new CrawlError(
    'E_STORE_DAMAGED',
    `the store in ${dir} is damaged: ${what}`,
    'restore the folder from a copy, or throw this crawl away and begin anew with --fresh',
    cause,
  );
}

/** LevelDB's errors by what a person can do about them. */
function storeError(error: unknown, dir: string): CrawlError {
  const said = wordsOf(error);
  if (/LEVEL_LOCKED|lock .*already held|Resource temporarily unavailable/i.test(said)) {
    return new CrawlError(
      'E_FOLDER_IN_USE',
      `another process has the store in ${dir} open`,
      'wait for it to end, or stop it; `orb status` asks the running crawl',
      error,
    );
  }
  if (/ENOSPC|no space left/i.test(said)) {
    return new CrawlError(
      'E_DISK_FULL',
      `the disk that holds ${dir} is full`,
      'make room and run the same command again: nothing that was stored is lost',
      error,
    );
  }
  if (/EROFS|EACCES|EPERM|read-only|permission denied/i.test(said)) {
    return new CrawlError(
      'E_DISK_READONLY',
      `${dir} cannot be written`,
      'check the owner and the mount of the folder, or choose another with --dir',
      error,
    );
  }
  if (/LEVEL_CORRUPTION|corrupt|No such file|\.ldb: Invalid argument/i.test(said)) {
    return damaged(dir, firstLine(said), error);
  }
  return new CrawlError(
    'E_STORE_DOWN',
    `the store in ${dir} failed: ${firstLine(said)}`,
    'look at the cause, then run the same command again: the crawl resumes',
    error,
  );
}

function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let e = error as { message?: string; code?: string; cause?: unknown } | undefined; e; ) {
    words.push(`${e.message ?? ''} ${e.code ?? ''}`);
    e = e.cause as typeof e;
  }
  return words.join('\n');
}

function firstLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? text;
}
