/**
 * A worker without a network, in virtual time: takes leases, answers each with a page that names
 * nothing new, settles it. Answers come as they do from sockets: in a later turn of the event
 * loop, some at a time, so that leases are taken while the store writes. What is left is the
 * frontier, the store and the commits between them, as src/crawl/worker.ts drives them.
 *
 * Time moves only when nothing is ready, so politeness is kept and never waited for.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Lease } from '../src/frontier/index.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { HostKey } from '../src/record/index.ts';
import type { Arc } from './arc.ts';
import { visitedRecord } from './fill.ts';
import { EPOCH } from './population.ts';

/** As in src/crawl/worker.ts; the leases are `--concurrency`. */
const REFILLS_MAX = 32;
const LEASES_MAX = 256;
/** Of the leases that are out: as many as make a commit. */
const ANSWERS_PER_TURN = 64;
const FIRST_BYTE_MS = 40;
const WHOLE_MS = 90;
const DAY_MS = 86_400_000;

/** A clock that stands until it is moved; a sleep only lets others go first. */
export class StillClock implements Clock {
  #now = EPOCH + 2 * DAY_MS;

  now(): number {
    return this.#now;
  }

  moveTo(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  async sleepUntil(_at: number, signal?: AbortSignal): Promise<void> {
    if (!signal?.aborted) await turn();
  }
}

export class Leasing {
  readonly #arc: Arc;
  readonly #clock: StillClock;
  #open = 0;
  readonly #out: (() => void)[] = [];
  #refills = 0;
  #failure: unknown;
  #wake: (() => void) | undefined;
  settled = 0;
  refilled = 0;

  constructor(arc: Arc, clock: StillClock) {
    this.#arc = arc;
    this.#clock = clock;
  }

  /** Settles about so many more pages; false when the store has no more that wait. */
  async settle(pages: number): Promise<boolean> {
    const { frontier } = this.#arc;
    const goal = this.settled + pages;
    while (this.settled < goal) {
      if (this.#failure !== undefined) throw this.#failure;
      const now = this.#clock.now();
      frontier.expire(now);
      const taken = this.#take(now);
      this.#refillWanted();
      if (taken > 0 && this.#open < LEASES_MAX) continue;
      if (this.#open + this.#refills > 0) await this.#somethingEnds();
      else if (!this.#moveOn()) return false;
    }
    while (this.#open + this.#refills > 0) await this.#somethingEnds();
    return true;
  }

  #take(now: number): number {
    const leases = this.#arc.frontier.take(LEASES_MAX - this.#open, Number.MAX_SAFE_INTEGER, now);
    for (const lease of leases) {
      this.#open++;
      this.#track(this.#visit(lease, now), () => this.#open--);
    }
    return leases.length;
  }

  #refillWanted(): void {
    for (const host of this.#arc.frontier.wanted(REFILLS_MAX - this.#refills)) {
      this.#refills++;
      this.refilled++;
      this.#track(this.#refill(host), () => this.#refills--);
    }
  }

  async #refill(host: Parameters<Arc['frontier']['refill']>[0]): Promise<void> {
    const { frontier, store } = this.#arc;
    const asked = frontier.refillSize(host);
    const isKnown = host.hydrated;
    const key: HostKey = host.key;
    const stored = isKnown ? undefined : await store.host(key);
    const rows = await store.waiting(key, host.window.after, asked);
    frontier.refill(host, rows, asked, isKnown ? undefined : (stored?.robots ?? []));
  }

  async #visit(lease: Lease, now: number): Promise<void> {
    const { frontier, settling } = this.#arc;
    await this.#answer();
    const answeredAt = now + FIRST_BYTE_MS;
    const exchange = { startedAt: now, answeredAt, endedAt: now + WHOLE_MS, retryAfterMs: 0 };
    const host = frontier.conclude(lease, { ...exchange, sign: 'well' }, 20_000);
    if (host === undefined) return;
    if (lease.kind === 'robots') return this.#visitRobots(lease, now);
    const { waiting } = lease;
    const record = visitedRecord(waiting, waiting.key.readUInt32LE(8));
    const change = { waiting: -1, fetched: 1, asked: 1, bytes: record.bodyBytes };
    await settling.add({ lease, host, settled: { waiting, record }, candidates: [], change });
    this.settled++;
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#out.push(resolve) === 1) setImmediate(() => this.#answerSome());
    });
  }

  #answerSome(): void {
    for (const answer of this.#out.splice(0, ANSWERS_PER_TURN)) answer();
    if (this.#out.length > 0) setImmediate(() => this.#answerSome());
  }

  /** Nothing is forbidden. Seldom: the stores of these benchmarks know the rules. */
  async #visitRobots(lease: Extract<Lease, { kind: 'robots' }>, now: number): Promise<void> {
    const { errand } = lease;
    const read = { fetchedAt: now, expiresAt: now + DAY_MS, status: 404, tries: 0, problem: '' };
    const record = { origin: errand.origin, ...read, body: Buffer.alloc(0) };
    this.#arc.frontier.setRobots(errand, record, 0);
    await this.#arc.settling.add({ lease, candidates: [], change: {} });
  }

  /** To the next turn of a host; false when there is none. */
  #moveOn(): boolean {
    const next = this.#arc.frontier.nextAt();
    if (next === undefined) return this.#arc.frontier.stats().wanted > 0;
    this.#clock.moveTo(next);
    return true;
  }

  #track(work: Promise<void>, undo: () => void): void {
    const ended = () => {
      undo();
      this.#wake?.();
    };
    work.then(ended, (error: unknown) => {
      this.#failure ??= error;
      ended();
    });
  }

  #somethingEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Brings the hosts back from the store, as a node does when it opens. */
export async function restoreHosts(arc: Arc, now: number): Promise<number> {
  let hosts = 0;
  for await (const records of arc.store.hosts({ from: 0, to: 255 })) {
    hosts += records.length;
    for (const record of records) arc.frontier.arcs.restore(record, now, true);
  }
  return hosts;
}
