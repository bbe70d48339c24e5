/** A small web in a store, for tests of the rating job: hosts, their pages, and where they link. */
import { MemoryRunFiles } from '../adapters/memory/run-files.ts';
import { MemoryShardStore } from '../adapters/memory/shard-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { NOTHING, type ShardStore, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { claimOf, priorityOf } from '../quality/index.ts';
import {
  blankHost,
  blankRecord,
  encodeTrace,
  FLAGS,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  quantised,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import type { RankPorts } from './rank-graph.ts';

export const NOW = Date.UTC(2027, 0, 10);
export const RULES = { denies: true, trusted: new Set<string>() };

export type TestStore = ShardStore & Records;

export function portsFor(store: TestStore = new MemoryShardStore()): RankPorts {
  const clock: Clock = { now: () => NOW, sleepUntil: async () => {} };
  return { store, records: store, files: new MemoryRunFiles(), clock };
}

export function waitingUrl(url: string, context = 200, authority = 0.5): Waiting {
  const claim = claimOf({ context, depth: 2, parentPriority: 0.6 });
  const priority = quantised(priorityOf(claim, authority));
  const rest = { kind: 'page', depth: 2, hops: 0, outside: 0, fails: 0, again: false } as const;
  const rank = rankOf(priority, NOW - 1_000_000);
  return { key: urlKeyOf(url), url, rank, priority, claim, parent: NO_BYTES, ...rest };
}

/** Pages that were visited: what each is, and the URLs it links to. */
export type Visited = Readonly<Record<string, readonly string[]>>;

/** Admits and settles the pages, as visits at `at` would. Linked URLs are not admitted. */
export async function visitAll(
  store: ShardStore,
  visited: Visited,
  at = NOW - 5_000,
  flags = 0,
): Promise<void> {
  const urls = Object.keys(visited);
  const hosts = new Set(urls.map(hostOf));
  const admitted = urls.map((url) => ({ waiting: waitingUrl(url), maybeKnown: true }));
  const records = [...hosts].map((host): HostRecord => ({ ...blankHost(host), lastFetchAt: at }));
  await store.commit({ ...NOTHING, admitted, hosts: records });
  const settled = urls.map((url) => ({
    waiting: waitingUrl(url),
    record: { ...blankRecord(url, at), state: 'indexed' as const, lastFetchedAt: at, flags },
    trace: traceOf(visited[url] ?? []),
  }));
  await store.commit({ ...NOTHING, settled });
}

function traceOf(targets: readonly string[]): Uint8Array {
  const texts = targets.map(() => 'a link in the text').join('\n');
  return encodeTrace({}, { targets, texts, rels: {}, kinds: {} });
}

export async function queueAll(store: ShardStore, urls: readonly Waiting[]): Promise<void> {
  const known = new Set((await hostsIn(store)).map(({ host }) => host));
  const fresh = [...new Set(urls.map(({ url }) => hostOf(url)))].filter((h) => !known.has(h));
  const admitted = urls.map((waiting) => ({ waiting, maybeKnown: true }));
  await store.commit({ ...NOTHING, admitted, hosts: fresh.map(blankHost) });
}

export async function hostsIn(store: ShardStore): Promise<HostRecord[]> {
  const found: HostRecord[] = [];
  for await (const hosts of store.hosts(WHOLE_CIRCLE)) found.push(...hosts);
  return found;
}

/** Everything that waits, best first within a host: `url priority`. */
export async function queueIn(store: ShardStore): Promise<string[]> {
  const found: string[] = [];
  for (const { host } of await hostsIn(store)) {
    const rows = await store.waiting(hostKeyOf(host), undefined, 1_000_000);
    found.push(...rows.map(({ url, priority }) => `${url} ${priority}`));
  }
  return found;
}

/** Host i of a test web; each has a domain of its own. */
export const hostOfIndex = (i: number): string => `host${i}.example${i}.com`;
export const pageOf = (i: number, page = 0): string => `http://${hostOfIndex(i)}/${page}`;

/** A web that shows everything: links, templates, spam, queued URLs. */
export async function mixedWeb(store: RankPorts['store']): Promise<void> {
  const pages: Record<string, string[]> = {};
  for (let i = 0; i < 40; i++) {
    for (let page = 0; page <= i % 4; page++) {
      pages[pageOf(i, page)] = [pageOf((i * 7 + page) % 40), pageOf((i * i) % 13), pageOf(0)];
    }
  }
  await visitAll(store, pages);
  const repeats = Array.from({ length: 400 }, (_, n) => [`http://spam.test/${n}`, []] as const);
  await visitAll(store, Object.fromEntries(repeats), NOW - 5_000, FLAGS.alias);
  const urls = Array.from({ length: 400 }, (_, n) => waitingUrl(pageOf(n % 45, 100 + n), n % 256));
  await queueAll(store, [...urls, ...[1, 2, 3].map((n) => waitingUrl(`http://spam.test/q${n}`))]);
}
