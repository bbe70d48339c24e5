/**
 * A folder's store, opened as it is and counted through: what every kill must leave whole (F5).
 *
 * Works on a copy, so that the crawl which comes next meets the folder as the kill left it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engines, openEngines } from '../../src/compose.ts';
import type { ScannedUrl } from '../../src/ports/records.ts';
import { type Totals, WHOLE_CIRCLE } from '../../src/ports/shard-store.ts';
import {
  FLAGS,
  hostKeyOf,
  type UrlKey,
  type UrlState,
  type Waiting,
} from '../../src/record/index.ts';
import { hostOf } from '../../src/url/index.ts';
import { type Cleanup, scratch } from './place.ts';

export interface Inventory {
  readonly totals: Totals;
  readonly states: ReadonlyMap<string, UrlState>;
  readonly bodies: number;
}

const ROWS = 1_000;

/** Opens a copy of the folder, checks that everything in it agrees, and tells what is there. */
export async function inventoryOf(t: Cleanup, dir: string): Promise<Inventory> {
  const copy = join(await scratch(t), 'copy');
  await cp(dir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const engines = await openEngines(copy, { syncAlways: false, codec: 'none' });
  try {
    const urls = await allUrls(engines);
    const waiting = await allWaiting(engines);
    await checkWaiting(engines, waiting, urls);
    const totals = await engines.store.totals();
    checkTotals(totals, urls, waiting);
    const bodies = await readBodies(engines, urls);
    const states = new Map(urls.map(({ record }) => [record.url, record.state]));
    return { totals, states, bodies };
  } finally {
    await engines.close();
  }
}

async function allUrls({ store }: Engines): Promise<ScannedUrl[]> {
  const urls: ScannedUrl[] = [];
  for (let after: UrlKey | undefined; ; ) {
    const rows = await store.scan(after, ROWS);
    if (rows.length === 0) return urls;
    urls.push(...rows);
    after = rows[rows.length - 1]?.key;
  }
}

async function allWaiting({ store }: Engines): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for await (const hosts of store.hosts(WHOLE_CIRCLE)) {
    for (const { host } of hosts) {
      for (let after: Waiting | undefined; ; ) {
        const rows = await store.waiting(hostKeyOf(host), after, ROWS);
        waiting.push(...rows);
        after = rows[rows.length - 1];
        if (after === undefined) break;
      }
    }
  }
  return waiting;
}

/** Every waiting row is of a known URL, once, on its own host, and found where it is queued. */
async function checkWaiting(
  { store }: Engines,
  waiting: readonly Waiting[],
  urls: readonly ScannedUrl[],
): Promise<void> {
  const known = new Map(urls.map(({ record }) => [record.url, record]));
  const records = await store.urls(waiting.map((row) => row.key));
  for (const [i, row] of waiting.entries()) {
    assert.equal(records[i]?.url, row.url, 'a waiting URL is known by its key');
    assert.ok(known.has(row.url), `a scan meets ${row.url}`);
  }
  assert.equal(new Set(waiting.map((row) => row.url)).size, waiting.length, 'a URL waits once');
  const hosts = new Set(waiting.map((row) => hostOf(row.url)));
  for (const host of hosts) assert.ok(await store.host(hostKeyOf(host)), `${host} has a row`);
}

const COUNTED: Readonly<Record<string, readonly UrlState[]>> = {
  ...{ fetched: ['indexed'], failed: ['failed', 'dead'] },
  ...{ skipped: ['skipped'], retrying: ['retrying'] },
};

function checkTotals(
  totals: Totals,
  urls: readonly ScannedUrl[],
  waiting: readonly Waiting[],
): void {
  const queued = new Set(waiting.map((row) => row.url));
  const counts: Record<string, number> = { known: urls.length, waiting: waiting.length };
  for (const [name, states] of Object.entries(COUNTED)) {
    const rows = urls.filter(({ record }) => states.includes(record.state));
    counts[name] = rows.filter(({ record }) => !queued.has(record.url)).length;
  }
  const told = Object.fromEntries(Object.keys(counts).map((k) => [k, totals[k as keyof Totals]]));
  assert.deepEqual(told, counts, 'the totals are what a scan counts');
}

async function readBodies({ blobs }: Engines, urls: readonly ScannedUrl[]): Promise<number> {
  const hashes = new Map<string, Uint8Array>();
  for (const { record } of urls) {
    if (record.contentHash.length === 0) continue;
    // A page that nearly repeats another is not stored again (C2).
    if ((record.flags & FLAGS.near_duplicate) !== 0) continue;
    hashes.set(Buffer.from(record.contentHash).toString('hex'), record.contentHash);
  }
  for (const [name, hash] of hashes) {
    const body = await blobs.get(hash);
    assert.ok(body, `the body ${name} is there`);
    assert.equal(createHash('sha256').update(body).digest('hex'), name);
  }
  return hashes.size;
}
