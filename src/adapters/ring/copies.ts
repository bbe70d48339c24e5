/**
 * Copies of arcs in the node's own tables: a seat's rows lie where an owner's do, so whoever is
 * chosen begins at once.
 *
 *   entries   rows as they came, in one batch with the arc's state
 *   replace   a bucket becomes what came, but for what entries have changed since watch()
 *   drop      the state at once, marked; the rows in steps; a kill in between: at the next start
 */
import type { ArcCopies, CopyChange, SavedArc } from '../../ports/arc-copies.ts';
import { BadRows } from '../../ports/arc-copies.ts';
import { after, TABLE } from '../embedded/keys.ts';
import type { Lsm, Picture, Put } from '../embedded/lsm.ts';
import type { ArcQueue } from './arc-queue.ts';
import { encodeOps, PIECE_BYTES_MAX, type RowOp, sizeOf } from './bodies.ts';
import { keepTraces, replaceOps } from './changes.ts';
import { readBody, readPiece } from './read-bodies.ts';
import { decodeSaved, savedRow } from './saved.ts';
import { asSent } from './sent.ts';
import { Sums } from './sums.ts';
import { bucketsFor, isBuckets, spansOf } from './tables.ts';

const ROWS_PER_READ = 1_000;
const SAVED_MAX = 256;

export class LsmArcCopies implements ArcCopies {
  readonly #lsm: Lsm;
  readonly #queue: ArcQueue;
  readonly #watched = new Map<number, Set<string>>();

  constructor(lsm: Lsm, queue: ArcQueue) {
    this.#lsm = lsm;
    this.#queue = queue;
  }

  async saved(): Promise<ReadonlyMap<number, SavedArc>> {
    const table = Buffer.from([TABLE.saved]);
    const rows = await this.#lsm.rows({ gte: table, lt: after(table), limit: SAVED_MAX });
    const all = new Map<number, SavedArc>();
    for (const [key, value] of rows) {
      const arc = key[1] as number;
      const { saved, isDropping } = decodeSaved(value);
      if (isDropping) await this.#queue.run([arc], () => this.#drop(arc, saved));
      all.set(arc, saved);
    }
    return all;
  }

  save(arc: number, saved: SavedArc, change?: CopyChange): Promise<void> {
    try {
      const write = this.#writeOf(arc, saved, change);
      return this.#queue.run([arc], write);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async sums(arc: number, buckets?: number): Promise<readonly number[]> {
    if (buckets !== undefined) mustBeBuckets(arc, buckets);
    const picture = await this.#picture(arc);
    const sums = new Sums();
    try {
      for await (const rows of sentRows(picture, arc, 0, 1)) sums.add(rows);
    } finally {
      await picture.close();
    }
    return sums.of(buckets ?? bucketsFor(sums.rows));
  }

  /** As of when it is first read. */
  async *rows(arc: number, bucket: number, buckets: number): AsyncIterable<Uint8Array> {
    mustBeBuckets(arc, buckets, bucket);
    const picture = await this.#picture(arc);
    const piece = new Piece();
    try {
      for await (const rows of sentRows(picture, arc, bucket, buckets)) {
        for (const row of rows) if (!piece.add(row)) yield piece.next(row);
      }
      if (!piece.isEmpty) yield piece.next();
    } finally {
      await picture.close();
    }
  }

  watch(arc: number, isOn: boolean): void {
    if (isOn) this.#watched.set(arc, new Set());
    else this.#watched.delete(arc);
  }

  /** After all that was asked for before, and before all that comes after. */
  #picture(arc: number): Promise<Picture> {
    return this.#queue.run([arc], async () => this.#lsm.picture());
  }

  /** Throws BadRows. */
  #writeOf(arc: number, saved: SavedArc, change?: CopyChange): () => Promise<void> {
    const state = savedRow(arc, saved);
    if (change === undefined) return () => this.#lsm.write([state]);
    if (change.kind === 'drop') return () => this.#drop(arc, saved);
    const changed = this.#watched.get(arc);
    if (change.kind === 'entries') {
      const ops = change.bodies.flatMap((body) => readBody(arc, body));
      for (const { key } of ops) changed?.add(key.toString('latin1'));
      return async () => this.#lsm.write([...(await keepTraces(this.#lsm, ops)), state]);
    }
    const { bucket, buckets } = change;
    mustBeBuckets(arc, buckets, bucket);
    const rows = change.rows.flatMap((piece) => readPiece(arc, piece, bucket, buckets));
    const left = new Set(changed);
    return async () => {
      const spans = spansOf(arc, bucket, buckets);
      const ops = await replaceOps(this.#lsm, spans, rows, left);
      await this.#lsm.write([...(await keepTraces(this.#lsm, ops)), state]);
    };
  }

  async #drop(arc: number, saved: SavedArc): Promise<void> {
    await this.#lsm.write([savedRow(arc, saved, true)]);
    for (const span of spansOf(arc, 0, 1)) {
      for await (const keys of this.#lsm.keyRuns(span, ROWS_PER_READ)) {
        const ops = keys.map((key): RowOp => ({ type: 'del', key }));
        await this.#lsm.write(await keepTraces(this.#lsm, ops));
      }
    }
    await this.#lsm.write([savedRow(arc, saved)]);
  }
}

function mustBeBuckets(arc: number, buckets: number, bucket = 0): void {
  const isOne = isBuckets(buckets) && Number.isInteger(bucket) && bucket >= 0 && bucket < buckets;
  if (!isOne) throw new BadRows(arc, `bucket ${bucket} of ${buckets}`);
}

/** Rows as others have them, in runs. */
async function* sentRows(picture: Picture, arc: number, bucket: number, buckets: number) {
  for (const span of spansOf(arc, bucket, buckets)) {
    for await (const run of picture.rowRuns(span, ROWS_PER_READ)) {
      yield run.flatMap(([key, row]): Put[] => {
        const value = asSent(key, row);
        return value === undefined ? [] : [{ type: 'put', key, value }];
      });
    }
  }
}

/** Rows that go together, until there is no more room. */
class Piece {
  #rows: Put[] = [];
  #bytes = 1;

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(row: Put): boolean {
    const bytes = sizeOf([row]) - 1;
    if (this.#bytes + bytes > PIECE_BYTES_MAX) return false;
    this.#bytes += bytes;
    this.#rows.push(row);
    return true;
  }

  /** As bytes; the row given is the first of the next. */
  next(row?: Put): Buffer {
    const piece = encodeOps(this.#rows);
    [this.#rows, this.#bytes] = [[], 1];
    if (row !== undefined) this.add(row);
    return piece;
  }
}
