/**
 * Work that others do (K3, K5): pieces wait in line, are leased to whoever asks, and are done when
 * one of them brings back what came of it. Nobody is told to work; who has room asks.
 *
 *   do(job) ─▶ line ─▶ lease ─▶ out ─ bring ─▶ done
 *               ↑                 ├─ handBack: at once to the next
 *               └─────────────────┴─ the lease ends, and nobody kept it: its worker has died
 *
 * A worker may die at any time, and nothing is written when a piece is leased: it waits here, in
 * memory, and whoever gave it has it in the store as well. What is brought twice, too late or by
 * somebody else is lost. A piece that so many workers have taken and none brought back is given
 * up: it is what kills them.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';

export interface OutworkRules<Job, Made> {
  /** What a piece comes to that nobody brings back; `workers` of them took it. */
  readonly givenUp: (job: Job, workers: number) => Made;
  /** Bytes of a job, to bound what goes out at once and what waits. */
  readonly bytesOf: (job: Job) => number;
  /** What waits is given up when nobody was heard of for so long; it waits for ever if left out. */
  readonly patienceMs?: number;
  /** Told once when pieces wait and nobody asks for any, and when somebody does again. */
  readonly onAlone?: (waiting: number) => void;
  readonly onCompany?: () => void;
}

export interface WorkAsk {
  /** Its own name: what it leased, it alone can bring. */
  readonly worker: string;
  readonly n: number;
  readonly seconds: number;
  /** How long to wait for a first piece. */
  readonly waitMs: number;
  /** It hung up: what is leased to it would be lost for a while. */
  readonly isGone?: () => boolean;
}

export interface Piece<Job> {
  readonly id: string;
  readonly job: Job;
}

interface Open<Job, Made> {
  readonly job: Job;
  readonly resolve: (made: Made) => void;
  readonly reject: (error: unknown) => void;
  workers: number;
}

interface Out<Job, Made> extends Piece<Job> {
  readonly worker: string;
  readonly open: Open<Job, Made>;
  /** For how long it was leased: so much longer, each time its worker says that it is at it. */
  readonly forMs: number;
  until: Instant;
  /** Aborted when it is not its worker's any more. */
  over?: AbortController;
}

interface Waiter {
  readonly ask: WorkAsk;
  readonly wake: AbortController;
}

const WORKERS_MAX = 5;
const LEASE_BYTES_MAX = 16 << 20;
/** More than this in line, and nothing should be added. */
const LINE_MAX = 2_000;
const LINE_BYTES_MAX = 64 << 20;
/** Nobody asked for so long: nobody is there. */
const ALONE_MS = 5 * SECOND_MS;
const LOOK_MS = SECOND_MS;

export class Outwork<Job, Made> {
  readonly #ports: { readonly clock: Clock; readonly random: Random };
  readonly #rules: OutworkRules<Job, Made>;
  readonly #line: Open<Job, Made>[] = [];
  readonly #out = new Map<string, Out<Job, Made>>();
  readonly #waiters: Waiter[] = [];
  readonly #stopped = new AbortController();
  #lineBytes = 0;
  #heardAt: Instant;
  #isLooking = false;
  #isAloneTold = false;
  #error: unknown;
  #isEnding = false;
  /** Pieces whose worker did not bring them in time, brought nonsense, or gave them back. */
  returned = 0;
  done = 0;

  constructor(
    ports: { readonly clock: Clock; readonly random: Random },
    rules: OutworkRules<Job, Made>,
  ) {
    this.#ports = ports;
    this.#rules = rules;
    this.#heardAt = ports.clock.now();
  }

  get waiting(): number {
    return this.#line.length;
  }

  get out(): number {
    return this.#out.size;
  }

  /** Pieces wait, and nobody has asked for any for a while. */
  get isAlone(): boolean {
    return this.#line.length > 0 && !this.wasHeard(ALONE_MS);
  }

  /** So much waits that nothing should be added, or nobody is there to do it. */
  get isBehind(): boolean {
    const isFull = this.#line.length >= LINE_MAX || this.#lineBytes >= LINE_BYTES_MAX;
    return isFull || this.isAlone;
  }

  /** Rejects only when the work is ended before it is done. */
  do(job: Job): Promise<Made> {
    return new Promise((resolve, reject) => {
      if (this.#stopped.signal.aborted) return reject(this.#error);
      this.#queue({ job, resolve, reject, workers: 0 }, false);
    });
  }

  /** As many as there are, up to `n`; waits for the first one. */
  async lease(ask: WorkAsk): Promise<readonly Piece<Job>[]> {
    this.#hear();
    const until = this.#ports.clock.now() + ask.waitMs;
    const signal = this.#stopped.signal;
    while (this.#line.length === 0 && this.#ports.clock.now() < until && !signal.aborted) {
      await this.#wait(ask, until);
    }
    this.#hear();
    return ask.isGone?.() ? [] : this.#take(ask);
  }

  /** What a worker still has, until the signal aborts; undefined when it has not. */
  leased(
    worker: string,
    id: string,
  ): { readonly job: Job; readonly signal: AbortSignal } | undefined {
    const piece = this.#mine(worker, id);
    if (piece === undefined) return undefined;
    piece.over ??= new AbortController();
    return { job: piece.job, signal: piece.over.signal };
  }

  /** Has anybody asked for work lately, or is at it? */
  wasHeard(withinMs: number): boolean {
    const isAnybody = this.#out.size > 0 || this.#waiters.length > 0;
    return isAnybody || this.#ports.clock.now() - this.#heardAt < withinMs;
  }

  /** Nobody needs it any more: its promise stays open, and what is brought of it is lost. */
  withdraw(job: Job): void {
    const at = this.#line.findIndex((open) => open.job === job);
    if (at >= 0) {
      this.#line.splice(at, 1);
      this.#lineBytes -= this.#rules.bytesOf(job);
    }
    for (const piece of this.#out.values()) if (piece.job === job) this.#drop(piece);
  }

  bring(worker: string, id: string, made: Made): 'taken' | 'lost' {
    const piece = this.#mine(worker, id);
    if (piece === undefined) return 'lost';
    this.#hear();
    this.#drop(piece);
    this.done++;
    piece.open.resolve(made);
    return 'taken';
  }

  /** It is still at it. */
  keep(worker: string, id: string): 'kept' | 'lost' {
    const piece = this.#mine(worker, id);
    if (piece === undefined) return 'lost';
    piece.until = this.#ports.clock.now() + piece.forMs;
    return 'kept';
  }

  /** It cannot do it, or what it brought is nonsense: the next one has it. */
  handBack(worker: string, id: string): 'returned' | 'lost' {
    const piece = this.#mine(worker, id);
    if (piece === undefined) return 'lost';
    this.#return(piece);
    return 'returned';
  }

  /** What is under way is finished while somebody does it; `error` is what the rest comes to. */
  drain(error: unknown): void {
    this.#error = error;
    this.#isEnding = true;
    this.#endIfAlone();
  }

  /** Everything that is not done comes to `error`. */
  stop(error: unknown): void {
    this.#error = error;
    this.#stopped.abort();
    for (const { wake } of this.#waiters.splice(0)) wake.abort();
    const left = [...this.#line.splice(0), ...[...this.#out.values()].map(({ open }) => open)];
    for (const piece of [...this.#out.values()]) this.#drop(piece);
    this.#lineBytes = 0;
    for (const { reject } of left) reject(error);
  }

  #queue(open: Open<Job, Made>, isNext: boolean): void {
    this.#lineBytes += this.#rules.bytesOf(open.job);
    if (isNext) this.#line.unshift(open);
    else this.#line.push(open);
    this.#wakeOne();
    if (!this.#isLooking) void this.#look();
  }

  #wakeOne(): void {
    for (;;) {
      const waiter = this.#waiters.shift();
      if (waiter === undefined) return;
      waiter.wake.abort();
      if (!waiter.ask.isGone?.()) return;
    }
  }

  async #wait(ask: WorkAsk, until: Instant): Promise<void> {
    const waiter = { ask, wake: new AbortController() };
    this.#waiters.push(waiter);
    await this.#ports.clock.sleepUntil(until, waiter.wake.signal);
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
  }

  #take({ worker, n, seconds }: WorkAsk): readonly Piece<Job>[] {
    const from = this.#ports.clock.now();
    const forMs = seconds * SECOND_MS;
    const pieces: Out<Job, Made>[] = [];
    for (let bytes = 0; pieces.length < n && bytes < LEASE_BYTES_MAX; ) {
      const open = this.#line.shift();
      if (open === undefined) break;
      const { job } = open;
      const size = this.#rules.bytesOf(job);
      bytes += size;
      this.#lineBytes -= size;
      open.workers++;
      const piece = { id: this.#newId(from), worker, job, forMs, until: from + forMs, open };
      this.#out.set(piece.id, piece);
      pieces.push(piece);
    }
    return pieces;
  }

  #newId(from: Instant): string {
    const part = Math.floor(this.#ports.random.next() * 2 ** 48).toString(36);
    return `${Math.floor(from).toString(36)}-${part}`;
  }

  #mine(worker: string, id: string): Out<Job, Made> | undefined {
    const piece = this.#out.get(id);
    const isOurs = piece?.worker === worker && this.#ports.clock.now() < piece.until;
    return isOurs ? piece : undefined;
  }

  #return(piece: Out<Job, Made>): void {
    const { open } = piece;
    this.#drop(piece);
    this.returned++;
    if (open.workers < WORKERS_MAX) this.#queue(open, true);
    else open.resolve(this.#rules.givenUp(open.job, open.workers));
  }

  #drop({ id, over }: Out<Job, Made>): void {
    this.#out.delete(id);
    over?.abort();
  }

  /** As long as anything is not done: leases that have ended, and whether anybody is there. */
  async #look(): Promise<void> {
    const { clock } = this.#ports;
    const { signal } = this.#stopped;
    this.#isLooking = true;
    while (this.#line.length + this.#out.size > 0 && !signal.aborted) {
      await clock.sleepUntil(clock.now() + LOOK_MS, signal);
      const now = clock.now();
      for (const piece of [...this.#out.values()]) if (piece.until <= now) this.#return(piece);
      if (this.#isEnding) this.#endIfAlone();
      this.#giveUpWaiting();
      if (this.isAlone && !this.#isAloneTold) {
        this.#isAloneTold = true;
        this.#rules.onAlone?.(this.#line.length);
      }
    }
    this.#isLooking = false;
  }

  #giveUpWaiting(): void {
    const { patienceMs, givenUp } = this.#rules;
    if (patienceMs === undefined || this.wasHeard(patienceMs)) return;
    this.#lineBytes = 0;
    for (const { job, resolve } of this.#line.splice(0)) resolve(givenUp(job, 0));
  }

  #endIfAlone(): void {
    if (!this.wasHeard(ALONE_MS)) this.stop(this.#error);
  }

  #hear(): void {
    this.#heardAt = this.#ports.clock.now();
    if (!this.#isAloneTold) return;
    this.#isAloneTold = false;
    this.#rules.onCompany?.();
  }
}
