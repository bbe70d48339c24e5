/**
 * Fills an index of what is due from the store, where the index lost what it knew: one arc after the
 * other, in pieces, and with rests, because the store has other work to do. Until an arc is whole the
 * store is asked what is due in it (due-store.ts), so nothing waits for this.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { DueIndex, LostArc } from '../ports/due-index.ts';
import type { Due, ShardStore } from '../ports/shard-store.ts';

export interface DueFillParts {
  readonly store: Pick<ShardStore, 'due'>;
  readonly index: Pick<DueIndex, 'fill'>;
  readonly clock: Clock;
  readonly notice?: (text: string) => void;
}

const ROWS_PER_READ = 2_000;
/** A rest is this many times as long as the reading took: a fifth of one connection's time. */
const REST = 4;
const REST_MS_MAX = SECOND_MS;
/** The end of what a date can be. */
const EVER: Instant = 8.64e15;

export class DueFill {
  readonly #parts: DueFillParts;
  readonly #lost = new Map<number, LostArc>();
  readonly #end = new AbortController();
  #work: Promise<void> | undefined;

  constructor(parts: DueFillParts) {
    this.#parts = parts;
  }

  /** Those that are being filled already are. */
  begin(lost: readonly LostArc[]): void {
    for (const one of lost) if (one.loss !== undefined) this.#lost.set(one.arc, one);
    if (this.#lost.size > 0 && !this.#end.signal.aborted) this.#work ??= this.#run();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#work;
  }

  async #run(): Promise<void> {
    let rows = 0;
    for (let [next] = this.#lost.values(); next !== undefined; [next] = this.#lost.values()) {
      // A store that fails is whoever's asks it next; then the arc is lost still.
      rows += await this.#fillOne(next, rows).catch(() => 0);
      if (this.#lost.get(next.arc)?.loss === next.loss) this.#lost.delete(next.arc);
      if (this.#end.signal.aborted) this.#lost.clear();
    }
    this.#work = undefined;
  }

  async #fillOne(lost: LostArc, before: number): Promise<number> {
    const { store, index, clock } = this.#parts;
    let count = 0;
    for (let [from, limit] = [0, ROWS_PER_READ]; !this.#end.signal.aborted; ) {
      const startedAt = clock.now();
      const rows = await store.due(EVER, limit, from, [lost.arc]);
      const isLast = rows.length < limit;
      if (rows.length > 0 && before + count === 0) this.#say();
      if (!(await index.fill(lost, rows, isLast)) || isLast) return count + rows.length;
      count += rows.length;
      [from, limit] = nextPiece(rows, from, limit);
      const restMs = Math.min(REST_MS_MAX, REST * (clock.now() - startedAt));
      await clock.sleepUntil(clock.now() + restMs, this.#end.signal);
    }
    return count;
  }

  #say(): void {
    this.#parts.notice?.('the index of what is due was incomplete: it is filled from the store');
  }
}

/** From the last instant on, which may have more rows; as many as a piece, and it grows. */
function nextPiece(rows: readonly Due[], from: Instant, limit: number): [Instant, number] {
  const last = rows.at(-1)?.at ?? from;
  return last > from ? [last, ROWS_PER_READ] : [from, limit * 2];
}
