/**
 * The jobs of a ring, in rows of arc 0: every node asks its owner (A1, D4).
 *
 *   RingBook ── askOwner(0, 'book') ──▶ BookKeeper (ring-book-keeper.ts) ──▶ rows of arc 0
 *
 * What resolves is kept by K nodes. While arc 0 has no owner, whoever asks waits.
 */
import { CrawlError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { ArcTable } from '../ports/arc-table.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobBook, JobEntry } from '../ports/job-book.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import { BOOK_ARC, BookKeeper } from './ring-book-keeper.ts';
import {
  answerFrom,
  type BookAnswer,
  type BookQuestion,
  bytesOf,
  fitted,
  SEEDS_BYTES_MAX,
} from './ring-book-wire.ts';
import { Caller } from './ring-caller.ts';

export interface RingBookPorts {
  readonly arcs: Pick<RingArcs, 'epochOf'>;
  readonly calls: RingCalls;
  readonly table: ArcTable;
  readonly clock: Clock;
  /** Of this process and no other, ever. */
  readonly holder: string;
}

export class RingBook implements JobBook {
  readonly #ports: RingBookPorts;
  readonly #caller: Caller;
  /** Of the seeds added last: those after them are later. */
  #at: Instant = 0;

  /** Answers the others, too, from now on: wherever arc 0 is. */
  constructor(ports: RingBookPorts) {
    this.#ports = ports;
    this.#caller = new Caller(`book of ${ports.holder}`);
    const keeper = new BookKeeper(ports.table, ports.arcs);
    ports.calls.serve('book', (question, arc) => keeper.answer(question, arc));
  }

  async all(): Promise<readonly JobEntry[]> {
    const all: JobEntry[] = [];
    for (let after: number | undefined; ; ) {
      const answer = await this.#ask({ kind: 'all', after });
      if (!('entries' in answer)) throw nonsense();
      all.push(...answer.entries);
      if (answer.after === undefined) return all;
      after = answer.after;
    }
  }

  async open(entry: JobEntry): Promise<boolean> {
    const answer = await this.#ask({ kind: 'open', entry: fitted(entry) });
    return 'isNew' in answer && answer.isNew;
  }

  async put(entry: JobEntry): Promise<void> {
    await this.#ask({ kind: 'put', entry: fitted(entry) });
  }

  async addSeeds(job: number, seeds: readonly string[]): Promise<void> {
    this.#at = Math.max(this.#at, this.#ports.clock.now());
    const at = this.#at;
    for (const urls of piecesOf(seeds)) await this.#ask({ kind: 'add', job, at, urls });
  }

  async seeds(job: number): Promise<readonly string[]> {
    const all: string[] = [];
    for (let after: string | undefined; ; ) {
      const answer = await this.#ask({ kind: 'seeds', job, after });
      if (!('urls' in answer)) throw nonsense();
      for (const url of answer.urls) all.push(url);
      if (answer.after === undefined) return all;
      after = answer.after;
    }
  }

  async #ask(question: BookQuestion): Promise<BookAnswer> {
    const bytes = this.#caller.question(bytesOf(question));
    const answer = answerFrom(await this.#ports.calls.askOwner(BOOK_ARC, 'book', bytes));
    if (answer === undefined) throw nonsense();
    if ('isFull' in answer) throw full();
    return answer;
  }
}

/** Lines of at most so many bytes; a URL that is longer is no seed of anything. */
function* piecesOf(seeds: readonly string[]): Iterable<string> {
  let piece: string[] = [];
  let bytes = 0;
  for (const seed of seeds) {
    const length = Buffer.byteLength(seed) + 1;
    if (length > SEEDS_BYTES_MAX) continue;
    if (bytes + length > SEEDS_BYTES_MAX) {
      yield piece.join('\n');
      [piece, bytes] = [[], 0];
    }
    piece.push(seed);
    bytes += length;
  }
  if (piece.length > 0) yield piece.join('\n');
}

function nonsense(): CrawlError {
  const hint = 'run the same version on every node of the ring';
  return new CrawlError('E_STORE_DOWN', 'the owner of the ring’s book is not understood', hint);
}

function full(): CrawlError {
  const hint = 'wait for jobs to end, or begin another ring';
  return new CrawlError('E_CONFIG', 'the ring’s book of jobs is full', hint);
}
