/**
 * The book of jobs where several nodes write it (K1): what others have said reaches this node
 * when it looks, now and then, and at once where something of a job arrives that it lacks.
 *
 *   another node: open, seeds, then mentions ─▶ here: unknown job? look ─▶ admitted
 *   another node: pause, cancel, end         ─▶ here: at the next look, within seconds
 *
 * The seeds of a step are in the book before anything of it is sent, so whoever has read the
 * book after that judges its pages by the whole scope.
 */
import { HOUR_MS } from '../base/instant.ts';
import type { Mention } from '../events/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobBook, JobEntry } from '../ports/job-book.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { type UrlRecord, urlKeyOf } from '../record/index.ts';
import type { JobBoard } from './job-board.ts';
import type { Comeback } from './recrawl.ts';

export interface SharedSources {
  readonly book: JobBook;
  readonly board: JobBoard;
  readonly store: ShardStore;
  readonly clock: Clock;
  readonly comeback: Pick<Comeback, 'askAgain'>;
}

export class SharedBook {
  readonly #sources: SharedSources;
  /** Each entry as it was last read. */
  readonly #read = new Map<number, string>();
  /** Which of our own words about a job was the last: what was read before it is older. */
  readonly #said = new Map<number, number>();
  #words = 0;
  #last: Promise<unknown> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(sources: SharedSources) {
    this.#sources = sources;
  }

  /** This node has put an entry itself. */
  said(id: number): void {
    this.#said.set(id, ++this.#words);
  }

  /** Resolves when all that was in the book at this call is known here. */
  look(): Promise<void> {
    this.#waiting ??= this.#last.then(() => {
      this.#waiting = undefined;
      const mine = this.#look();
      this.#last = mine.catch(() => undefined);
      return mine;
    });
    return this.#waiting;
  }

  /** Before what others have named is admitted: knows its jobs, and what their seeds are. */
  async learn(mentions: readonly Mention[]): Promise<void> {
    if (mentions.some((mention) => !this.#fits(mention))) await this.look();
    for (const mention of mentions) if (!this.#fits(mention)) this.#widen(mention);
    await this.#askAgain(mentions);
  }

  /** Whoever sent it has judged it to be in scope: if we do not, we know less. */
  #fits({ job = 0, url, outside }: Mention): boolean {
    const { board } = this.#sources;
    if (job > 0 && board.get(job) === undefined) return false;
    return board.rulesOf(job)?.scope.judge(url, outside).in ?? true;
  }

  /** A seed, or where it was sent on to: the sender's scope has grown by a redirect. */
  #widen({ job = 0, url, depth, outside }: Mention): void {
    if (depth === 0 && outside === 0) this.#sources.board.rulesOf(job)?.scope.add(url);
  }

  async #look(): Promise<void> {
    const { book } = this.#sources;
    const words = this.#words;
    for (const entry of await book.all()) {
      const { id } = entry;
      const before = this.#read.get(id);
      const text = JSON.stringify(entry);
      const wasSowing = before === undefined || !before.includes('"receipt":');
      if (wasSowing) await this.#readSeeds(entry);
      if ((this.#said.get(id) ?? 0) > words) continue;
      if (before !== text) this.#sources.board.put(entry);
      this.#read.set(id, text);
    }
  }

  async #readSeeds(entry: JobEntry): Promise<void> {
    const { book, board, store } = this.#sources;
    const { id, endedBy } = entry;
    if (endedBy !== undefined) return;
    const seeds = await book.seeds(id);
    if (board.get(id) === undefined) board.open(entry, seeds);
    const rules = board.rulesOf(id);
    for (const seed of seeds) rules?.scope.add(seed);
    await rules?.scope.recall(store);
  }

  /** Seeds of a job that wants pages anew, and whose copies here are too old for it. */
  async #askAgain(mentions: readonly Mention[]): Promise<void> {
    const { board, store, clock, comeback } = this.#sources;
    const wanted = mentions.filter(({ job = 0, depth, hops }) => {
      return depth + hops === 0 && board.get(job)?.ttlHours !== undefined;
    });
    if (wanted.length === 0) return;
    const records = await store.urls(wanted.map(({ url }) => urlKeyOf(url)));
    for (const [nth, { job = 0 }] of wanted.entries()) {
      const record = records[nth];
      const since = clock.now() - (board.get(job)?.ttlHours ?? 0) * HOUR_MS;
      if (record === undefined || !isOlder(record, since)) continue;
      await comeback.askAgain([{ at: record.nextCrawlAt, key: urlKeyOf(record.url) }], job);
    }
  }
}

/** Visited, not waiting already, and longer ago than that. */
export function isOlder({ state, lastFetchedAt }: UrlRecord, since: number): boolean {
  return state !== 'queued' && lastFetchedAt < since;
}
