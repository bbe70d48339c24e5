/**
 * The graph of hosts, renewed from the store: hosts that were not visited since the last time
 * keep their row, the pages of the others are read again.
 *
 *   hosts, in key order ──┬── visited since ──→ its pages, with links ──→ HostTally ──→ row
 *   the last graph ───────┴── not visited ─────────────────────────────────────────────→ row
 *
 * Memory: one host's targets (at most 65,536) and a batch of its pages.
 */
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { RunFiles } from '../ports/run-files.ts';
import { type ShardStore, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { decodeHostLinks, HostTally } from '../quality/index.ts';
import { type HostRecord, hostKeyOf, URL_KEY_BYTES, type UrlKey } from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import { RowWriter, readRows } from './rank-rows.ts';

export interface RankPorts {
  readonly store: ShardStore;
  readonly records: Records;
  readonly files: RunFiles;
  readonly clock: Clock;
}

export const GRAPH = 'graph';
const PAGES_PER_READ = 128;

/** How much of the time the job may take: 1 when nobody else needs it. */
export type Share = number;

export interface Pace {
  readonly share: Share;
  /** Aborted, the job ends at the next batch. */
  readonly signal: AbortSignal | undefined;
}

export interface Renewed {
  readonly hosts: number;
  /** Hosts whose pages were read. */
  readonly renewed: number;
  readonly pages: number;
}

export async function renewGraph(ports: RankPorts, pace: Pace): Promise<Renewed> {
  const last = readRows(ports.files, GRAPH);
  const writer = await RowWriter.open(ports.files, GRAPH);
  try {
    const renewed = await writeRows(ports, pace, last, writer);
    await writer.done();
    return renewed;
  } catch (error) {
    await writer.cancel();
    throw error;
  } finally {
    await last.return(undefined);
  }
}

async function writeRows(
  ports: RankPorts,
  pace: Pace,
  last: AsyncGenerator<Buffer>,
  writer: RowWriter,
): Promise<Renewed> {
  const count = { hosts: 0, renewed: 0, pages: 0 };
  let known = await last.next();
  for await (const hosts of ports.store.hosts(WHOLE_CIRCLE)) {
    for (const host of hosts) {
      const key = hostKeyOf(host.host);
      while (!known.done && known.value.compare(key, 0, key.length, 0, key.length) < 0) {
        known = await last.next();
      }
      count.hosts++;
      if (!known.done && isSame(known.value, host)) {
        await writer.add(known.value);
        continue;
      }
      count.renewed++;
      count.pages += await tally(host, ports, pace, writer);
    }
  }
  return count;
}

function isSame(row: Buffer, host: HostRecord): boolean {
  const { key, visitedUpTo } = decodeHostLinks(row);
  return key.equals(hostKeyOf(host.host)) && visitedUpTo === host.lastFetchAt;
}

/** Reads the pages of one host; answers how many there were. */
async function tally(
  { host, lastFetchAt }: HostRecord,
  { records, clock }: RankPorts,
  pace: Pace,
  writer: RowWriter,
): Promise<number> {
  const found = new HostTally(host);
  let pages = 0;
  let after: UrlKey = firstKeyOf(host);
  for (let isMore = lastFetchAt > 0; isMore; ) {
    const startedAt = clock.now();
    const batch = await records.visited(after, PAGES_PER_READ);
    for (const { key, record, links } of batch) {
      after = key;
      isMore = key.compare(hostKeyOf(host), 0, 8, 0, 8) === 0;
      if (!isMore) break;
      // Hosts of one name on several ports lie mixed.
      if (hostOf(record.url) !== host) continue;
      found.add(record, links);
      pages++;
    }
    if (batch.length < PAGES_PER_READ) isMore = false;
    await rest(clock, clock.now() - startedAt, pace);
  }
  await writer.add(found.row(lastFetchAt));
  return pages;
}

function firstKeyOf(host: string): UrlKey {
  const key = Buffer.alloc(URL_KEY_BYTES);
  key.set(hostKeyOf(host).subarray(0, 8));
  return key;
}

/** A job inside a crawl leaves the rest of the time to the crawl. */
export async function rest(clock: Clock, tookMs: number, pace: Pace): Promise<void> {
  const { share, signal } = pace;
  signal?.throwIfAborted();
  if (share >= 1) return;
  await clock.sleepUntil(clock.now() + Math.max(1, tookMs * (1 / share - 1)), signal);
}
