/**
 * What is due, in sorted sets of Redis or Valkey, one for each arc and tier (K2, T3): NAME:due:{ARC}:TIER.
 *
 *   due ─▶ for each arc one script: what was noted since, then what is due ─▶ the earliest of all
 *
 * All scripts are on the line at once, each on its way to the server that has its arc: a round trip for
 * all arcs of a node. What changes is told with the next look, so no visit waits for Redis. Of a server
 * that is away, hangs, is full or forgot anything the arcs are lost, and the store is asked (S5).
 *
 * Not here: what a look does to the sets (due-script.ts), what is yet to be told (due-arc.ts), who
 * fills them again (../../crawl/due-fill.ts).
 */
import type { Clock } from '../../ports/clock.ts';
import {
  type DueAnswer,
  type DueChange,
  type DueIndex,
  type DueRange,
  earliestOf,
  type LostArc,
} from '../../ports/due-index.ts';
import type { Due } from '../../ports/shard-store.ts';
import { formerOf, overlap, quarterOf } from '../../url/index.ts';
import type { RedisConnection } from './connection.ts';
import { type ArcAnswer, CHANGES_PER_SCRIPT, DueArc, keysOf } from './due-arc.ts';
import { Health } from './health.ts';

export interface RedisDueOptions {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  /** Before all keys of this crawl. */
  readonly prefix: string;
  readonly notice?: (text: string) => void;
}

const WORDS = {
  what: 'the index of what is due in Redis',
  meanwhile: 'the records are asked instead',
};
/** Of several arcs each is asked for its share first, and some more. */
const SHARE = 2;
const ROWS_MIN = 32;
/** Nobody knows: no tenure comes right before or after it. */
const NO_EPOCH = -1;

export class RedisDueSets implements DueIndex {
  readonly #options: RedisDueOptions;
  readonly #health: Health;
  readonly #arcs = new Map<number, DueArc>();
  readonly #epochs = new Map<number, number>();

  constructor(options: RedisDueOptions) {
    this.#options = options;
    this.#health = new Health(options.clock, WORDS, options.notice);
  }

  take(arc: number, epoch: number): void {
    this.#begin(arc, epoch, false);
  }

  async due(range: DueRange, arcs: readonly number[]): Promise<DueAnswer> {
    for (const arc of arcs) if (!this.#arcs.has(arc)) this.#begin(arc, this.#epochOf(arc), true);
    const share = ROWS_MIN + Math.ceil((SHARE * range.limit) / Math.max(1, arcs.length));
    const limit = Math.min(range.limit, share);
    const found = await this.#ask({ ...range, limit }, arcs);
    if (limit < range.limit) await this.#askMore(found, limit, range);
    const lost: LostArc[] = [];
    for (const arc of arcs) {
      const answer = found.get(arc);
      if (answer?.isWhole !== true) lost.push({ arc, loss: answer?.loss });
    }
    return {
      rows: earliestOf(
        [...found.values()].map(({ rows }) => rows),
        range.limit,
      ),
      lost,
    };
  }

  note(changes: readonly DueChange[]): void {
    for (const change of changes) {
      const arc = this.#around(quarterOf(change.key));
      arc?.note(change);
      if (arc !== undefined && arc.pending % CHANGES_PER_SCRIPT === CHANGES_PER_SCRIPT - 1) {
        void this.#health.tried(() => this.#askOne(arc));
      }
    }
  }

  async leave(arc: number): Promise<void> {
    const own = this.#arcs.get(arc);
    if (own !== undefined) await this.#health.tried(() => own.ask(undefined, true));
    if (this.#arcs.get(arc) === own) this.#arcs.delete(arc);
  }

  async fill(lost: LostArc, rows: readonly Due[], isLast: boolean): Promise<boolean> {
    const own = this.#arcs.get(lost.arc);
    if (own === undefined) return false;
    return (await this.#health.tried(() => own.fill(lost, rows, isLast))) ?? false;
  }

  /** The connection is whoever's gave it. */
  async close(): Promise<void> {}

  #begin(arc: number, epoch: number, isTorn: boolean): void {
    for (const other of this.#arcs.keys()) if (overlap(other, arc)) this.#arcs.delete(other);
    const { connection, prefix } = this.#options;
    this.#epochs.set(arc, epoch);
    this.#arcs.set(arc, new DueArc({ arc, epoch, isTorn }, connection, prefix));
    // What it was split from is nobody's any more.
    for (const former of formerOf(arc)) {
      const keys = keysOf(former, prefix);
      void this.#health.tried(() => connection.send(keys[0] as string, ['UNLINK', ...keys]));
    }
  }

  /** Halves have the epoch of what they were split from. */
  #epochOf(arc: number): number {
    const known = [arc, ...formerOf(arc)].find((one) => this.#epochs.has(one));
    return known === undefined ? NO_EPOCH : (this.#epochs.get(known) as number);
  }

  /** Where an arc had more than its share, and others have not enough to make up for it. */
  async #askMore(found: Map<number, ArcAnswer>, asked: number, range: DueRange): Promise<void> {
    const cut = [...found].filter(([, { rows }]) => rows.length === asked);
    const lastOf = ([, { rows }]: [number, ArcAnswer]) => rows.at(-1)?.at ?? range.until;
    const sureUntil = Math.min(...cut.map(lastOf));
    const sure = [...found.values()].flatMap(({ rows }) =>
      rows.filter(({ at }) => at <= sureUntil),
    );
    if (cut.length === 0 || sure.length >= range.limit) return;
    const more = await this.#ask(
      range,
      cut.map(([arc]) => arc),
    );
    for (const [arc] of cut) {
      const answer = more.get(arc);
      if (answer === undefined) found.delete(arc);
      else found.set(arc, answer);
    }
  }

  async #ask(range: DueRange, arcs: readonly number[]): Promise<Map<number, ArcAnswer>> {
    const found = new Map<number, ArcAnswer>();
    await Promise.all(
      arcs.map(async (arc) => {
        const own = this.#arcs.get(arc);
        const answer = own && (await this.#health.tried(() => this.#askOne(own, range)));
        if (answer !== undefined) found.set(arc, answer);
      }),
    );
    return found;
  }

  /** What turns out to be another's is let go of; if it is ours after all, it is taken again. */
  async #askOne(own: DueArc, range?: DueRange): Promise<ArcAnswer | undefined> {
    const answer = await own.ask(range);
    if (answer === undefined && this.#arcs.get(own.arc) === own) this.#arcs.delete(own.arc);
    return answer;
  }

  #around(quarter: number): DueArc | undefined {
    const arc = [quarter, ...formerOf(quarter)].find((one) => this.#arcs.has(one));
    return arc === undefined ? undefined : this.#arcs.get(arc);
  }
}
