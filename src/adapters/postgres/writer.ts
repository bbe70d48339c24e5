/**
 * The one of a node that writes: its commits go one after the other, each as one transaction,
 * two round trips and one number. If the connection is lost before the end of one is known, the
 * number tells whether it was done: then its answer is given; else it is sent again. So an
 * outage shorter than the patience costs time and nothing else.
 */
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Effects } from '../../ports/job-counts.ts';
import type { Commit, Committed } from '../../ports/shard-store.ts';
import { int8Array, textArray } from './arrays.ts';
import { writeRows } from './commit.ts';
import { type Counted, type Counts, countedByAll } from './counts.ts';
import type { Link, Send } from './link.ts';
import { READ } from './reads.ts';
import { allDone, COMMIT, ROLLBACK, WRITE } from './statements.ts';

/** What others have counted is looked at this often: in a commit, for no round trip more. */
const LOOK_MS = 1_000;

interface Done {
  readonly seq: number;
  readonly effects: Effects;
  readonly counted: Counted;
}

export interface WriterOptions {
  readonly clock: Clock;
  readonly holder?: string;
}

export class Writer {
  readonly #link: Link;
  readonly #counts: Counts;
  readonly #options: WriterOptions;
  #lookedAt: Instant = 0;
  #seq = 0;
  #doubt: Done | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(link: Link, counts: Counts, options: WriterOptions) {
    this.#link = link;
    this.#counts = counts;
    this.#options = options;
  }

  commit(commit: Commit): Promise<Committed> {
    const mine = this.#last.then(() => this.#commit(commit));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#link.close();
  }

  async #commit(commit: Commit): Promise<Committed> {
    const seq = ++this.#seq;
    let done: Done | undefined;
    const attempt = async (send: Send) => {
      if (done !== undefined && (await this.#isDone(send, seq))) return;
      done = undefined;
      await this.#settleDoubt(send);
      await this.#join(send);
      try {
        const looked = this.#look(send);
        const effects = await writeRows(send, commit, this.#options.holder);
        await looked;
        done = { seq, effects, counted: this.#counts.after(commit, effects) };
        await this.#end(send, done);
      } catch (error) {
        await send(ROLLBACK).catch(() => undefined);
        throw error;
      }
    };
    try {
      await this.#link.run(attempt);
    } catch (error) {
      this.#doubt = done ?? this.#doubt;
      throw error;
    }
    const { effects, counted } = done as unknown as Done;
    this.#counts.take(counted);
    const { fresh, unshelved } = effects;
    return { fresh, unshelved, totals: this.#counts.totals(), jobs: this.#counts.jobs() };
  }

  /** Whoever never writes has no row to count in. */
  async #join(send: Send): Promise<void> {
    if (this.#counts.writer !== undefined) return;
    const [row] = await send<{ id: number }>(READ.join);
    this.#counts.writer = row?.id;
  }

  /** Sent before the transaction begins; whatever fails here fails there, too, and is told there. */
  async #look(send: Send): Promise<void> {
    const now = this.#options.clock.now();
    if (now < this.#lookedAt + LOOK_MS) return;
    const seen = await countedByAll(send).catch(() => undefined);
    if (seen === undefined) return;
    this.#counts.see(seen);
    this.#lookedAt = now;
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
    await allDone([...sent, send(COMMIT)]);
  }

  get #id(): number {
    return this.#counts.writer ?? 0;
  }
}
