/** Whole crawls in virtual time: hours pass in seconds, and every number is exact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ShardStore, WHOLE_CIRCLE } from '../../src/ports/shard-store.ts';
import { hostKeyOf, type UrlState } from '../../src/record/index.ts';
import { gaps, judge, openWeb, perAddressGaps } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';
import { simulate } from './local-crawl.ts';

const SIZE = { hosts: 50, pages: 2_000, skew: 0.4, bodyBytes: 2_000 } as const;
const SCOPE = { scope: 'any' } as const;

test('clock: sleepers wake in order, an abort wakes at once, and nobody waits for real', async () => {
  const clock = new VirtualClock(0);
  const woken: string[] = [];
  const abort = new AbortController();
  const sleep = async (name: string, at: number, signal?: AbortSignal) => {
    await clock.sleepUntil(at, signal);
    woken.push(`${name} at ${clock.now()}`);
  };
  const all = [sleep('hour', 3_600_000), sleep('b', 5), sleep('a', 3), sleep('b2', 5)];
  all.push(sleep('aborted', 10_000, abort.signal));
  all.push(sleep('past', 0));
  void clock.sleepUntil(4).then(() => abort.abort());
  await Promise.all(all);
  const expected = ['past at 0', 'a at 3', 'aborted at 4', 'b at 5', 'b2 at 5', 'hour at 3600000'];
  assert.deepEqual(woken, expected);
});

test('simulation: 2,000 pages at one request a second, exact in coverage and in turns', async (t) => {
  const web = openWeb({ seed: 31, ...SIZE });
  const { end, log, tookMs } = await simulate({ web, options: SCOPE });
  assert.equal(end, 'done');
  const truth = web.truth(SCOPE);
  const verdict = judge(web, log, truth);
  assert.deepEqual([verdict.missing, verdict.stray, verdict.trespass], [[], [], []]);
  assert.deepEqual(verdict.duplicates, []);
  assert.equal(verdict.fetched, verdict.expected);
  for (const gap of [...gaps(log), ...perAddressGaps(log)]) {
    assert.ok(gap.smallestMs >= 1_000, `${gap.of}: ${gap.smallestMs} ms`);
    assert.equal(gap.overlaps, 0);
  }
  t.diagnostic(`${log.length} requests in ${Math.round(tookMs / 60_000)} virtual minutes`);
});

test('simulation: a crawl ends with its last page, not a nap later', async () => {
  const web = openWeb({ seed: 33, ...SIZE, hosts: 3, pages: 30 });
  const { end, log, clock } = await simulate({ web, options: SCOPE });
  const { end: ends, count } = log.columns();
  assert.equal(end, 'done');
  const afterMs = clock.now() - Math.max(...ends.subarray(0, count));
  assert.ok(afterMs < 50, `${afterMs} ms after the last answer`);
});

test('simulation: Crawl-delay and Retry-After of a minute are kept to the millisecond', async () => {
  const web = openWeb({ seed: 32, ...SIZE, pages: 1_000, patienceSec: 60 });
  const delayed = web.hosts.filter((host) => host.robots === 'delayed' && host.size > 1);
  assert.ok(delayed.length > 0, 'this web has a Crawl-delay');
  const { log } = await simulate({ web, options: { ...SCOPE, patience: '10m' } });
  const byHost = new Map(gaps(log).map((gap) => [gap.of, gap]));
  for (const { name } of delayed) {
    const gap = byHost.get(name);
    if (gap === undefined || gap.requests < 2) continue;
    assert.ok(gap.smallestMs >= 60_000, `${name}: ${gap.smallestMs} ms`);
  }
  const verdict = judge(web, log, web.truth(SCOPE));
  assert.deepEqual([verdict.missing, verdict.trespass, verdict.duplicates], [[], [], []]);
});

test('simulation: the same seed gives the same crawl, another seed another order', async () => {
  const web = openWeb({ seed: 33, ...SIZE, pages: 600 });
  const run = async (seed: number) => {
    const { log } = await simulate({ web, seed, options: SCOPE });
    return [...log.requests()].map((row) => `${row.atMs} ${row.url}`);
  };
  const [first, second, other] = [await run(1), await run(1), await run(2)];
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
  const urls = (rows: readonly string[]) => rows.map((row) => row.split(' ')[1]).sort();
  assert.deepEqual(urls(first), urls(other), 'the same pages in another order');
});

test('simulation: days of retries, and the totals are still what a scan counts', async () => {
  const web = openWeb({ seed: 34, hosts: 30, pages: 400, features: 'hostile', bodyBytes: 2_000 });
  const options = {
    ...SCOPE,
    patience: '12h',
    maxTime: '2d',
    maxPagesPerHost: 60,
    depth: 8,
  } as const;
  const { store, end } = await simulate({ web, options });
  assert.equal(end, 'time');
  const rows = await store.scan(undefined, 1_000_000);
  const queued = await waitingUrls(store);
  const counted = { known: rows.length, waiting: queued.size, retrying: 0 };
  const byState = { ...counted, fetched: 0, failed: 0, skipped: 0 };
  for (const { record } of rows) if (!queued.has(record.url)) byState[COUNTED[record.state]]++;
  const { known, waiting, retrying, fetched, failed, skipped } = await store.totals();
  assert.deepEqual({ known, waiting, retrying, fetched, failed, skipped }, byState);
});

type Counted = 'fetched' | 'failed' | 'skipped' | 'retrying';
const COUNTED = {
  ...{ indexed: 'fetched', dead: 'failed', failed: 'failed' },
  ...{ skipped: 'skipped', retrying: 'retrying' },
} as Readonly<Record<UrlState, Counted>>;

async function waitingUrls(store: ShardStore): Promise<Set<string>> {
  const urls = new Set<string>();
  for await (const hosts of store.hosts(WHOLE_CIRCLE)) {
    for (const { host } of hosts) {
      const rows = await store.waiting(hostKeyOf(host), undefined, 1_000_000);
      for (const { url } of rows) urls.add(url);
    }
  }
  return urls;
}
