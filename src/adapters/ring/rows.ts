/**
 * The rows of a ring's node: what is written to an arc goes through its log, and so to its copies.
 *
 *   ops ─┬─ of arcs  ─▶ bodies ─▶ log.write()  numbered ─┐
 *        └─ of the node alone ───────────────────────────┴▶ ONE batch ─▶ isDurable() ─▶ kept
 *
 * Whether a write is awaited follows from what it is: somebody was told, or will be, that a URL is
 * known, a mention has arrived, a job exists. Everything else is progress.
 */
import type { ArcLog, LogWrite } from '../../ports/arc-log.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { TABLE } from '../embedded/keys.ts';
import type { Lsm, LsmRows, Range, Row } from '../embedded/lsm.ts';
import type { ArcQueue } from './arc-queue.ts';
import { bodiesOf, type RowOp } from './bodies.ts';
import { savedRow } from './saved.ts';
import { arcIn } from './tables.ts';

/** The epoch of each arc in which what is written was decided upon. */
export type Epochs = ReadonlyMap<number, number>;

interface ArcWrite {
  readonly arc: number;
  readonly bodies: readonly Buffer[];
  readonly isAwaited: boolean;
}

interface Logged {
  readonly arc: number;
  readonly write: LogWrite;
}

export class RingRows implements LsmRows {
  readonly #lsm: Lsm;
  readonly #log: ArcLog;
  readonly #queue: ArcQueue;

  constructor(lsm: Lsm, log: ArcLog, queue: ArcQueue) {
    this.#lsm = lsm;
    this.#log = log;
    this.#queue = queue;
  }

  /**
   * Resolves when it may be relied on. Rejects with NotOurs, and nothing is written, when an arc of
   * it is not ours, or has been another's since the epochs given; `isPartly` when that turns out
   * only after it was written here.
   */
  async write(ops: readonly RowOp[], epochs?: Epochs): Promise<void> {
    const writes = writesIn(ops);
    if (writes.length === 0) return this.#lsm.write(ops);
    const arcs = writes.map(({ arc }) => arc);
    this.#mustOwn(arcs, epochs);
    // From here to the batch nothing may wait: the order of the numbers is the order of the rows.
    const { logged, refused } = this.#number(writes);
    if (logged.length === 0) throw new NotOurs(refused);
    const own = refused.length === 0 ? ops : ops.filter(({ key }) => !isOf(refused, key));
    const saved = logged.map(({ arc, write }) => savedRow(arc, write.saved));
    try {
      await this.#queue.run(arcs, () => this.#lsm.write([...own, ...saved]));
    } catch (error) {
      for (const { write } of logged) write.failed?.(error);
      throw error;
    }
    for (const { write } of logged) write.isDurable();
    await allKept(logged, refused);
  }

  /** Resolves when all that these arcs hold may be relied on, whoever wrote it. */
  async confirm(arcs: readonly number[]): Promise<void> {
    const { logged, refused } = this.#number(
      arcs.map((arc) => ({ arc, bodies: [], isAwaited: true })),
    );
    for (const { write } of logged) write.isDurable();
    await allKept(logged, refused);
  }

  /** A term may end between one arc and the next: what has its number is written all the same. */
  #number(writes: readonly ArcWrite[]) {
    const logged: Logged[] = [];
    const refused: number[] = [];
    for (const { arc, bodies, isAwaited } of writes) {
      try {
        logged.push({ arc, write: this.#log.write(arc, bodies, isAwaited) });
      } catch (error) {
        if (!(error instanceof NotOurs)) throw error;
        refused.push(arc);
      }
    }
    return { logged, refused };
  }

  getMany(keys: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    return this.#lsm.getMany(keys);
  }

  rows(range: Range): Promise<Row[]> {
    return this.#lsm.rows(range);
  }

  keys(range: Range): Promise<Buffer[]> {
    return this.#lsm.keys(range);
  }

  keyRuns(range: Pick<Range, 'gte' | 'lt'>, size: number): AsyncIterable<Buffer[]> {
    return this.#lsm.keyRuns(range, size);
  }

  #mustOwn(arcs: readonly number[], epochs?: Epochs): void {
    const lost = arcs.filter((arc) => {
      const epoch = this.#log.epochOf(arc);
      return epoch === undefined || (epochs?.get(arc) ?? epoch) !== epoch;
    });
    if (lost.length > 0) throw new NotOurs(lost);
  }
}

async function allKept(logged: readonly Logged[], refused: readonly number[]): Promise<void> {
  const ends = await Promise.allSettled(logged.map(({ write }) => write.kept));
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const lost = errors.filter((error) => error instanceof NotOurs);
  if (lost.length < errors.length) throw errors.find((error) => !(error instanceof NotOurs));
  const arcs = [...refused, ...lost.flatMap((error) => error.arcs)];
  if (arcs.length > 0) throw new NotOurs(arcs, true);
}

function isOf(arcs: readonly number[], key: Buffer): boolean {
  const arc = arcIn(key);
  return arc !== undefined && arcs.includes(arc);
}

function writesIn(ops: readonly RowOp[]): ArcWrite[] {
  const byArc = new Map<number, RowOp[]>();
  for (const op of ops) {
    const arc = arcIn(op.key);
    if (arc === undefined) continue;
    const own = byArc.get(arc);
    if (own === undefined) byArc.set(arc, [op]);
    else own.push(op);
  }
  return [...byArc].map(([arc, own]) => {
    return { arc, bodies: bodiesOf(own), isAwaited: own.some(isAwaited) };
  });
}

function isAwaited({ type, key }: RowOp): boolean {
  const table = key[0];
  if (type === 'del') return false;
  return table === TABLE.url || table === TABLE.inbox || table === TABLE.book;
}
