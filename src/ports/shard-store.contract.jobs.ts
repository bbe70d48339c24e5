/** Promises 13 and 14 of the `ShardStore` port: the shelf, what is forgotten, and whose it is. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { blankRecord, FLAGS, type Waiting } from '../record/index.ts';
import { type JobCounts, NO_COUNTS } from './job-counts.ts';
import {
  admitting,
  HOST_KEY,
  NOW,
  namesOf,
  type OpenShardStores,
  plain,
  type Store,
  settling,
  urlOf,
  using,
  waitingFor,
} from './shard-store.contract.rows.ts';
import { type JobPlace, NOTHING } from './shard-store.ts';

const own = (name: string, job?: number) =>
  waitingFor(urlOf(name), 0.5, job === undefined ? {} : { job });

async function counted(store: Store, job: number, expected: Partial<JobCounts>): Promise<void> {
  assert.deepEqual((await store.jobs()).get(job), { ...NO_COUNTS, ...expected });
}

async function totalsOf(store: Store) {
  const { known, waiting, shelved, skipped } = await store.totals();
  return { known, waiting, shelved, skipped };
}

async function allOf(store: Store, job: number, where: JobPlace): Promise<string[]> {
  const urls: Waiting[] = [];
  for (let from: Buffer | undefined; ; ) {
    const step = await store.ofJob(job, where, from, 2);
    urls.push(...step.urls);
    if (step.next === undefined) return namesOf(urls).sort();
    from = step.next;
  }
}

export function shelvedAndForgotten(open: OpenShardStores): void {
  it('promise 13: a shelved URL is known and does not wait; unshelved, it waits where it was', () =>
    using(open, async (store) => {
      const [a, b] = [own('a', 3), own('b')];
      await store.commit(admitting([a, b]));
      await store.commit({ ...NOTHING, shelved: [a] });
      assert.deepEqual(namesOf(await store.waiting(HOST_KEY, undefined, 9)), [b.url]);
      assert.deepEqual((await store.commit(admitting([a]))).fresh, [false]);
      const [record] = await store.urls([a.key]);
      assert.deepEqual([record?.url, record?.state, record?.job], [a.url, 'queued', 3]);
      assert.deepEqual(await totalsOf(store), { known: 2, waiting: 1, shelved: 1, skipped: 0 });
      await counted(store, 3, { named: 1, held: 1 });
      const { unshelved } = await store.commit({ ...NOTHING, unshelved: [a] });
      assert.deepEqual(namesOf(unshelved), [a.url]);
      const back = (await store.waiting(HOST_KEY, undefined, 9)).find(({ url }) => url === a.url);
      assert.deepEqual(plain(back), plain(a));
      assert.deepEqual(await totalsOf(store), { known: 2, waiting: 2, shelved: 0, skipped: 0 });
      await counted(store, 3, { named: 1, waiting: 1 });
    }));

  it('promise 13: what is not there is not shelved, unshelved or forgotten, nor counted', () =>
    using(open, async (store) => {
      const [a, b, other] = [own('a', 3), own('b', 3), { ...own('a', 3), job: 4 }];
      await store.commit(admitting([a]));
      const before = await totalsOf(store);
      await store.commit({ ...NOTHING, shelved: [b], unshelved: [a, b], forgotten: [b, other] });
      await store.commit({ ...NOTHING, shelved: [{ ...a, rank: a.rank + 1 }] });
      assert.deepEqual(await totalsOf(store), before);
      await counted(store, 3, { named: 1, waiting: 1 });
      await store.commit({ ...NOTHING, settled: [settling(a)], change: { waiting: -1 } });
      await store.commit({ ...NOTHING, shelved: [a], forgotten: [a] });
      assert.equal((await store.urls([a.key]))[0]?.state, 'indexed');
      await counted(store, 3, { named: 1, fetched: 1 });
    }));

  it('promise 13: a forgotten URL, waiting, shelved or to be tried again, is new to whoever names it', () =>
    using(open, async (store) => {
      const [a, b, c] = [own('a', 3), own('b', 3), own('c', 3)];
      await store.commit(admitting([a, b, c]));
      await store.commit({ ...NOTHING, shelved: [b] });
      const failed = { state: 'retrying' as const, nextCrawlAt: NOW + 5, job: 3, failCount: 1 };
      await store.commit({
        ...NOTHING,
        settled: [settling(c, failed)],
        change: { waiting: -1, retrying: 1 },
      });
      await counted(store, 3, { named: 3, waiting: 1, held: 1, retrying: 1 });
      const again = { ...c, fails: 1, again: true };
      const requeued = [{ due: { at: NOW + 5, key: c.key }, waiting: again }];
      await store.commit({ ...NOTHING, requeued, change: { waiting: 1, retrying: -1 } });
      await counted(store, 3, { named: 3, waiting: 2, held: 1 });
      await store.commit({ ...NOTHING, forgotten: [a, b, again, a] });
      assert.deepEqual(await store.urls([a.key, b.key, c.key]), [undefined, undefined, undefined]);
      assert.deepEqual(await totalsOf(store), { known: 0, waiting: 0, shelved: 0, skipped: 0 });
      await counted(store, 3, { named: 3 });
      const later = [own('a', 5), own('b', 5), own('c')];
      assert.deepEqual((await store.commit(admitting(later))).fresh, [true, true, true]);
      await counted(store, 5, { named: 2, waiting: 2 });
      assert.equal((await store.waiting(HOST_KEY, undefined, 9)).length, 3);
    }));

  it('promise 13: forgotten and named again in one commit: it waits for the second', () =>
    using(open, async (store) => {
      const [a, later] = [own('a', 3), own('a', 5)];
      await store.commit(admitting([a]));
      const both = { ...admitting([later]), forgotten: [a] };
      assert.deepEqual((await store.commit(both)).fresh, [true]);
      assert.deepEqual(
        (await store.waiting(HOST_KEY, undefined, 9)).map(({ job }) => job),
        [5],
      );
      assert.deepEqual(await totalsOf(store), { known: 1, waiting: 1, shelved: 0, skipped: 0 });
    }));

  it('promise 13: an erased URL leaves the shelf, and its job', () =>
    using(open, async (store) => {
      const a = own('a', 3);
      await store.commit(admitting([a]));
      await store.commit({ ...NOTHING, shelved: [a] });
      const record = { ...blankRecord(a.url, NOW), state: 'skipped' as const, flags: FLAGS.erased };
      await store.commit({ ...NOTHING, erased: [{ key: a.key, record }] });
      assert.deepEqual(await allOf(store, 3, 'shelf'), []);
      assert.deepEqual(await totalsOf(store), { known: 1, waiting: 0, shelved: 0, skipped: 1 });
      await counted(store, 3, { named: 1, skipped: 1 });
      assert.deepEqual((await store.commit({ ...NOTHING, unshelved: [a] })).unshelved, []);
    }));

  ofJobs(open);
}

function ofJobs(open: OpenShardStores): void {
  it('promise 14: the URLs of a job, in steps, wherever they are; not those of others', () =>
    using(open, async (store) => {
      const urls = ['a', 'b', 'c', 'd', 'e'].map((name) => own(name, 3));
      const others = [own('f', 4), own('g')];
      await store.commit(admitting([...urls, ...others]));
      await store.commit({ ...NOTHING, shelved: [...urls.slice(2), own('f', 4)] });
      assert.deepEqual(await allOf(store, 3, 'waiting'), namesOf(urls.slice(0, 2)));
      assert.deepEqual(await allOf(store, 3, 'shelf'), namesOf(urls.slice(2)));
      assert.deepEqual(await allOf(store, 0, 'waiting'), [urlOf('g')]);
      assert.deepEqual(await allOf(store, 4, 'shelf'), [urlOf('f')]);
    }));

  it('promise 14: counts are as exact after the store is opened again', async (t) => {
    const { store, reopen } = await open();
    if (reopen === undefined) {
      t.skip('this store forgets everything when it is closed, and says so');
      await store.close();
      return;
    }
    const [a, b, c] = [own('a', 3), own('b', 3), own('c')];
    await store.commit(admitting([a, b, c]));
    const settled = [{ ...settling(a), isAsked: true, bytes: 70 }, settling(c)];
    await store.commit({ ...NOTHING, settled, change: { waiting: -2, fetched: 2, bytes: 70 } });
    const before = await store.jobs();
    assert.deepEqual(before.get(0), { ...NO_COUNTS, named: 1, fetched: 1 });
    const counts = { named: 2, waiting: 1, asked: 1, fetched: 1, bytes: 70 };
    assert.deepEqual(before.get(3), { ...NO_COUNTS, ...counts });
    const again = await reopen();
    assert.deepEqual(await again.jobs(), before);
    await again.close();
  });
}
