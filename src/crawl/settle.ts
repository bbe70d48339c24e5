/**
 * The end of a visit: body, event, links and record become durable, then the frontier learns.
 *
 *   endings ─┬─ copies.ts  (C1, C2)                ─┬→ bodies  → ../ports/blob-store
 *            ├─ events  → ../ports/event-log  (E1)  ├→ answers → ../ports/archive (B6)
 *            ├─ links of others → ../ports/ownership
 *            └─ links   → ../ports/seen-filter     ─┴→ ONE commit → ../ports/shard-store (F5)
 *                                                        ├→ ../ports/near-index: originals
 *                                                        └→ frontier: settle leases, push
 *
 * Visits that end close together share one commit. A page is settled only with its links, so
 * whatever dies before the commit, the lease ends and the URL comes back.
 *
 * Batches are committed one after the other. Where bodies go to a server, all above the commit is
 * done for the next batch while this one is committed (settle-bodies.ts: what may come of that).
 */
import type { Instant } from '../base/instant.ts';
import { Rules } from '../comply/index.ts';
import type { Mention } from '../events/index.ts';
import type { Frontier } from '../frontier/index.ts';
import type { Archive } from '../ports/archive.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { JobCounts } from '../ports/job-counts.ts';
import type { NearIndex } from '../ports/near-index.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import type { Admission, Commit, Committed, ShardStore, Totals } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import {
  blankHost,
  FLAGS,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import { findCopies } from './copies.ts';
import { undeniedIn } from './deny.ts';
import type { Ending } from './ending.ts';
import { OnTheWire } from './on-the-wire.ts';
import { Batch, type Waiter } from './settle-batch.ts';
import { keepBodies, keepOrphans, putAgain } from './settle-bodies.ts';
import {
  allOf,
  changeOf,
  eachOf,
  flagChange,
  lastOfEach,
  type Noticed,
  settledOf,
} from './settle-notice.ts';
import { OwnPart, type SettleMember } from './settle-own.ts';
import { Watch } from './watch.ts';

export interface SettlePorts {
  readonly clock: Clock;
  readonly ownership: Ownership<Mention>;
  readonly store: ShardStore;
  readonly filter: SeenFilter;
  readonly blobs: BlobStore;
  readonly events: EventLog;
  readonly near: NearIndex;
  readonly archive?: Archive;
  /** What is denied by the time that it is settled leaves nothing behind (G1). */
  readonly denials?: Rules;
}

/** A commit is made when this many endings have come together … */
const ENDINGS_PER_COMMIT = 64;
/** … or this long after the first of them. */
const LINGER_MS = 4;

export class Settling {
  readonly #ports: SettlePorts;
  readonly #frontier: Frontier;
  #queue: Waiter[] = [];
  /** Under way: the one that is written, and perhaps the next, whose bodies go ahead. */
  readonly #batches: Batch[] = [];
  #ahead: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #wake: AbortController | undefined;
  readonly #denials: Rules;
  #writing: Promise<unknown> = Promise.resolve();
  /** Is it the turn of our batches, and how many wait to be alone? */
  #isOurTurn = false;
  #lonely = 0;
  #watchers: Watch[] = [];
  /** Requests that are out, whose endings come here. */
  readonly wire = new OnTheWire();
  /** Of a node that is one of several (K1). */
  readonly own: OwnPart | undefined;
  /** Do nodes of our cluster remove bodies at the moment? */
  isErasing: () => boolean = () => false;
  /** Told when all that came is settled: those who waited for it were told before. */
  onRest: () => void = () => {};
  totals: Totals;
  jobs: ReadonlyMap<number, JobCounts> = new Map();

  constructor(ports: SettlePorts, frontier: Frontier, totals: Totals, member?: SettleMember) {
    this.#ports = ports;
    this.own = member && new OwnPart(member, frontier, ports.clock);
    this.#frontier = frontier;
    this.#denials = ports.denials ?? new Rules();
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
      this.#goAhead();
      this.#running ??= this.#run();
    });
  }

  /** Nothing is being settled while `work` is at it. Keep it short: all visits wait. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#lonely++;
    try {
      return await this.#inTurn(work);
    } finally {
      this.#lonely--;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#writing.then(work);
    this.#writing = mine.catch(() => undefined);
    return mine;
  }

  /** What pages are settled with from now on. */
  watch(): { readonly seen: Watch; stop(): void } {
    const seen = new Watch();
    this.#watchers.push(seen);
    const stop = () => {
      this.#watchers = this.#watchers.filter((one) => one !== seen);
    };
    return { seen, stop };
  }

  /** Nothing is left of these hosts but the records given: no robots.txt, no sketch (G2). */
  async forgetHosts(left: readonly HostRecord[]): Promise<void> {
    for (const record of left) this.#frontier.attention.forget(record);
    const robots = left.map(({ host }) => ({ host: hostKeyOf(host), records: [] }));
    const sketches = robots.map(({ host }) => ({ host, bytes: NO_BYTES }));
    const none = { candidates: [], change: {} };
    await Promise.all([
      this.add({ resting: left, sketches, ...none }),
      ...robots.map((one) => this.add({ robots: one, ...none })),
    ]);
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      if (this.#queue.length < ENDINGS_PER_COMMIT) await this.#linger();
      this.#batches.push(this.#taken());
      while (this.#batches.length > 0) await this.#settleSome();
    }
    this.#running = undefined;
    this.onRest();
  }

  #taken(): Batch {
    const batch = new Batch(this.#queue);
    this.#queue = [];
    return batch;
  }

  /** Fails for the first of them; the next stays as far as it got. */
  async #settleSome(): Promise<void> {
    try {
      await this.#inTurn(() => this.#writeAll());
    } catch (error) {
      const [batch] = this.#batches as [Batch];
      const mayTryAgain = await this.own?.mayTryAgain(batch, error);
      for (const waiting of this.#batches) waiting.failedAt ??= batch.failedAt;
      if (mayTryAgain) return;
      this.#batches.shift();
      batch.reject(error);
    }
  }

  /** Those that are under way, in their order; nothing of them is at work when it ends. */
  async #writeAll(): Promise<void> {
    this.#isOurTurn = true;
    try {
      while (this.#batches.length > 0) await this.#writeFirst();
    } finally {
      this.#isOurTurn = false;
      await this.#ahead;
    }
  }

  /** In a frame of its own: one that waits for the next batch would hold the bodies of the last. */
  async #writeFirst(): Promise<void> {
    const [batch] = this.#batches as [Batch];
    this.#goAhead();
    await this.#write(batch);
    this.#batches.shift();
    this.own?.passed();
    batch.resolve();
  }

  /**
   * The next batch, once it is large enough, is told and its bodies are stored while this one is
   * committed: where that is a way to servers, all visits would only wait. What the frontier
   * learns, and the commits, stay in order. Not while somebody waits to be alone: whatever began
   * is committed before.
   */
  #goAhead(): void {
    const [batch, another] = this.#batches;
    if (this.#queue.length < (this.#ports.blobs.pagesAhead ?? Number.POSITIVE_INFINITY)) return;
    if (!batch?.isTold || another !== undefined || !this.#isOurTurn || this.#lonely > 0) return;
    const next = this.#taken();
    this.#batches.push(next);
    this.#ahead = next.once('prepare', () => this.#prepare(next, batch)).catch(() => undefined);
  }

  async #linger(): Promise<void> {
    const { clock } = this.#ports;
    this.#wake = new AbortController();
    await clock.sleepUntil(clock.now() + LINGER_MS, this.#wake.signal);
    this.#wake = undefined;
  }

  async #write(batch: Batch): Promise<void> {
    await batch.once('prepare', () => this.#prepare(batch));
    await batch.once('orphans', () => keepOrphans(batch, this.#ports));
    await batch.once('commit', () => this.#commit(batch));
    if (this.isErasing()) await putAgain(batch, this.#ports);
    await this.#ports.near.write(batch.copies.added, batch.copies.removed);
  }

  /** All that may be done before the batch before is committed. */
  async #prepare(batch: Batch, before?: Batch): Promise<void> {
    await batch.once('begin', async () => {
      for (const watch of this.#watchers) watch.noteOvertaken(batch.endings, this.#denials);
      this.own?.sieve(batch);
      batch.endings = undeniedIn(batch.endings, this.#denials);
    });
    await batch.once('tell', () => this.#tell(batch, before));
    this.#goAhead();
    await batch.once('keep', () => keepBodies(batch, this.#ports));
  }

  /** All that needs no body stored, at once: in a cluster each of them is a way to an engine. */
  async #tell(batch: Batch, before: Batch | undefined): Promise<void> {
    const { endings } = batch;
    const { events, near, ownership, store } = this.#ports;
    const candidates = allOf(endings, 'candidates');
    const [copies, admitted] = await Promise.all([
      batch.once('copies', () => findCopies(endings, near, store, before)),
      batch.once('filter', () => this.#askFilter(candidates)),
      batch.once('log', () => events.publish(eachOf(endings, 'event'))),
      batch.once('hand', () => ownership.hand(allOf(endings, 'foreign'))),
    ]);
    batch.admitted = admitted;
    batch.copies = copies;
    batch.isTold = true;
  }

  async #commit(batch: Batch): Promise<void> {
    this.own?.sieveLinks(batch);
    batch.learn((noticed) => this.#learn(noticed, this.#ports.clock.now()));
    if (batch.strays.length > 0) await this.#ports.ownership.hand(batch.strays);
    batch.strays = [];
    const { endings, admitted } = batch;
    const candidates = admitted.map(({ waiting }) => waiting);
    const newHosts = this.#newHosts(candidates);
    const settled = eachOf(endings, 'settled');
    for (const watch of this.#watchers) watch.note(settled, this.#denials);
    const { fresh, totals, jobs, unshelved } = await this.#commitOnce(batch, {
      settled,
      admitted,
      hosts: [...newHosts, ...lastOfEach(endings)],
      robots: eachOf(endings, 'robots'),
      sketches: allOf(endings, 'sketches'),
      requeued: allOf(endings, 'requeued'),
      redated: allOf(endings, 'redated'),
      moved: allOf(endings, 'moved'),
      erased: allOf(endings, 'erased'),
      untraced: allOf(endings, 'untraced'),
      shelved: allOf(endings, 'shelved'),
      unshelved: allOf(endings, 'unshelved'),
      forgotten: allOf(endings, 'forgotten'),
      change: { ...changeOf(endings), ...flagChange(endings, settled), hosts: newHosts.length },
    });
    this.totals = totals;
    this.jobs = jobs;
    for (const { lease } of endings) if (lease !== undefined) this.#frontier.settle(lease);
    this.#queueFresh(candidates, fresh, endings, this.#ports.clock.now());
    const told = endings.filter(({ onFresh }) => onFresh !== undefined);
    if (told.length > 0) {
      const isFresh = new Set(candidates.filter((_, i) => fresh[i]));
      for (const { onFresh } of told) onFresh?.(isFresh);
    }
    if (batch.isUnsure) this.#frontier.arcs.reread(candidates, this.#ports.clock.now());
    this.#frontier.pushBack(unshelved);
  }

  /** A commit may have been written although its engine failed before it could say so. */
  async #commitOnce(batch: Batch, commit: Commit): Promise<Committed> {
    const { store } = this.#ports;
    if (batch.isUnsure && (await isWritten(commit, store))) {
      const { totals, jobs } = this;
      return { fresh: commit.admitted.map(() => false), totals, jobs, unshelved: [] };
    }
    try {
      return await store.commit(commit);
    } catch (error) {
      batch.isUnsure ||= !(error instanceof NotOurs) || error.isPartly;
      throw error;
    }
  }

  /** What the page says about its host, and that about the page (Q1, C3, C4). */
  #learn(noticed: Noticed, now: Instant): Ending {
    const { ending, isExact, nearTo } = noticed;
    const settled = settledOf(noticed);
    const isOurs = settled !== undefined && (settled.record.flags & FLAGS.blocked) === 0;
    if (!isOurs || ending.lease?.kind !== 'page' || ending.host === undefined) {
      return settled === undefined ? ending : { ...ending, settled };
    }
    const { host, waiting } = ending.lease;
    const { isMissing = false, sketches = [], print } = ending;
    const words = print?.words ?? 0;
    const copy = { isExact, isNear: nearTo !== undefined, isMissing, words };
    const wasSoft = ((ending.before?.flags ?? 0) & FLAGS.soft_404) !== 0;
    const page = { host, record: settled.record, ...copy, again: waiting.again, wasSoft };
    const found = this.#frontier.attention.notice(page, now);
    return {
      ...ending,
      settled: found.record === settled.record ? settled : { ...settled, record: found.record },
      host: found.host ?? ending.host,
      sketches: found.sketches.length === 0 ? sketches : [...sketches, ...found.sketches],
    };
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
    const again = allOf(endings, 'requeued').map(({ waiting }) => waiting);
    this.#frontier.attention.knew(candidates.filter((_, i) => !fresh[i]));
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

/** Whole or not at all (promise 2 of the store): one page of it tells. */
async function isWritten({ settled: [first] }: Commit, store: ShardStore): Promise<boolean> {
  if (first === undefined) return false;
  const [record] = await store.urls([first.waiting.key]);
  const { visits, lastFetchedAt, state } = first.record;
  if (record?.visits !== visits || record.state !== state) return false;
  return Math.abs(record.lastFetchedAt - lastFetchedAt) < 1;
}
