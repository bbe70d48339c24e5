/** Promise 7 of the `ShardStore` port: what is left of a URL that was erased. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { blankRecord, FLAGS, type Waiting } from '../record/index.ts';
import {
  admitting,
  HOST_KEY,
  NOW,
  type OpenShardStores,
  type Store,
  settling,
  traceOf,
  urlOf,
  using,
  waitingFor,
} from './shard-store.contract.rows.ts';
import { NOTHING, type Totals } from './shard-store.ts';

function leftOf({ url, key }: Waiting) {
  const flags = FLAGS.erased | FLAGS.blocked;
  return { key, record: { ...blankRecord(url, NOW), state: 'skipped' as const, flags } };
}

async function visited(store: Store, url: Waiting, more = {}): Promise<void> {
  await store.commit(admitting([url]));
  const change = { waiting: -1, fetched: 1, ...more };
  const record = { nextCrawlAt: NOW + 5, flags: FLAGS.alias };
  await store.commit({
    ...NOTHING,
    settled: [settling(url, record, traceOf(url.url))],
    change: { ...change, copies: 1 },
  });
}

function countsOf({ known, waiting, fetched, skipped, copies }: Totals) {
  return { known, waiting, fetched, skipped, copies };
}

export function erasedIsGone(open: OpenShardStores): void {
  it('promise 7: a visited URL that is erased: its record, no trace, not due; others as they were', () =>
    using(open, async (store) => {
      const [a, b] = [waitingFor(urlOf('a')), waitingFor(urlOf('b'))];
      await visited(store, a);
      await visited(store, b);
      const { totals } = await store.commit({ ...NOTHING, erased: [leftOf(a)] });
      const counts = { known: 2, waiting: 0, fetched: 1, skipped: 1, copies: 1 };
      assert.deepEqual(countsOf(totals), counts);
      const [left, other] = await store.urls([a.key, b.key]);
      assert.deepEqual([left?.title, left?.state, left?.contentHash.length], ['', 'skipped', 0]);
      assert.equal(other?.state, 'indexed');
      assert.equal(await store.trace(a.key), undefined);
      assert.ok((await store.trace(b.key))?.links.length);
      assert.deepEqual(
        (await store.due(NOW + 10, 10)).map(({ key }) => key),
        [b.key],
      );
      assert.deepEqual(
        (await store.visited(undefined, 10)).map(({ links }) => links.length > 0).sort(),
        [false, true],
      );
      const again = await store.commit({ ...NOTHING, erased: [leftOf(a)] });
      assert.deepEqual(countsOf(again.totals), counts, 'once more changes nothing');
    }));

  it('promise 7: one that waits, waits on, and is counted as waiting', () =>
    using(open, async (store) => {
      const [a, b] = [waitingFor(urlOf('a')), waitingFor(urlOf('b'))];
      await store.commit(admitting([a]));
      await visited(store, b);
      const again = { ...b, again: true };
      await store.commit({
        ...NOTHING,
        requeued: [{ due: { at: NOW + 5, key: b.key }, waiting: again }],
        change: { waiting: 1, fetched: -1 },
      });
      const { totals } = await store.commit({ ...NOTHING, erased: [leftOf(a), leftOf(b)] });
      const counts = { known: 2, waiting: 2, fetched: 0, skipped: 0, copies: 0 };
      assert.deepEqual(countsOf(totals), counts);
      assert.equal((await store.waiting(HOST_KEY, undefined, 10)).length, 2);
      assert.equal((await store.urls([a.key]))[0]?.state, 'skipped');
    }));

  it('promise 8: an untraced URL has no trace of any visit, and is as it was otherwise', () =>
    using(open, async (store) => {
      const [a, b] = [waitingFor(urlOf('a')), waitingFor(urlOf('b'))];
      await visited(store, a);
      await visited(store, b);
      const before = await store.urls([a.key]);
      const counts = await store.totals();
      for (let times = 0; times < 2; times++) {
        await store.commit({ ...NOTHING, untraced: [a.key] });
        assert.equal(await store.trace(a.key), undefined);
        assert.ok(await store.trace(b.key));
        assert.deepEqual(await store.urls([a.key]), before);
        assert.equal((await store.due(NOW + 10, 10)).length, 2);
      }
      assert.deepEqual(await store.totals(), counts);
    }));
}
