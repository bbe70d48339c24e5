/**
 * The promises of the `Records` port (7, 8) and the counts; part of shard-store.contract.ts,
 * because what is read here was written there.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { URL_KEY_BYTES, type UrlKey, type UrlRecord, urlKeyOf } from '../record/index.ts';
import {
  admitting,
  NOW,
  type OpenShardStores,
  plain,
  settling,
  traceOf,
  urlOf,
  using,
  visitedRecord,
  waitingFor,
} from './shard-store.contract.rows.ts';
import { NO_TOTALS, NOTHING } from './shard-store.ts';

export function recordsPromises(open: OpenShardStores): void {
  scansAll(open);
  traces(open);
  visits(open);
  counts(open);
}

function scansAll(open: OpenShardStores): void {
  const manyUrls = () =>
    Array.from({ length: 60 }, (_, n) => waitingFor(`http://s${n % 7}.example/${n}`));

  it('promise 10: read in pieces, every URL comes once, in key order, queued and visited', () =>
    using(open, async (store) => {
      const urls = manyUrls();
      await store.commit(admitting(urls));
      await store.commit({ ...NOTHING, settled: urls.slice(0, 20).map((url) => settling(url)) });
      const found: { key: UrlKey; record: UrlRecord }[] = [];
      for (;;) {
        const piece = await store.scan(found.at(-1)?.key, 7);
        assert.ok(piece.length <= 7);
        if (piece.length === 0) break;
        found.push(...piece);
      }
      const keys = found.map(({ key }) => key.toString('hex'));
      assert.deepEqual(keys, urls.map(({ key }) => key.toString('hex')).sort());
      assert.ok(found.every(({ key, record }) => key.equals(urlKeyOf(record.url))));
      assert.equal(found.filter(({ record }) => record.state === 'indexed').length, 20);
      assert.equal(found.filter(({ record }) => record.state === 'queued').length, 40);
    }));

  it('promise 10: a URL that is settled while it is scanned is met all the same', () =>
    using(open, async (store) => {
      const urls = manyUrls();
      await store.commit(admitting(urls));
      for (const url of urls) {
        const settled = [settling(url)];
        const [found] = await Promise.all([
          store.scan(undefined, 1_000),
          store.commit({ ...NOTHING, settled }),
        ]);
        assert.equal(found.length, urls.length);
      }
    }));

  it('promise 10: keys() gives the keys of scan(), flat, in pieces', () =>
    using(open, async (store) => {
      await store.commit(admitting(manyUrls()));
      const pieces: Buffer[] = [];
      for (let last: Buffer | undefined; ; last = pieces.at(-1)?.subarray(-URL_KEY_BYTES)) {
        const piece = await store.keys(last, 11);
        if (piece.length === 0) break;
        pieces.push(piece);
      }
      const scanned = (await store.scan(undefined, 1_000)).map(({ key }) => key);
      assert.deepEqual(Buffer.concat(pieces), Buffer.concat(scanned));
    }));

  it('promise 10: a record is found by key; a queued URL says when and by whom it was named', () =>
    using(open, async (store) => {
      const [queued, visited] = [waitingFor(urlOf('q'), 0.3), waitingFor(urlOf('v'))];
      await store.commit(admitting([queued, visited]));
      await store.commit({ ...NOTHING, settled: [settling(visited)] });
      const keys = [visited.key, urlKeyOf(urlOf('unknown')), queued.key];
      const [first, none, last] = await store.urls(keys);
      assert.deepEqual(plain(first), plain(visitedRecord(visited.url)));
      assert.equal(none, undefined);
      assert.deepEqual([last?.state, last?.url, last?.depth], ['queued', queued.url, 2]);
      assert.deepEqual(Buffer.from(last?.parent ?? []), Buffer.from(queued.parent));
      assert.ok(Math.abs((last?.firstSeenAt ?? 0) - NOW) < 1_000);
    }));
}

function traces(open: OpenShardStores): void {
  it('promise 11: the trace of the last visit that left one', () =>
    using(open, async (store) => {
      const url = waitingFor(urlOf(1));
      const again = { ...url, again: true };
      await store.commit(admitting([url]));
      assert.equal(await store.trace(url.key), undefined);
      await store.commit({
        ...NOTHING,
        settled: [settling(url, {}, traceOf('http://a.example/'))],
      });
      const link = { target: 'http://a.example/', text: 'téxt', rel: 'nofollow', kind: 'area' };
      assert.deepEqual(await store.trace(url.key), { headers: { server: 'x' }, links: [link] });
      await store.commit({ ...NOTHING, settled: [settling(again)] });
      assert.deepEqual((await store.trace(url.key))?.links, [link], 'kept when none is brought');
      await store.commit({
        ...NOTHING,
        settled: [settling(again, {}, traceOf('http://b.example/'))],
      });
      assert.equal((await store.trace(url.key))?.links[0]?.target, 'http://b.example/');
    }));
}

function visits(open: OpenShardStores): void {
  it('promise 12: read in pieces, every visited URL comes once, with the links of its last visit', () =>
    using(open, async (store) => {
      const urls = Array.from({ length: 40 }, (_, n) =>
        waitingFor(`http://s${n % 3}.example/${n}`),
      );
      await store.commit(admitting(urls));
      const trace = (n: number) => (n % 2 === 0 ? traceOf(`http://to.example/${n}`) : undefined);
      const settled = urls.slice(0, 30).map((url, n) => settling(url, {}, trace(n)));
      await store.commit({ ...NOTHING, settled: settled.slice(0, 11) });
      await store.commit({ ...NOTHING, settled: settled.slice(11) });
      const found: string[] = [];
      let last: UrlKey | undefined;
      for (;;) {
        const piece = await store.visited(last, 7);
        if (piece.length === 0) break;
        assert.ok(piece.length <= 7);
        for (const { key, record, links } of piece) {
          assert.ok(last === undefined || last.compare(key) < 0, 'in key order');
          last = key;
          assert.ok(key.equals(urlKeyOf(record.url)));
          found.push(`${record.url} ${links.map((link) => link.target).join(' ')}`);
        }
      }
      const linkOf = (n: number) => (n % 2 === 0 ? `http://to.example/${n}` : '');
      const expected = urls.slice(0, 30).map(({ url }, n) => `${url} ${linkOf(n)}`);
      assert.deepEqual(found.sort(), expected.sort());
    }));
}

function counts(open: OpenShardStores): void {
  it('totals: a commit adds its change, and one known and waiting for each new URL', () =>
    using(open, async (store) => {
      assert.deepEqual(await store.totals(), NO_TOTALS);
      const [a, b] = [waitingFor(urlOf('a')), waitingFor(urlOf('b'))];
      const { admitted } = admitting([a, b, a]);
      const first = await store.commit({ ...NOTHING, admitted, change: { hosts: 1 } });
      assert.deepEqual(first.totals, { ...NO_TOTALS, known: 2, waiting: 2, hosts: 1 });
      const change = { waiting: -1, fetched: 1, asked: 1, askedPublic: 1, bytes: 5e9 };
      const second = await store.commit({ ...NOTHING, settled: [settling(a)], change });
      const expected = { ...first.totals, ...change, waiting: 1 };
      assert.deepEqual(second.totals, expected);
      assert.deepEqual(await store.totals(), expected);
    }));
}
