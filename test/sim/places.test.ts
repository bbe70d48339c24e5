/** Pages that wait for a slow store do not keep others from being fetched, and no more than that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBlobStore, MemoryShardStore } from '../../src/adapters/memory/index.ts';
import type { SettingOptions } from '../../src/config/index.ts';
import type { Http } from '../../src/ports/http.ts';
import { gaps, judge, openWeb } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';
import { simulate } from './local-crawl.ts';

const CONCURRENCY = 8;
const COMMIT_MS = 400;
/** A commit's worth of pages; four of them may wait. */
const PAGES_AHEAD = 4;
const CREDIT = 4 * PAGES_AHEAD;
const FREE = { scope: 'any', rate: 'max', allowPrivate: true, concurrency: CONCURRENCY } as const;

/** The same web, with a store that takes its time. */
async function crawl(pagesAhead: number | undefined, options: SettingOptions) {
  const web = openWeb({ seed: 36, hosts: 40, pages: 600, bodyBytes: 1_000, features: 'plain' });
  const clock = new VirtualClock();
  const store = new MemoryShardStore();
  const commit = store.commit.bind(store);
  store.commit = async (one) => {
    await clock.sleepUntil(clock.now() + COMMIT_MS);
    return commit(one);
  };
  const most = { requests: 0, visits: 0 };
  let open = 0;
  let visits = () => 0;
  const counted = (http: Http): Http => ({
    ...http,
    exchange: async (request, signal) => {
      most.requests = Math.max(most.requests, ++open);
      most.visits = Math.max(most.visits, visits());
      return http.exchange(request, signal).finally(() => open--);
    },
  });
  const blobs = Object.assign(new MemoryBlobStore(), pagesAhead && { pagesAhead });
  const sim = await simulate({
    ...{ web, clock, store, blobs, options },
    outside: ({ http, resolver }) => ({ http: counted(http), resolver }),
    onNode: ({ worker }) => {
      visits = () => worker.openVisits;
    },
  });
  return { ...sim, most, verdict: judge(web, sim.log, web.truth({ scope: 'any' })) };
}

test('a store that takes its time: fetching goes on, within the places and the credit', async (t) => {
  const kept = await crawl(undefined, FREE);
  const given = await crawl(PAGES_AHEAD, FREE);
  for (const { end, verdict } of [kept, given]) {
    assert.equal(end, 'done');
    assert.deepEqual([verdict.missing, verdict.stray, verdict.duplicates], [[], [], []]);
  }
  assert.ok(kept.most.visits <= CONCURRENCY);
  assert.ok(given.most.requests <= CONCURRENCY, `${given.most.requests} requests at once`);
  assert.ok(given.most.visits > CONCURRENCY, 'pages wait without a place');
  assert.ok(given.most.visits <= CONCURRENCY + CREDIT, `${given.most.visits} visits`);
  t.diagnostic(`${Math.round(kept.tookMs)} ms, on credit ${Math.round(given.tookMs)} ms`);
  assert.ok(given.tookMs < 0.6 * kept.tookMs);
});

test('on credit: a limit of pages holds exactly, what waits for its commit counts', async () => {
  const { end, store } = await crawl(PAGES_AHEAD, { ...FREE, limit: 100 });
  assert.equal(end, 'pages');
  assert.equal((await store.totals()).asked, 100);
});

test('on credit: a host is not asked again before its page is durable', async () => {
  const { log, verdict } = await crawl(PAGES_AHEAD, { scope: 'any', delay: '100ms' });
  assert.deepEqual([verdict.missing, verdict.duplicates], [[], []]);
  for (const { of, smallestMs, overlaps } of gaps(log)) {
    assert.equal(overlaps, 0, of);
    assert.ok(smallestMs >= COMMIT_MS, `${of}: ${smallestMs} ms`);
  }
});
