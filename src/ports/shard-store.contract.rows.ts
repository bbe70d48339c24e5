/** The rows that the cases of shard-store.contract.ts are made of. */
import type { Instant } from '../base/instant.ts';
import {
  blankHost,
  blankRecord,
  encodeTrace,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  quantised,
  type RobotsRecord,
  rankOf,
  type UrlRecord,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import type { Records } from './records.ts';
import {
  type Admission,
  type Commit,
  NOTHING,
  type Settled,
  type ShardStore,
} from './shard-store.ts';

export const NOW: Instant = Date.UTC(2026, 5, 1);

export function waitingFor(url: string, priority = 0.5, more: Partial<Waiting> = {}): Waiting {
  const own = quantised(priority);
  return {
    ...{ key: urlKeyOf(url), url, kind: 'page', rank: rankOf(own, NOW), priority: own },
    ...{ depth: 2, hops: 1, outside: 0, parent: urlKeyOf('http://parent.example/') },
    ...{ fails: 0, again: false, ...more },
  };
}

export function admitting(urls: readonly Waiting[], maybeKnown = true): Commit {
  return { ...NOTHING, admitted: urls.map((waiting): Admission => ({ waiting, maybeKnown })) };
}

export function visitedRecord(url: string, more: Partial<UrlRecord> = {}): UrlRecord {
  const title = 'A title — with ünïcode';
  const bytes = { parent: Buffer.from(NO_BYTES), contentHash: Buffer.alloc(32, 7) };
  return { ...blankRecord(url, NOW), ...bytes, state: 'indexed', httpStatus: 200, title, ...more };
}

export function settling(
  waiting: Waiting,
  more: Partial<UrlRecord> = {},
  trace?: Uint8Array,
): Settled {
  const record = visitedRecord(waiting.url, more);
  return trace === undefined ? { waiting, record } : { waiting, record, trace };
}

export const namesOf = (urls: readonly Waiting[]) => urls.map(({ url }) => url);
export const HOST = 'h.example';
export const HOST_KEY = hostKeyOf(HOST);
export const urlOf = (n: number | string) => `http://${HOST}/${n}`;

export function busyHost(host: string): HostRecord {
  return {
    ...{ ...blankHost(host), lastFetchAt: NOW + 0.25, turnAt: NOW + 1_000.5, crawlDelayMs: 2_500 },
    ...{ backoff: 4, latencyMs: 123, errors: 2, errorsSince: NOW, downs: 1, address: '10.1.2.3' },
    ...{ quotaDay: 20_605, fetchedToday: 12, newToday: 34, fetched: 56, failed: 7, bytes: 1e10 },
    ...{ authority: 0.5, flags: 3, quality: 0.8, inDomains: 12, hostClass: 'news' as const },
  };
}

export function robotsRecord(origin: string): RobotsRecord {
  const body = Buffer.from('User-agent: *\nDisallow: /ü\n');
  const times = { fetchedAt: NOW, expiresAt: NOW + 86_400_000 };
  return { origin, ...times, status: 200, body, tries: 1, problem: 'dns: nö such name' };
}

const SKETCH = Buffer.from([0, 1, 254, 255]);

export function storedHost() {
  return { record: busyHost(HOST), robots: [robotsRecord('http://h.example')], sketch: SKETCH };
}

/** Bytes as hex, whatever view an engine hands out. */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}

/** A visit's trace with one link. */
export function traceOf(target: string): Uint8Array {
  const columns = {
    targets: [target],
    texts: 'téxt',
    rels: { 0: 'nofollow' },
    kinds: { 0: 'area' },
  };
  return encodeTrace({ server: 'x' }, columns);
}

export type Store = ShardStore & Records;

export interface OpenShardStore {
  readonly store: Store;
  /** Closes the store and opens it again over the same rows. */
  readonly reopen?: () => Promise<Store>;
  /** Makes the engine fail from now on, and answers with how to end that. */
  readonly breakDown?: () => Promise<() => Promise<void>>;
}

export type OpenShardStores = () => Promise<OpenShardStore>;

/** A store to use and close. */
export async function using(
  open: OpenShardStores,
  use: (store: Store) => Promise<void>,
): Promise<void> {
  const { store } = await open();
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
