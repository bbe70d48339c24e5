/**
 * The promises of the `ShardStore` port and of `Records`, proved of any adapter.
 *
 *   shardStoreContract('memory', async () => ({ store: new MemoryShardStore() }))
 *
 * An adapter that keeps things on disk also says how to open it again (promise 2), and one that
 * can be made to fail says how (promise 6). kill -9 is for the adapter's own test.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CrawlError } from '../base/errors.ts';
import { seededRandom } from '../base/random.ts';
import {
  blankHost,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import { arcOf } from '../url/index.ts';
import { recordsPromises } from './records.contract.ts';
import { erasedIsGone } from './shard-store.contract.erase.ts';
import { shelvedAndForgotten } from './shard-store.contract.jobs.ts';
import {
  admitting,
  busyHost,
  HOST,
  HOST_KEY,
  NOW,
  namesOf,
  type OpenShardStores,
  plain,
  robotsRecord,
  type Store,
  settling,
  storedHost,
  traceOf,
  urlOf,
  using,
  waitingFor,
} from './shard-store.contract.rows.ts';

export type { OpenShardStore, OpenShardStores } from './shard-store.contract.rows.ts';

import { NO_TOTALS, NOTHING, WHOLE_CIRCLE } from './shard-store.ts';

export function shardStoreContract(name: string, open: OpenShardStores): void {
  describe(`${name} shard-store`, () => {
    newOnce(open);
    whole(open);
    waitingInOrder(open);
    dueInOrder(open);
    redatedIsDueOnce(open);
    hostsAsCommitted(open);
    movedWaitsOnce(open);
    erasedIsGone(open);
    failsAsWhole(open);
    shelvedAndForgotten(open);
    recordsPromises(open);
  });
}

// ---- the promises -----------------------------------------------------------------------

function newOnce(open: OpenShardStores): void {
  it('promise 1: a URL admitted again, in another commit, is not new', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      assert.deepEqual((await store.commit(admitting([url]))).fresh, [true]);
      assert.deepEqual((await store.commit(admitting([url]))).fresh, [false]);
      assert.equal((await store.waiting(HOST_KEY, undefined, 10)).length, 1);
    }));

  it('promise 1: a URL named twice in one commit is new once, whatever the filter says', () =>
    using(open, async (store) => {
      const [a, b] = [waitingFor(urlOf('a')), waitingFor(urlOf('b'))];
      const admitted = [a, b, a].map((waiting) => ({ waiting, maybeKnown: false }));
      assert.deepEqual((await store.commit({ ...NOTHING, admitted })).fresh, [true, true, false]);
      assert.equal((await store.waiting(HOST_KEY, undefined, 10)).length, 2);
    }));

  it('promise 1: a known URL named again with a better priority keeps its place', () =>
    using(open, async (store) => {
      await store.commit(admitting([waitingFor(urlOf(1), 0.2)]));
      const { fresh } = await store.commit(admitting([waitingFor(urlOf(1), 0.9)]));
      assert.deepEqual(fresh, [false]);
      const [only, ...rest] = await store.waiting(HOST_KEY, undefined, 10);
      assert.deepEqual([only?.priority, rest.length], [0.2, 0]);
    }));

  it('promise 1: two commits at once, one new', () =>
    using(open, async (store) => {
      const urls = Array.from({ length: 50 }, (_, n) => waitingFor(urlOf(n)));
      const both = await Promise.all([
        store.commit(admitting(urls)),
        store.commit(admitting(urls)),
      ]);
      const times = urls.map((_, i) => both.filter(({ fresh }) => fresh[i]).length);
      assert.deepEqual(new Set(times), new Set([1]));
      assert.equal((await store.totals()).known, 50);
    }));

  it('promise 1: a settled URL is not new', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      await store.commit(admitting([url]));
      await store.commit({ ...NOTHING, settled: [settling(url)] });
      assert.deepEqual((await store.commit(admitting([url]))).fresh, [false]);
      assert.deepEqual(await store.waiting(HOST_KEY, undefined, 10), []);
    }));
}

function whole(open: OpenShardStores): void {
  it('promise 2: everything of a commit is there when it is opened again', async (t) => {
    const { store, reopen } = await open();
    if (reopen === undefined) {
      t.skip('this store forgets everything when it is closed, and says so');
      await store.close();
      return;
    }
    const [page, link] = [waitingFor(urlOf('page')), waitingFor(urlOf('link'), 0.3)];
    await store.commit(admitting([page]));
    const settled = [settling(page, { nextCrawlAt: NOW + 5 })];
    const robots = [{ host: HOST_KEY, records: [robotsRecord('http://h.example')] }];
    const sketches = [{ host: HOST_KEY, bytes: storedHost().sketch }];
    const rest = { hosts: [busyHost(HOST)], robots, sketches, change: { fetched: 1, waiting: -1 } };
    await store.commit({
      ...{ ...NOTHING, ...rest, settled },
      admitted: admitting([link]).admitted,
    });
    const again = await reopen();
    assert.deepEqual(namesOf(await again.waiting(HOST_KEY, undefined, 10)), [link.url]);
    assert.deepEqual((await again.urls([page.key]))[0]?.title, 'A title — with ünïcode');
    assert.deepEqual(await again.due(NOW + 5, 10), [{ at: NOW + 5, key: page.key }]);
    assert.deepEqual(plain(await again.host(HOST_KEY)), plain(storedHost()));
    const expected = { ...NO_TOTALS, known: 2, waiting: 1, fetched: 1 };
    assert.deepEqual(await again.totals(), expected);
    assert.deepEqual((await again.commit(admitting([page, link]))).fresh, [false, false]);
    await again.close();
  });
}

function waitingInOrder(open: OpenShardStores): void {
  it('promise 3: waiting URLs come best first, first come first served among equals', () =>
    using(open, async (store) => {
      const late = waitingFor(urlOf('late'), 0.5, { rank: rankOf(0.5, NOW + 60_000) });
      const urls = [waitingFor(urlOf('low'), 0.1), late, waitingFor(urlOf('high'), 0.9)];
      await store.commit(admitting([...urls, waitingFor(urlOf('early'), 0.5)]));
      const found = namesOf(await store.waiting(HOST_KEY, undefined, 10));
      assert.deepEqual(found, ['high', 'early', 'late', 'low'].map(urlOf));
    }));

  it('promise 3: read in pieces, each waiting URL comes once, equal ranks included', () =>
    using(open, async (store) => {
      const random = seededRandom('waiting');
      const urls = Array.from({ length: 100 }, (_, n) =>
        waitingFor(urlOf(n), Math.floor(random.next() * 4) / 4),
      );
      await store.commit(admitting(urls));
      const whole = namesOf(await store.waiting(HOST_KEY, undefined, 1_000));
      const pieces: Waiting[] = [];
      for (let last: Waiting | undefined; ; last = pieces.at(-1)) {
        const piece = await store.waiting(HOST_KEY, last, 7);
        assert.ok(piece.length <= 7);
        pieces.push(...piece);
        if (piece.length === 0) break;
      }
      assert.deepEqual(namesOf(pieces), whole);
      assert.deepEqual([...whole].sort(), namesOf(urls).sort());
    }));

  it('promise 3: a place whose URL is gone is still a place to read on from', () =>
    using(open, async (store) => {
      const [a, b] = [waitingFor(urlOf('a'), 0.9), waitingFor(urlOf('b'), 0.1)];
      await store.commit(admitting([a, b]));
      await store.commit({ ...NOTHING, settled: [settling(a)] });
      assert.deepEqual(namesOf(await store.waiting(HOST_KEY, a, 10)), [b.url]);
    }));

  it('promise 3: hosts and ports do not see each other, and every field comes back', () =>
    using(open, async (store) => {
      const far = { parent: urlKeyOf('http://other.example/'), fails: 3, again: true };
      const one = waitingFor('http://h.example:8080/a', 0.7, { kind: 'sitemap', ...far });
      const near = waitingFor(urlOf('near'), 0.7, { parent: urlKeyOf(urlOf('parent')) });
      const seed = waitingFor('http://seed.example/', 1, { parent: Buffer.from(NO_BYTES) });
      await store.commit(admitting([one, near, seed]));
      const read = async (host: string) => store.waiting(hostKeyOf(host), undefined, 10);
      assert.deepEqual((await read('h.example:8080')).map(plain), [plain(one)]);
      assert.deepEqual((await read('h.example')).map(plain), [plain(near)]);
      assert.deepEqual((await read('seed.example')).map(plain), [plain(seed)]);
      assert.deepEqual(await read('nobody.example'), []);
    }));

  it('promise 3: a URL that is settled in the commit that names it again waits no longer', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      await store.commit(admitting([url]));
      const { admitted } = admitting([url]);
      const { fresh } = await store.commit({ ...NOTHING, settled: [settling(url)], admitted });
      assert.deepEqual(fresh, [false]);
      assert.deepEqual(await store.waiting(HOST_KEY, undefined, 10), []);
    }));
}

function dueInOrder(open: OpenShardStores): void {
  it('promise 4: what is due comes earliest first, and nothing that is not', () =>
    using(open, async (store) => {
      const hosts = Array.from({ length: 40 }, (_, n) => `http://d${n}.example/`);
      const urls = hosts.map((url) => waitingFor(url));
      await store.commit(admitting(urls));
      const at = (i: number) => NOW + ((i * 17) % 40) * 1_000;
      const settled = urls.map((url, i) => settling(url, { nextCrawlAt: at(i) }));
      await store.commit({ ...NOTHING, settled });
      const due = await store.due(NOW + 20_000, 1_000);
      assert.deepEqual(
        due.map((d) => d.at - NOW),
        Array.from({ length: 21 }, (_, i) => i * 1_000),
      );
      assert.deepEqual(await store.due(NOW + 20_000, 5), due.slice(0, 5));
      assert.deepEqual(await store.due(NOW - 1, 5), []);
      const names = new Set(urls.map(({ key }) => key.toString('hex')));
      assert.ok(due.every(({ key }) => names.has(Buffer.from(key).toString('hex'))));
    }));

  it('promise 4: a URL without a next visit is never due', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      await store.commit(admitting([url]));
      await store.commit({ ...NOTHING, settled: [settling(url, { nextCrawlAt: 0 })] });
      assert.deepEqual(await store.due(NOW * 2, 10), []);
    }));

  it('promise 4: a URL that is queued again waits, is due no longer, and keeps its record', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      await store.commit(admitting([url]));
      await store.commit({ ...NOTHING, settled: [settling(url, { nextCrawlAt: NOW + 1 })] });
      const [due] = await store.due(NOW + 1, 10);
      assert.ok(due !== undefined);
      const waiting = waitingFor(url.url, 0.5, { rank: rankOf(0.5, NOW + 9_999), again: true });
      await store.commit({ ...NOTHING, requeued: [{ due, waiting }] });
      assert.deepEqual(await store.due(NOW + 1, 10), []);
      assert.deepEqual((await store.waiting(HOST_KEY, undefined, 10)).map(plain), [plain(waiting)]);
      assert.equal((await store.urls([url.key]))[0]?.state, 'indexed');
      await store.commit({ ...NOTHING, settled: [settling(waiting, { nextCrawlAt: NOW + 7 })] });
      assert.deepEqual(await store.waiting(HOST_KEY, undefined, 10), []);
      assert.deepEqual(
        (await store.due(NOW + 9, 10)).map(({ at }) => at),
        [NOW + 7],
      );
    }));

  it('promise 4: of the arcs that are named, and of no other', () =>
    using(open, async (store) => {
      const urls = Array.from({ length: 20 }, (_, n) => waitingFor(`http://h${n}.example/`));
      const settled = urls.map((url, n) => settling(url, { nextCrawlAt: NOW + n }));
      await store.commit({ ...admitting(urls), settled });
      const arcs = urls.slice(0, 7).map(({ key }) => arcOf(key));
      const due = await store.due(NOW + 100, 1_000, undefined, arcs);
      const expected = urls.filter(({ key }) => arcs.includes(arcOf(key)));
      assert.deepEqual(plain(due.map(({ key }) => key)), plain(expected.map(({ key }) => key)));
      assert.deepEqual(await store.due(NOW + 100, 1_000, undefined, []), []);
    }));
}

function redatedIsDueOnce(open: OpenShardStores): void {
  const dues = async (store: Store) => (await store.due(NOW + 1_000, 10)).map(({ at }) => at - NOW);

  it('promise 4: a redated URL is due once, at its new instant, or never', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      await store.commit(admitting([url]));
      const trace = traceOf('http://a.example/');
      const settled = [settling(url, { nextCrawlAt: NOW + 7 }, trace)];
      await store.commit({ ...NOTHING, settled });
      const { key } = url;
      const redate = (at: number, to: number) =>
        store.commit({ ...NOTHING, redated: [{ due: { at, key }, to }] });
      await redate(NOW + 7, NOW + 3);
      assert.deepEqual(await dues(store), [3]);
      assert.equal((await store.urls([key]))[0]?.nextCrawlAt, NOW + 3);
      assert.equal((await store.trace(key))?.links.length, 1, 'the rest of it stays');
      await redate(NOW + 7, NOW + 1);
      assert.deepEqual(await dues(store), [3], 'what was redated meanwhile is left alone');
      await redate(NOW + 3, 0);
      assert.deepEqual(await dues(store), []);
      await redate(0, NOW + 2);
      assert.deepEqual(await dues(store), [2]);
      assert.deepEqual(await store.due(NOW + 2, 10, NOW + 3), []);
      assert.equal((await store.due(NOW + 2, 10, NOW + 2)).length, 1);
    }));

  it('promise 4: a URL that waits, again or for the first time, is not redated', () =>
    using(open, async (store) => {
      const [url, fresh] = [waitingFor(urlOf(1)), waitingFor(urlOf(2))];
      await store.commit(admitting([url, fresh]));
      await store.commit({ ...NOTHING, settled: [settling(url, { nextCrawlAt: NOW + 1 })] });
      const [due] = await store.due(NOW + 1, 10);
      assert.ok(due !== undefined);
      const waiting = waitingFor(url.url, 0.5, { rank: rankOf(0.5, NOW + 9_999), again: true });
      await store.commit({ ...NOTHING, requeued: [{ due, waiting }] });
      const redated = [
        { due: { at: NOW + 1, key: url.key }, to: NOW + 2 },
        { due: { at: 0, key: fresh.key }, to: NOW + 2 },
      ];
      await store.commit({ ...NOTHING, redated });
      assert.deepEqual(await dues(store), []);
    }));
}

async function hostsOf(store: Store, from: number, to: number): Promise<HostRecord[]> {
  const found: HostRecord[] = [];
  for await (const chunk of store.hosts({ from, to })) found.push(...chunk);
  return found;
}

function hostsAsCommitted(open: OpenShardStores): void {
  it('promise 5: a host comes back as it was last committed, robots and sketch with it', () =>
    using(open, async (store) => {
      await store.commit({ ...NOTHING, hosts: [blankHost(HOST)] });
      assert.deepEqual((await store.host(HOST_KEY))?.robots, []);
      const robots = [{ host: HOST_KEY, records: storedHost().robots }];
      const sketches = [{ host: HOST_KEY, bytes: storedHost().sketch }];
      await store.commit({ ...NOTHING, hosts: [busyHost(HOST)], robots, sketches });
      assert.deepEqual(plain(await store.host(HOST_KEY)), plain(storedHost()));
      assert.equal(await store.host(hostKeyOf('nobody.example')), undefined);
    }));

  it('promise 5: of a host named twice in one commit the last record holds', () =>
    using(open, async (store) => {
      await store.commit({ ...NOTHING, hosts: [blankHost(HOST), busyHost(HOST)] });
      assert.deepEqual(await hostsOf(store, 0, 255), [busyHost(HOST)]);
    }));

  it('promise 5: every host of a range comes once, and no other', () =>
    using(open, async (store) => {
      const names = Array.from({ length: 2_500 }, (_, n) => `h${n}.example${n % 5 ? '' : ':81'}`);
      await store.commit({ ...NOTHING, hosts: names.map(blankHost) });
      const { from, to } = WHOLE_CIRCLE;
      const all = (await hostsOf(store, from, to)).map(({ host }) => host);
      const inOrder = [...names].sort((a, b) => hostKeyOf(a).compare(hostKeyOf(b)));
      assert.deepEqual(all, inOrder);
      const isIn = (name: string) => (hostKeyOf(name)[0] as number) >= 100;
      const upper = (await hostsOf(store, 100, 255)).map(({ host }) => host);
      assert.deepEqual(upper.sort(), names.filter(isIn).sort());
      const lower = await hostsOf(store, 0, 99);
      assert.equal(lower.length + upper.length, names.length);
    }));
}

function movedWaitsOnce(open: OpenShardStores): void {
  it('promise 6: a moved URL waits once, at its new place, and is found by its name', () =>
    using(open, async (store) => {
      const [from, other] = [waitingFor(urlOf(1), 0.2), waitingFor(urlOf(2), 0.5)];
      await store.commit(admitting([from, other]));
      const to = waitingFor(urlOf(1), 0.9);
      await store.commit({ ...NOTHING, moved: [{ from, to }] });
      const waiting = await store.waiting(HOST_KEY, undefined, 10);
      assert.deepEqual(waiting.map(plain), [plain(to), plain(other)]);
      assert.equal((await store.urls([from.key]))[0]?.priority, 0.9);
      assert.deepEqual((await store.commit(admitting([from]))).fresh, [false]);
      await store.commit({ ...NOTHING, settled: [settling(to, {})] });
      assert.deepEqual((await store.waiting(HOST_KEY, undefined, 10)).map(plain), [plain(other)]);
    }));
}

function failsAsWhole(open: OpenShardStores): void {
  it('promise 9: a commit of an engine that fails rejects, and nothing of it is seen', async (t) => {
    const { store, breakDown } = await open();
    if (breakDown === undefined) t.skip('nothing in this store can be made to fail');
    else {
      const mend = await breakDown();
      const commit = { ...admitting([waitingFor(urlOf(1))]), hosts: [blankHost(HOST)] };
      await assert.rejects(store.commit(commit), CrawlError);
      await mend();
      assert.deepEqual(await store.waiting(HOST_KEY, undefined, 10), []);
      assert.deepEqual(await store.totals(), NO_TOTALS);
      assert.deepEqual((await store.commit(commit)).fresh, [true]);
    }
    await store.close();
  });
}
