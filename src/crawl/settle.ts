/**
 * The end of a visit: body, event, links and record become durable, then the frontier learns.
 *
 *   endings → copies.ts ─┬─ bodies  → ../ports/blob-store   (C1, C2)
 *                        ├─ events  → ../ports/event-log    (E1)
 *                        ├─ answers → ../ports/archive      (B6), where one is written
 *                        ├─ links of others → ../ports/ownership
 *                        └─ links   → ../ports/seen-filter ─→ ONE commit → ../ports/shard-store (F5)
 *                                                              ├→ ../ports/near-index: originals
 *                                                              └→ frontier: settle leases, push
 *
 * Visits that end close together share one commit. A page is settled only with its links, so
 * whatever dies before the commit, the lease ends and the URL comes back.
 */
import type { Exchanged } from '../archive/index.ts';
import type { Instant } from '../base/instant.ts';
import { Rules } from '../comply/index.ts';
import { sameBytes, type TextPrint } from '../content/index.ts';
import type { FetchEvent, Mention } from '../events/index.ts';
import type { Frontier, Lease } from '../frontier/index.ts';
import type { Archive } from '../ports/archive.ts';
import type { BlobStore, Body } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { JobCounts } from '../ports/job-counts.ts';
import type { NearIndex } from '../ports/near-index.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import type { Admission, Commit, Settled, ShardStore, Totals } from '../ports/shard-store.ts';
import {
  blankHost,
  FLAGS,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  type RobotsRecord,
  type UrlRecord,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import { type Copy, findCopies } from './copies.ts';
import { undeniedIn } from './deny.ts';
import { OnTheWire } from './on-the-wire.ts';
import { Watch } from './watch.ts';

/** Everything that one visit leaves behind. */
export interface Ending {
  readonly lease?: Lease;
  readonly settled?: Settled;
  readonly host?: HostRecord;
  /** Hosts whose turn is not written yet, at a clean end. */
  readonly resting?: readonly HostRecord[];
  readonly robots?: { readonly host: HostKey; readonly records: readonly RobotsRecord[] };
  readonly body?: Body;
  /** The tag of the body, if it is not there yet (G2). */
  readonly region?: string;
  /** Of a page that was rendered: as it was sent, and as a picture (J1). */
  readonly otherBodies?: readonly Body[];
  /** For the archive, where one is written. */
  readonly archived?: Exchanged;
  readonly event?: FetchEvent;
  /** Of the words of the body; left out when none was read, and when it may not be kept. */
  readonly print?: TextPrint;
  /** It says that there is no such page (C3). */
  readonly isMissing?: boolean;
  /** What the visit before left, if there was one. */
  readonly before?: UrlRecord;
  /** URLs that may be new. */
  readonly candidates: readonly Waiting[];
  /** URLs for other owners to decide upon. */
  readonly foreign?: readonly Mention[];
  readonly requeued?: Commit['requeued'];
  readonly redated?: Commit['redated'];
  readonly moved?: Commit['moved'];
  readonly sketches?: Commit['sketches'];
  readonly erased?: Commit['erased'];
  readonly untraced?: Commit['untraced'];
  readonly shelved?: Commit['shelved'];
  readonly unshelved?: Commit['unshelved'];
  readonly forgotten?: Commit['forgotten'];
  readonly change: Partial<Totals>;
}

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

/** An ending, and what it repeats. */
interface Noticed extends Copy {
  readonly ending: Ending;
  /** Its body was not there before. */
  readonly isWritten: boolean;
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
  readonly #denials: Rules;
  #writing: Promise<unknown> = Promise.resolve();
  #watchers: Watch[] = [];
  /** Requests that are out, whose endings come here. */
  readonly wire = new OnTheWire();
  totals: Totals;
  jobs: ReadonlyMap<number, JobCounts> = new Map();

  constructor(ports: SettlePorts, frontier: Frontier, totals: Totals) {
    this.#ports = ports;
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
      this.#running ??= this.#run();
    });
  }

  /** Nothing is being settled while `work` is at it. Keep it short: all visits wait. */
  alone<T>(work: () => Promise<T>): Promise<T> {
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
      await this.#settleQueued();
    }
    this.#running = undefined;
  }

  /** In a frame of its own: one that waits for the next batch would hold the bodies of the last. */
  async #settleQueued(): Promise<void> {
    const batch = this.#queue;
    this.#queue = [];
    try {
      await this.alone(() => this.#write(batch.map((waiter) => waiter.ending)));
      for (const waiter of batch) waiter.resolve();
    } catch (error) {
      for (const waiter of batch) waiter.reject(error);
    }
  }

  async #linger(): Promise<void> {
    const { clock } = this.#ports;
    this.#wake = new AbortController();
    await clock.sleepUntil(clock.now() + LINGER_MS, this.#wake.signal);
    this.#wake = undefined;
  }

  async #write(given: readonly Ending[]): Promise<void> {
    for (const watch of this.#watchers) watch.noteOvertaken(given, this.#denials);
    const endings = undeniedIn(given, this.#denials);
    const { blobs, events, near, store, archive, ownership } = this.#ports;
    const candidates = endings.flatMap((ending) => ending.candidates);
    const copies = await findCopies(endings, near, store);
    const isKept = (_: Ending, nth: number) => copies.of[nth]?.nearTo === undefined;
    const kept = endings.filter(isKept).flatMap((ending) => ending.body ?? []);
    // First the log: a body that nobody names, because we died in between, could not be erased.
    await events.publish(endings.flatMap((ending) => ending.event ?? []));
    const [written, admitted] = await Promise.all([
      blobs.put([...kept, ...endings.flatMap(({ otherBodies = [] }) => otherBodies)]),
      this.#askFilter(candidates),
      archive?.put(endings.flatMap((ending) => ending.archived ?? [])),
      ownership.hand(endings.flatMap((ending) => ending.foreign ?? [])),
    ]);
    const now = this.#ports.clock.now();
    const noticed = notice(endings, copies.of, written);
    const learned = noticed.map((one) => this.#learn(one, now));
    const newHosts = this.#newHosts(candidates);
    const settled = learned.flatMap((ending) => ending.settled ?? []);
    for (const watch of this.#watchers) watch.note(settled, this.#denials);
    const { fresh, totals, jobs, unshelved } = await store.commit({
      settled,
      admitted,
      hosts: [...newHosts, ...lastOfEach(learned)],
      robots: endings.flatMap((ending) => ending.robots ?? []),
      sketches: learned.flatMap(({ sketches = [] }) => sketches),
      requeued: endings.flatMap((ending) => ending.requeued ?? []),
      redated: endings.flatMap((ending) => ending.redated ?? []),
      moved: endings.flatMap((ending) => ending.moved ?? []),
      erased: endings.flatMap((ending) => ending.erased ?? []),
      untraced: endings.flatMap((ending) => ending.untraced ?? []),
      shelved: endings.flatMap((ending) => ending.shelved ?? []),
      unshelved: endings.flatMap((ending) => ending.unshelved ?? []),
      forgotten: endings.flatMap((ending) => ending.forgotten ?? []),
      change: { ...changeOf(endings), ...flagChange(endings, settled), hosts: newHosts.length },
    });
    this.totals = totals;
    this.jobs = jobs;
    for (const { lease } of endings) if (lease !== undefined) this.#frontier.settle(lease);
    this.#queueFresh(candidates, fresh, endings, this.#ports.clock.now());
    this.#frontier.pushBack(unshelved);
    await near.write(copies.added, copies.removed);
  }

  /** What the page says about its host, and that about the page (Q1, C3, C4). */
  #learn(noticed: Noticed, now: Instant): Ending {
    const { ending, isExact, nearTo } = noticed;
    const settled = settledOf(noticed);
    const isOurs = settled !== undefined && (settled.record.flags & FLAGS.blocked) === 0;
    if (!isOurs || ending.lease?.kind !== 'page' || ending.host === undefined) {
      return { ...ending, ...(settled && { settled }) };
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
      settled: { ...settled, record: found.record },
      ...(found.host && { host: found.host }),
      sketches: [...sketches, ...found.sketches],
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
    const again = endings.flatMap((ending) => (ending.requeued ?? []).map((r) => r.waiting));
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

/** Several visits of one host in a commit: its last record is the one that holds. */
function lastOfEach(endings: readonly Ending[]): Iterable<HostRecord> {
  const hosts = new Map<string, HostRecord>();
  for (const ending of endings) {
    const { host, resting = [] } = ending;
    const records = host === undefined ? resting : [withFlags(host, ending.lease)];
    for (const record of records) hosts.set(record.host, record);
  }
  return hosts.values();
}

/** A page of this batch may have said something about the host since the record was made. */
function withFlags(record: HostRecord, lease: Lease | undefined): HostRecord {
  if (lease === undefined || lease.host.flags === record.flags) return record;
  const { flags, quality } = lease.host;
  return { ...record, flags, quality };
}

/**
 * What is known of each ending once its copies are looked for: the place to learn from about
 * the host (soft 404s, farms, traps), before the commit that its sketch is part of.
 */
function notice(
  endings: readonly Ending[],
  copies: readonly Copy[],
  written: readonly boolean[],
): Noticed[] {
  let bodies = 0;
  return endings.map((ending, nth) => {
    const { isExact, nearTo } = copies[nth] as Copy;
    if (nearTo !== undefined) return { ending, isExact, nearTo, isWritten: false };
    const isWritten = ending.body !== undefined && written[bodies++] === true;
    const wasThere = ending.body !== undefined && !isWritten;
    const isAlias = isUnchanged(ending) ? wasAlias(ending) : wasThere;
    return { ending, isExact: isExact || isAlias, nearTo, isWritten };
  });
}

/** Its body is there because it brought it the last time. */
function isUnchanged({ before, settled }: Ending): boolean {
  return (
    before !== undefined && sameBytes(before.contentHash, settled?.record.contentHash ?? NO_BYTES)
  );
}

/** A body that has not changed is still that of another page. */
function wasAlias({ before }: Ending): boolean {
  return before !== undefined && (before.flags & FLAGS.alias) !== 0;
}

/** Marks the records whose body is that of another page, or nearly so (C1, C2). */
function settledOf(noticed: Noticed): Settled | undefined {
  const { isExact, nearTo } = noticed;
  const settled = taggedOf(noticed);
  if (settled === undefined || (!isExact && nearTo === undefined)) return settled;
  const { record } = settled;
  const flags = record.flags | (isExact ? FLAGS.alias : FLAGS.near_duplicate);
  return { ...settled, record: { ...record, flags, original: nearTo ?? record.original } };
}

/** What nearly repeats another is not stored; what was let go of and is back is stored anew (G2). */
function taggedOf({ ending, nearTo, isWritten }: Noticed): Settled | undefined {
  const { settled, region: now = '' } = ending;
  const was = settled?.record.region ?? '';
  const region = nearTo !== undefined ? '' : isWritten ? now : was;
  return settled === undefined || region === was
    ? settled
    : { ...settled, record: { ...settled.record, region } };
}

function changeOf(endings: readonly Ending[]): Partial<Totals> {
  const sum: Record<string, number> = {};
  for (const { change } of endings) {
    for (const [name, value] of Object.entries(change)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sum as Partial<Totals>;
}

const COUNTED = {
  alias: 'copies',
  near_duplicate: 'nearDuplicates',
  soft_404: 'soft404s',
} as const;

/** Pages that got one of the flags that are counted, less those that lost it. */
function flagChange(endings: readonly Ending[], settled: readonly Settled[]): Partial<Totals> {
  const sum = { copies: 0, nearDuplicates: 0, soft404s: 0 };
  for (const flag of Object.keys(COUNTED) as (keyof typeof COUNTED)[]) {
    const has = ({ flags }: UrlRecord) => ((flags & FLAGS[flag]) !== 0 ? 1 : 0);
    for (const { record } of settled) sum[COUNTED[flag]] += has(record);
    for (const { before, settled } of endings) {
      if (before !== undefined && settled !== undefined) sum[COUNTED[flag]] -= has(before);
    }
  }
  return sum;
}
