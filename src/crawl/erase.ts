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
import type { ScrubbableLog } from '../ports/event-log.ts';
import type { NearIndex } from '../ports/near-index.ts';
import type { Records, ScannedUrl } from '../ports/records.ts';
import { type Commit, type ShardStore, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import {
  FLAGS,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  URL_KEY_BYTES,
  type UrlKey,
  urlKeyOf,
} from '../record/index.ts';
import type { Removed } from './comply-answers.ts';
import {
  bodiesOf,
  type Fits,
  hashesIn,
  ROWS_PER_LOOK,
  recordsFrom,
  removeBodies,
} from './erase-parts.ts';
import type { Watch } from './watch.ts';

export interface ErasePorts {
  readonly store: ShardStore;
  readonly records: Records;
  readonly blobs: ErasableBlobs;
  readonly events: ScrubbableLog;
  readonly near: NearIndex;
  /** The archive that was written as the crawl went, where there is one. */
  readonly archived?: ArchivedPages;
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
  readonly kept: readonly string[];
}

const ADDRESS_KEPT =
  'its address, in the denylist and the audit trail, so that it is never asked again';

/** Read before any of them is erased: about 30 MB. */
const ROWS_GATHERED = 20_000;

/** Of a URL's key: the place of its host, whatever the port. */
const HOST_BYTES = 8;

export async function erase(
  ports: ErasePorts,
  desk: EraseDesk,
  rule: Rule,
  holds: Rules,
  seen: Watch,
  fits: Fits = fitterOf(rule),
): Promise<Erasure> {
  // What was on its way when the rule came is settled once this has had its turn.
  // Until then a page that is meant may have brought its body: that is in its record now.
  await desk.alone(async () => seen.hashes.clear());
  return new Erasing({ ports, desk, rule, holds, seen, fits }).run();
}

interface Parts {
  readonly ports: ErasePorts;
  readonly desk: EraseDesk;
  readonly rule: Rule;
  readonly holds: Rules;
  readonly seen: Watch;
  readonly fits: Fits;
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
  /** By their hex: the bodies of the URLs, and those of them that others have, too. */
  readonly #hashes = new Set<string>();
  readonly #shared = new Set<string>();
  readonly #keys: UrlKey[] = [];
  #held = 0;
  #nearDuplicates = 0;

  constructor({ ports, desk, rule, holds, seen, fits }: Parts) {
    this.#ports = ports;
    this.#desk = desk;
    this.#rule = rule;
    this.#seen = seen;
    this.#holds = holds;
    this.#isMeant = fits;
    this.#fits = (url) => fits(url) && holds.meets(url) === undefined;
  }

  async run(): Promise<Erasure> {
    const { events } = this.#ports;
    await this.#findHashes();
    await this.#findOthers();
    const names = [...this.#hashes];
    const bodies = await removeBodies(this.#ports, this.#desk, names, (n) => this.#isNeeded(n));
    await this.#ports.archived?.remove(this.#fits);
    const records = await this.#eraseRecords();
    const scrubbed = await events.scrub(
      (event) => this.#fitsEvent(event),
      erasedEvent,
      mentionOf(this.#rule),
    );
    const hosts = await this.#eraseHosts();
    await this.#ports.purge(this.#keys, hosts);
    return { removed: { records, bodies, events: scrubbed }, kept: this.#kept() };
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
    const look = (event: FetchEvent) => {
      if (this.#fitsEvent(event)) for (const name of hashesIn(event)) this.#hashes.add(name);
      return false;
    };
    await this.#ports.events.scrub(look, erasedEvent, mentionOf(this.#rule));
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
    const range = first === undefined ? WHOLE_CIRCLE : { from: first, to: first };
    const keys: HostKey[] = [];
    for await (const chunk of this.#ports.store.hosts(range)) {
      const meant = chunk.filter(({ host }) => this.#fits(`http://${host}/`));
      if (meant.length > 0) await this.#desk.forgetHosts(meant.map(erasedHost));
      for (const { host } of meant) keys.push(hostKeyOf(host));
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
    const { kind, value } = this.#rule;
    if (kind === 'url') {
      const key = urlKeyOf(value);
      const [record] = await this.#ports.store.urls([key]);
      if (record !== undefined) yield { key, record };
    } else if (kind === 'host') {
      const first = Buffer.alloc(URL_KEY_BYTES);
      first.set(hostKeyOf(value).subarray(0, HOST_BYTES));
      for await (const row of recordsFrom(this.#ports.records, first)) {
        if (row.key.compare(first, 0, HOST_BYTES, 0, HOST_BYTES) !== 0) return;
        yield row;
      }
    } else yield* recordsFrom(this.#ports.records);
  }

  #kept(): string[] {
    const kept: string[] = [];
    const say = (count: number, what: string) => {
      if (count > 0) kept.push(`${count} ${what}`);
    };
    say(this.#shared.size, 'bodies, because other URLs have the same content');
    say(this.#held, 'records, because they are under legal hold');
    say(this.#nearDuplicates, 'pages that say nearly the same: they are pages of their own');
    kept.push('links to it in the records of other pages, which are theirs');
    if (this.#rule.kind === 'region') kept.push('the addresses, which may be asked for again');
    else kept.push(ADDRESS_KEPT);
    return kept;
  }
}
