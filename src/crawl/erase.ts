/**
 * Erasure (G2): everything that a crawl keeps of some URLs, out of every place it is kept in.
 *
 *   records, log → hashes of all their bodies, also of earlier visits
 *     → bodies that nobody else has → archive → fingerprints → records with traces → events
 *     → hosts that are meant as a whole → old values
 *
 * In this order whoever dies can begin again: what names a thing goes after the thing. The URLs
 * are denied before this begins, so nothing of them arrives meanwhile; a body that another page
 * brings in that time is watched for, and stays.
 */
import {
  erasedEvent,
  erasedHost,
  erasedRecord,
  fitterOf,
  mentionOf,
  type Rule,
  type Rules,
} from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { ArchivedPages } from '../ports/archive.ts';
import type { ErasableBlobs } from '../ports/blob-store.ts';
import type { ErasableLog } from '../ports/event-log.ts';
import type { NearIndex } from '../ports/near-index.ts';
import type { Records, ScannedUrl } from '../ports/records.ts';
import { type Commit, type KeyRange, type ShardStore, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import {
  FLAGS,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  type UrlKey,
  urlKeyOf,
} from '../record/index.ts';
import type { Removed } from './comply-answers.ts';
import {
  bodiesOf,
  type Fits,
  hashesIn,
  isIn,
  ROWS_PER_LOOK,
  recordsFrom,
  recordsOfAll,
  recordsOfHost,
  removeAmongOthers,
  removeBodies,
} from './erase-parts.ts';
import type { Watch } from './watch.ts';

export interface ErasePorts {
  readonly store: ShardStore;
  readonly records: Records;
  readonly blobs: ErasableBlobs;
  readonly events: ErasableLog;
  readonly near: NearIndex;
  /** The archive that was written as the crawl went, where there is one. */
  readonly archived?: ArchivedPages;
  /** Other nodes store bodies meanwhile, and do not ask us first. */
  readonly isShared?: boolean;
  /** What the rows of these URLs and hosts held before is in no file afterwards. */
  purge(urls: readonly UrlKey[], hosts?: readonly HostKey[]): Promise<void>;
}

/** How to change the store: a crawl that runs must not be overtaken. */
export interface EraseDesk {
  commit(erased: NonNullable<Commit['erased']>): Promise<void>;
  /** Headers and links of the visits go; the records stay. */
  untrace(keys: readonly UrlKey[]): Promise<void>;
  /** Of hosts nothing is left but these records: robots.txt and sketches go. */
  forgetHosts(left: readonly HostRecord[]): Promise<void>;
  /** Nothing is settled while this is done. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Breaks off the requests that are out for some URLs. */
  breakOff(fits: (url: string) => boolean): Promise<void>;
  /** What pages leave from now on. */
  watch(): { readonly seen: Watch; stop(): void };
}

export interface Erasure {
  readonly removed: Removed;
  readonly left: LeftOver;
}

/** What an erasure has met and left there. */
export interface LeftOver {
  readonly shared: number;
  readonly held: number;
  readonly near: number;
  /** Events in a log that cannot be changed. */
  readonly logged: number;
}

export const NOTHING_LEFT: LeftOver = { shared: 0, held: 0, near: 0, logged: 0 };

const ADDRESS_KEPT =
  'its address, in the denylist and the audit trail, so that it is never asked again';

/** Read before any of them is erased: about 30 MB. */
const ROWS_GATHERED = 20_000;

export interface EraseOrder {
  readonly ports: ErasePorts;
  readonly desk: EraseDesk;
  readonly rule: Rule;
  readonly holds: Rules;
  readonly seen: Watch;
  /** What the rule means, where it does not say so itself. */
  readonly fits?: Fits;
  /** The parts of the circle that are ours to erase; all of it unless told. */
  readonly ranges?: readonly KeyRange[];
}

export async function erase(order: EraseOrder): Promise<Erasure> {
  const { desk, seen } = order;
  // What was on its way when the rule came is settled once this has had its turn.
  // Until then a page that is meant may have brought its body: that is in its record now.
  await desk.alone(async () => seen.hashes.clear());
  return new Erasing(order).run();
}

/** In sentences, for whoever asked. */
export function keptOf({ shared, held, near, logged }: LeftOver, { kind }: Rule): string[] {
  const kept: string[] = [];
  const say = (count: number, what: string) => {
    if (count > 0) kept.push(`${count} ${what}`);
  };
  say(shared, 'bodies, because other URLs have the same content');
  say(held, 'records, because they are under legal hold');
  say(near, 'pages that say nearly the same: they are pages of their own');
  say(logged, 'messages of the `pages` topic, until its retention ends: readers are told');
  kept.push('links to it in the records of other pages, which are theirs');
  if (kind === 'region') kept.push('the addresses, which may be asked for again');
  else kept.push(ADDRESS_KEPT);
  return kept;
}

class Erasing {
  readonly #ports: ErasePorts;
  readonly #desk: EraseDesk;
  readonly #rule: Rule;
  readonly #holds: Rules;
  readonly #seen: Watch;
  /** What the rule means, and that of it which nobody holds. */
  readonly #isMeant: Fits;
  readonly #fits: Fits;
  readonly #ranges: readonly KeyRange[];
  /** By their hex: the bodies of the URLs, and those of them that others have, too. */
  readonly #hashes = new Set<string>();
  readonly #shared = new Set<string>();
  readonly #keys: UrlKey[] = [];
  #held = 0;
  #nearDuplicates = 0;
  #logged = 0;

  constructor(order: EraseOrder) {
    const { ports, desk, rule, holds, seen, fits = fitterOf(rule), ranges } = order;
    this.#ports = ports;
    this.#desk = desk;
    this.#rule = rule;
    this.#seen = seen;
    this.#holds = holds;
    this.#isMeant = fits;
    this.#fits = (url) => fits(url) && holds.meets(url) === undefined;
    this.#ranges = ranges ?? [WHOLE_CIRCLE];
  }

  async run(): Promise<Erasure> {
    const { events } = this.#ports;
    await this.#findHashes();
    await this.#findOthers();
    const bodies = await this.#removeBodies([...this.#hashes]);
    await this.#ports.archived?.remove(this.#fits);
    const records = await this.#eraseRecords();
    const isMeant = (event: FetchEvent) => this.#fitsEvent(event);
    const scrubbed = await events.scrub?.(isMeant, erasedEvent, mentionOf(this.#rule));
    const hosts = await this.#eraseHosts();
    await this.#ports.purge(this.#keys, hosts);
    const removed = { records, bodies, events: scrubbed ?? 0 };
    const logged = scrubbed === undefined ? this.#logged : 0;
    const [shared, near] = [this.#shared.size, this.#nearDuplicates];
    return { removed, left: { shared, held: this.#held, near, logged } };
  }

  #removeBodies(names: readonly string[]): Promise<number> {
    const isNeeded = (name: string) => this.#isNeeded(name);
    if (!this.#ports.isShared) return removeBodies(this.#ports, this.#desk, names, isNeeded);
    const named = (gone: ReadonlySet<string>) => this.#namedByOthers(gone);
    return removeAmongOthers(this.#ports, names, isNeeded, named);
  }

  async #namedByOthers(names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { records } = this.#ports;
    const named = new Set<string>();
    for await (const row of recordsFrom(records)) {
      if (this.#fits(row.record.url)) continue;
      for (const name of await bodiesOf(row, records)) if (names.has(name)) named.add(name);
    }
    return named;
  }

  /** The log first: it is in the order of the packs, and bodies of one block go together. */
  async #findHashes(): Promise<void> {
    await this.#findInLog();
    for await (const row of this.#targets()) {
      for (const name of await bodiesOf(row, this.#ports.records)) this.#hashes.add(name);
    }
    for (const name of this.#seen.left) this.#hashes.add(name);
  }

  /**
   * The bodies of earlier visits, and of one that died before it was settled: named by the log
   * alone. This only looks; scrubbing comes last.
   */
  async #findInLog(): Promise<void> {
    const { events } = this.#ports;
    const look = (event: FetchEvent) => {
      if (!this.#fitsEvent(event)) return false;
      this.#logged++;
      for (const name of hashesIn(event)) this.#hashes.add(name);
      return false;
    };
    if (events.scrub !== undefined) {
      await events.scrub(look, erasedEvent, mentionOf(this.#rule));
    } else for await (const { event } of events.read()) look(event);
  }

  /** Also an earlier visit that stored its body there, of a page that is elsewhere now. */
  #fitsEvent({ url, region }: FetchEvent): boolean {
    const { kind, value } = this.#rule;
    const wasThere = kind === 'region' && region === value;
    return this.#fits(url) || (wasThere && this.#holds.meets(url) === undefined);
  }

  /** Which of the bodies other pages need, and who repeats these pages. */
  async #findOthers(): Promise<void> {
    if (this.#hashes.size === 0) return;
    const { records } = this.#ports;
    const names = new Set<string>();
    for await (const { key } of this.#targets()) names.add(key.toString('latin1'));
    for await (const row of recordsFrom(records)) {
      const { record } = row;
      if (this.#fits(record.url)) continue;
      for (const name of await bodiesOf(row, records)) {
        if (this.#hashes.has(name)) this.#shared.add(name);
      }
      const original = Buffer.from(record.original).toString('latin1');
      if (names.has(original)) this.#nearDuplicates++;
    }
  }

  #isNeeded(name: string): boolean {
    if (this.#seen.hashes.has(name)) this.#shared.add(name);
    return this.#shared.has(name);
  }

  async #eraseRecords(): Promise<number> {
    let count = 0;
    let rows: ScannedUrl[] = [];
    for await (const row of this.#targets()) {
      this.#keys.push(row.key);
      if ((row.record.flags & FLAGS.erased) === 0) rows.push(row);
      else if (this.#seen.overtaken.has(row.key.toString('latin1'))) count++;
      if (rows.length < ROWS_GATHERED) continue;
      count += await this.#eraseInOrder(rows);
      rows = [];
    }
    return count + (await this.#eraseInOrder(rows));
  }

  /** In the order in which they were fetched: what lies in one block of a pack goes together. */
  async #eraseInOrder(rows: ScannedUrl[]): Promise<number> {
    rows.sort((a, b) => a.record.lastFetchedAt - b.record.lastFetchedAt);
    for (let from = 0; from < rows.length; from += ROWS_PER_LOOK) {
      await this.#eraseSome(rows.slice(from, from + ROWS_PER_LOOK));
    }
    return rows.length;
  }

  async #eraseSome(rows: readonly ScannedUrl[]): Promise<void> {
    const prints = rows.flatMap(({ key, record: { simhash, pairs } }) =>
      simhash === 0n ? [] : [{ key, simhash, pairs }],
    );
    await this.#ports.near.write([], prints);
    await this.#desk.commit(
      rows.map(({ key, record }) => ({ key, record: erasedRecord(record, this.#rule) })),
    );
  }

  /** A host that is meant as a whole: its record, its robots.txt, what its pages say about it. */
  async #eraseHosts(): Promise<HostKey[]> {
    const { kind, value } = this.#rule;
    if (kind !== 'host' && kind !== 'site') return [];
    const first = kind === 'host' ? hostKeyOf(value)[0] : undefined;
    const keys: HostKey[] = [];
    const own = first === undefined ? this.#ranges : [{ from: first, to: first }];
    for (const range of first === undefined || isIn(this.#ranges, hostKeyOf(value)) ? own : []) {
      for await (const chunk of this.#ports.store.hosts(range)) {
        const meant = chunk.filter(({ host }) => this.#fits(`http://${host}/`));
        if (meant.length > 0) await this.#desk.forgetHosts(meant.map(erasedHost));
        for (const { host } of meant) keys.push(hostKeyOf(host));
      }
    }
    return keys;
  }

  async *#targets(): AsyncIterable<ScannedUrl> {
    this.#held = 0;
    for await (const row of this.#candidates()) {
      if (this.#fits(row.record.url)) yield row;
      else if (this.#isMeant(row.record.url)) this.#held++;
    }
  }

  /** As few as the rule allows: one, those of a host, or all. */
  async *#candidates(): AsyncIterable<ScannedUrl> {
    const { records, store } = this.#ports;
    const { kind, value } = this.#rule;
    const isOurs = (key: Uint8Array) => isIn(this.#ranges, key);
    if (kind === 'url') {
      const key = urlKeyOf(value);
      const [record] = isOurs(key) ? await store.urls([key]) : [];
      if (record !== undefined) yield { key, record };
    } else if (kind === 'host') {
      if (isOurs(hostKeyOf(value))) yield* recordsOfHost(records, hostKeyOf(value));
    } else yield* recordsOfAll(records, this.#ranges);
  }
}
