/**
 * The end of a visit: body, event, links and record become durable, then the frontier learns.
 *
 *   endings ─┬─ bodies  → ../ports/blob-store   (C1)
 *            ├─ events  → ../ports/event-log    (E1)
 *            └─ links   → ../ports/seen-filter ─→ ONE commit → ../ports/shard-store (F5)
 *                                                     └→ frontier: settle leases, push new URLs
 *
 * Visits that end close together share one commit. A page is settled only with its links, so
 * whatever dies before the commit, the lease ends and the URL comes back.
 */
import type { Instant } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';
import type { Frontier, Lease } from '../frontier/index.ts';
import type { BlobStore, Body } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import type { Admission, Commit, Settled, ShardStore, Totals } from '../ports/shard-store.ts';
import {
  blankHost,
  FLAGS,
  type HostKey,
  type HostRecord,
  type RobotsRecord,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';

/** Everything that one visit leaves behind. */
export interface Ending {
  readonly lease?: Lease;
  readonly settled?: Settled;
  readonly host?: HostRecord;
  /** Hosts whose turn is not written yet, at a clean end. */
  readonly resting?: readonly HostRecord[];
  readonly robots?: { readonly host: HostKey; readonly records: readonly RobotsRecord[] };
  readonly body?: Body;
  readonly event?: FetchEvent;
  /** URLs that may be new. */
  readonly candidates: readonly Waiting[];
  readonly requeued?: Commit['requeued'];
  readonly redated?: Commit['redated'];
  readonly moved?: Commit['moved'];
  readonly sketches?: Commit['sketches'];
  readonly change: Partial<Totals>;
}

export interface SettlePorts {
  readonly clock: Clock;
  readonly store: ShardStore;
  readonly filter: SeenFilter;
  readonly blobs: BlobStore;
  readonly events: EventLog;
}

/** A commit is made when this many endings have come together … */
const ENDINGS_PER_COMMIT = 64;
/** … or this long after the first of them. */
const LINGER_MS = 4;

interface Waiter {
  readonly ending: Ending;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Settling {
  readonly #ports: SettlePorts;
  readonly #frontier: Frontier;
  #queue: Waiter[] = [];
  #running: Promise<void> | undefined;
  #wake: AbortController | undefined;
  totals: Totals;

  constructor(ports: SettlePorts, frontier: Frontier, totals: Totals) {
    this.#ports = ports;
    this.#frontier = frontier;
    this.totals = totals;
  }

  get pending(): number {
    return this.#queue.length + (this.#running === undefined ? 0 : 1);
  }

  /** Resolves when the ending is durable. Rejects when the store fails; then nothing of it is. */
  add(ending: Ending): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ending, resolve, reject });
      if (this.#queue.length >= ENDINGS_PER_COMMIT) this.#wake?.abort(null);
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      if (this.#queue.length < ENDINGS_PER_COMMIT) await this.#linger();
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#write(batch.map((waiter) => waiter.ending));
        for (const waiter of batch) waiter.resolve();
      } catch (error) {
        for (const waiter of batch) waiter.reject(error);
      }
    }
    this.#running = undefined;
  }

  async #linger(): Promise<void> {
    const { clock } = this.#ports;
    this.#wake = new AbortController();
    await clock.sleepUntil(clock.now() + LINGER_MS, this.#wake.signal);
    this.#wake = undefined;
  }

  async #write(endings: readonly Ending[]): Promise<void> {
    const { blobs, events, store } = this.#ports;
    const candidates = endings.flatMap((ending) => ending.candidates);
    const [written, , admitted] = await Promise.all([
      blobs.put(endings.flatMap((ending) => ending.body ?? [])),
      events.publish(endings.flatMap((ending) => ending.event ?? [])),
      this.#askFilter(candidates),
    ]);
    const newHosts = this.#newHosts(candidates);
    const { fresh, totals } = await store.commit({
      settled: settledOf(endings, written),
      admitted,
      hosts: [...newHosts, ...lastOfEach(endings)],
      robots: endings.flatMap((ending) => ending.robots ?? []),
      sketches: endings.flatMap((ending) => ending.sketches ?? []),
      requeued: endings.flatMap((ending) => ending.requeued ?? []),
      redated: endings.flatMap((ending) => ending.redated ?? []),
      moved: endings.flatMap((ending) => ending.moved ?? []),
      change: { ...changeOf(endings), hosts: newHosts.length },
    });
    this.totals = totals;
    for (const { lease } of endings) if (lease !== undefined) this.#frontier.settle(lease);
    this.#queueFresh(candidates, fresh, endings, this.#ports.clock.now());
  }

  async #askFilter(candidates: readonly Waiting[]): Promise<Admission[]> {
    if (candidates.length === 0) return [];
    const maybe = await this.#ports.filter.checkAndAdd(candidates.map((c) => c.key));
    return candidates.map((waiting, i) => ({ waiting, maybeKnown: maybe[i] === 1 }));
  }

  #queueFresh(
    candidates: readonly Waiting[],
    fresh: readonly boolean[],
    endings: readonly Ending[],
    now: Instant,
  ): void {
    const again = endings.flatMap((ending) => (ending.requeued ?? []).map((r) => r.waiting));
    this.#frontier.push([...candidates.filter((_, i) => fresh[i]), ...again], now);
  }

  /** A host's row goes into the commit of its first URL, or a crash would orphan the URL. */
  #newHosts(candidates: readonly Waiting[]): HostRecord[] {
    const names = new Set<string>();
    for (const { url } of candidates) {
      const host = hostOf(url);
      if (!this.#frontier.knows(host)) names.add(host);
    }
    return [...names].map(blankHost);
  }
}

/** Several visits of one host in a commit: its last record is the one that holds. */
function lastOfEach(endings: readonly Ending[]): Iterable<HostRecord> {
  const hosts = new Map<string, HostRecord>();
  for (const { host, resting = [] } of endings) {
    for (const record of host === undefined ? resting : [host]) hosts.set(record.host, record);
  }
  return hosts.values();
}

/** Marks the records whose body was there already (C1). */
function settledOf(endings: readonly Ending[], written: readonly boolean[]): Settled[] {
  const settled: Settled[] = [];
  let bodies = 0;
  for (const ending of endings) {
    const isAlias = ending.body !== undefined && written[bodies++] === false;
    if (ending.settled === undefined) continue;
    const { record } = ending.settled;
    const marked = { ...record, flags: record.flags | FLAGS.alias };
    settled.push(isAlias ? { ...ending.settled, record: marked } : ending.settled);
  }
  return settled;
}

function changeOf(endings: readonly Ending[]): Partial<Totals> {
  const sum: Record<string, number> = {};
  for (const { change } of endings) {
    for (const [name, value] of Object.entries(change)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sum as Partial<Totals>;
}
