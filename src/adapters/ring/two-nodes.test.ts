/**
 * Two nodes of a ring, the second of which gets every entry of the first: when the first is gone,
 * it answers alike (D4). And commits that are refused in the middle (D5).
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededRandom } from '../../base/random.ts';
import {
  admitting,
  busyHost,
  NOW,
  plain,
  robotsRecord,
  settling,
  traceOf,
  waitingFor,
} from '../../ports/shard-store.contract.rows.ts';
import { type Commit, NO_TOTALS, NOTHING, sumOf, WHOLE_CIRCLE } from '../../ports/shard-store.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { blankHost, hostKeyOf, type Waiting } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import type { RingStore } from './index.ts';
import { type OneNode, OneNodeLog, openNode, tempFolders } from './one-node.testkit.ts';

const folders = tempFolders();
after(folders.remove);

async function newNode(log?: OneNodeLog): Promise<OneNode> {
  return openNode(await folders.make(), log);
}

/** Applies what a node has written since the last time. */
async function ship(from: OneNode, to: OneNode): Promise<void> {
  for (const { arc, bodies, saved } of from.log.entries.splice(0)) {
    await to.copies.save(arc, saved, { kind: 'entries', bodies });
  }
}

/** URLs of many hosts, and what becomes of them. */
function crawlOf(count: number): { urls: Waiting[]; commits: Commit[] } {
  const random = seededRandom('two nodes');
  const urls = Array.from({ length: count }, (_, n) =>
    waitingFor(`http://h${n % 23}.example/${n}`, random.next(), n % 5 === 0 ? { job: 3 } : {}),
  );
  const hosts = [...new Set(urls.map(({ url }) => new URL(url).host))];
  const [visited, shelved] = [urls.slice(0, count / 2), urls.slice(count / 2, count / 2 + 20)];
  const settled = visited.map((url, n) =>
    settling(url, { nextCrawlAt: NOW + n, visits: 1, lastFetchedAt: NOW }, traceOf(url.url)),
  );
  const robots = hosts.map((host) => ({
    host: hostKeyOf(host),
    records: [robotsRecord(`http://${host}`)],
  }));
  const again = visited.slice(0, 9).map((url, n) => ({
    due: { at: NOW + n, key: url.key },
    waiting: { ...url, again: true },
  }));
  const moved = urls.slice(-9).map((from) => ({ from, to: waitingFor(from.url, 0.9) }));
  const commits = [
    { ...admitting(urls.slice(0, 1)), hosts: hosts.map(blankHost), change: { hosts: 23 } },
    { ...admitting(urls.slice(1)), settled, hosts: hosts.map(busyHost), robots },
    { ...NOTHING, shelved, change: { fetched: visited.length, waiting: -visited.length } },
    { ...NOTHING, requeued: again, moved, forgotten: urls.slice(-20, -10) },
    { ...NOTHING, redated: [{ due: { at: NOW + 20, key: urls[20]?.key as Buffer }, to: NOW + 3 }] },
  ];
  return { urls, commits };
}

/** All that a store says, but for the traces: those stay with who fetched. */
async function answersOf(store: RingStore, urls: readonly Waiting[]): Promise<unknown> {
  const hosts: unknown[] = [];
  for await (const run of store.hosts(WHOLE_CIRCLE)) hosts.push(...run);
  const keys = [...new Set(urls.map(({ url }) => hostKeyOf(new URL(url).host)))];
  const told = {
    hosts,
    host: await Promise.all(keys.map((key) => store.host(key))),
    waiting: await Promise.all(keys.map((key) => store.waiting(key, undefined, 1_000))),
    due: await store.due(NOW + 1_000, 1_000),
    urls: await store.urls(urls.map(({ key }) => key)),
    scanned: await store.scan(undefined, 10_000),
    keys: await store.keys(undefined, 10_000),
    visited: (await store.visited(undefined, 10_000)).map(({ links: _, ...rest }) => rest),
    shelf: await store.ofJob(3, 'shelf', undefined, 1_000),
    totals: await store.totals(),
    jobs: [...(await store.jobs())].sort(([a], [b]) => a - b),
  };
  return plain(told);
}

test('every entry applied by another node: it answers alike, and its copies have the same sums', async () => {
  const [one, two] = [await newNode(), await newNode()];
  const { urls, commits } = crawlOf(400);
  for (const commit of commits) await one.store.commit(commit);
  await ship(one, two);
  assert.deepEqual(await answersOf(two.store, urls), await answersOf(one.store, urls));
  for (const arc of (await one.copies.saved()).keys()) {
    assert.deepEqual(await two.copies.sums(arc, 64), await one.copies.sums(arc, 64), `arc ${arc}`);
  }
  assert.ok(await one.store.trace(urls[0]?.key as Buffer));
  assert.equal(await two.store.trace(urls[0]?.key as Buffer), undefined, 'stays where it is');
  const { fresh } = await two.store.commit(admitting(urls.slice(0, 300)));
  assert.ok(!fresh.includes(true));
  await Promise.all([one.close(), two.close()]);
});

test('an arc that comes back: traces of visits that are still the last are found again', async () => {
  const [one, two] = [await newNode(), await newNode()];
  const [a, b] = [waitingFor('http://a.example/1'), waitingFor('http://a.example/2')];
  const visit = (url: Waiting, visits: number) =>
    settling(url, { visits, lastFetchedAt: NOW + visits, nextCrawlAt: NOW + 9 }, traceOf(url.url));
  await one.store.commit({ ...admitting([a, b]), settled: [visit(a, 1), visit(b, 1)] });
  await ship(one, two);
  await two.store.commit({
    ...NOTHING,
    redated: [{ due: { at: NOW + 9, key: a.key }, to: NOW + 7 }],
  });
  await two.store.commit({ ...NOTHING, settled: [visit({ ...b, again: true }, 2)] });
  await ship(two, one);
  assert.equal((await one.store.trace(a.key))?.links.length, 1);
  assert.equal(await one.store.trace(b.key), undefined, 'the other node has the last');
  assert.equal((await one.store.urls([a.key]))[0]?.nextCrawlAt, NOW + 7);
  const arc = arcOf(a.key);
  assert.deepEqual(await one.copies.sums(arc), await two.copies.sums(arc));
  await Promise.all([one.close(), two.close()]);
});

test('bucket by bucket: a node that had nothing answers like the owner', async () => {
  const [one, two] = [await newNode(), await newNode()];
  const { urls, commits } = crawlOf(400);
  for (const commit of commits) await one.store.commit(commit);
  const saved = await one.copies.saved();
  for (const [arc, state] of saved) {
    for (let bucket = 0; bucket < 4; bucket++) {
      const rows: Uint8Array[] = [];
      for await (const piece of one.copies.rows(arc, bucket, 4)) rows.push(piece);
      await two.copies.save(arc, state, { kind: 'replace', bucket, buckets: 4, rows });
    }
  }
  assert.deepEqual(await answersOf(two.store, urls), await answersOf(one.store, urls));
  assert.deepEqual(await two.copies.saved(), saved);
  await Promise.all([one.close(), two.close()]);
});

test('hosts and admissions are entries of their own, and awaited; what settles pages is not', async () => {
  const one = await newNode();
  const [page, link] = [waitingFor('http://a.example/'), waitingFor('http://b.example/')];
  await one.store.commit(admitting([page]));
  const written: string[] = [];
  one.log.keep = async ({ arc, isAwaited }) => {
    const [record] = await one.store.urls([page.key]);
    written.push(`${arc} ${isAwaited} ${record?.state}`);
  };
  const hosts = [blankHost('b.example')];
  await one.store.commit({ ...admitting([link]), hosts, settled: [settling(page)] });
  const [from, to] = [arcOf(page.key), arcOf(link.key)];
  assert.deepEqual(written, [`${to} true queued`, `${from} false indexed`]);
  await one.close();
});

test('links are not kept: the page that named them is not settled, and the commit was partly made', async () => {
  const one = await newNode();
  const [page, link] = [waitingFor('http://a.example/'), waitingFor('http://b.example/')];
  await one.store.commit(admitting([page]));
  one.log.keep = ({ arc, isAwaited }) =>
    isAwaited ? Promise.reject(new NotOurs([arc])) : Promise.resolve();
  const commit = { ...admitting([link]), settled: [settling(page)] };
  await assert.rejects(one.store.commit(commit), { arcs: [arcOf(link.key)], isPartly: true });
  assert.equal((await one.store.urls([page.key]))[0]?.state, 'queued');
  await one.close();
});

test('the arc of the page is lost after its links were kept: refused, and partly made', async () => {
  const [page, link] = [waitingFor('http://a.example/'), waitingFor('http://b.example/')];
  const lost = arcOf(page.key);
  let isLost = false;
  const one = await newNode(new OneNodeLog((arc) => (isLost && arc === lost ? undefined : 1)));
  await one.store.commit(admitting([page]));
  one.log.keep = async () => {
    isLost = true;
  };
  const commit = { ...admitting([link]), settled: [settling(page)] };
  await assert.rejects(one.store.commit(commit), { arcs: [lost], isPartly: true });
  one.log.keep = async () => {};
  assert.deepEqual((await one.store.commit(admitting([link]))).fresh, [false]);
  await assert.rejects(one.store.commit(commit), { arcs: [lost], isPartly: false });
  await one.close();
});

test('an arc was another nodes while a commit was prepared: refused, as what it read is not so now', async () => {
  let epoch = 1;
  const one = await newNode(new OneNodeLog(() => epoch));
  const url = waitingFor('http://a.example/');
  const { getMany } = one.lsm;
  one.lsm.getMany = async (keys) => {
    const rows = await getMany.call(one.lsm, keys);
    epoch = 3;
    return rows;
  };
  await assert.rejects(one.store.commit(admitting([url])), {
    arcs: [arcOf(url.key)],
    isPartly: false,
  });
  assert.equal(one.log.entries.length, 0);
  one.lsm.getMany = getMany;
  assert.deepEqual((await one.store.commit(admitting([url]))).fresh, [true]);
  await one.close();
});

test('a term ends between the numbers of two arcs: what has a number is written, the rest is refused', async () => {
  const [a, b] = [waitingFor('http://a.example/'), waitingFor('http://b.example/')];
  let isOver = false;
  const one = await newNode(new OneNodeLog(() => (isOver ? undefined : 1)));
  const { write } = one.log;
  one.log.write = (...args) => {
    isOver = args[0] === arcOf(b.key);
    return write.apply(one.log, args);
  };
  const commit = one.store.commit(admitting([a, b]));
  await assert.rejects(commit, { arcs: [arcOf(b.key)], isPartly: true });
  isOver = false;
  one.log.write = write;
  const urls = await one.store.urls([a.key, b.key]);
  assert.deepEqual(
    urls.map((url) => url?.state),
    ['queued', undefined],
  );
  assert.deepEqual((await one.store.commit(admitting([a, b]))).fresh, [false, true]);
  await one.close();
});

test('the engine fails a write that has its numbers: the log is told', async () => {
  const one = await newNode();
  const told: unknown[] = [];
  const { write } = one.log;
  one.log.write = (...args) => ({ ...write.apply(one.log, args), failed: (e) => told.push(e) });
  const error = new Error('no room');
  const mend = one.breakDown(error);
  await assert.rejects(one.store.commit(admitting([waitingFor('http://a.example/')])), error);
  assert.deepEqual(told, [error]);
  mend();
  await one.close();
});

test('a URL that is known already: relied on only once its arc is kept in this epoch, and asked once', async () => {
  let epoch = 1;
  const one = await newNode(new OneNodeLog(() => epoch));
  const [page, link] = [waitingFor('http://a.example/'), waitingFor('http://b.example/')];
  await one.store.commit(admitting([page, link]));
  one.log.entries.length = 0;
  const commit = { ...admitting([link]), settled: [settling(page)] };
  const asked = () => one.log.entries.splice(0).filter(({ bodies }) => bodies.length === 0);
  await one.store.commit(commit);
  assert.deepEqual(asked(), []);
  epoch = 2;
  await one.store.commit(commit);
  assert.deepEqual(
    asked().map(({ arc, isAwaited }) => [arc, isAwaited]),
    [[arcOf(link.key), true]],
  );
  await one.store.commit(commit);
  assert.deepEqual(asked(), []);
  epoch = 3;
  one.log.keep = ({ arc }) => Promise.reject(new NotOurs([arc]));
  await assert.rejects(one.store.commit(commit), { isPartly: true });
  await one.close();
});

test('copies of arcs of others are not answered for: counts, scans, dues and jobs', async () => {
  const isMine = (arc: number) => arc % 3 === 1;
  const [whole, part] = [
    await newNode(),
    await newNode(new OneNodeLog((arc) => (isMine(arc) ? 1 : undefined))),
  ];
  const { urls, commits } = crawlOf(400);
  for (const commit of commits) await whole.store.commit(commit);
  await ship(whole, part);
  const rest = await whole.storeWith(new OneNodeLog((arc) => (isMine(arc) ? undefined : 1)));
  const mine = (await answersOf(part.store, urls)) as Record<string, unknown[]>;
  const all = (await answersOf(whole.store, urls)) as Record<string, { key: string }[]>;
  const isOwn = ({ key }: { key: string }) => isMine(arcOf(Buffer.from(key, 'hex')));
  for (const name of ['due', 'scanned', 'visited']) {
    assert.deepEqual(mine[name], all[name]?.filter(isOwn), name);
  }
  const names = new Set(urls.map(({ url }) => new URL(url).host));
  const isOfMine = (name: string) => isMine(arcOf(hostKeyOf(name)));
  assert.equal(mine.hosts?.length, [...names].filter(isOfMine).length);
  const read: string[] = [];
  for (let last: Buffer | undefined; ; last = Buffer.from(read.at(-1) as string, 'hex')) {
    const piece = await part.store.keys(last, 3);
    if (piece.length === 0) break;
    for (let at = 0; at < piece.length; at += 24) read.push(piece.toString('hex', at, at + 24));
  }
  assert.deepEqual(
    read,
    all.scanned?.filter(isOwn).map(({ key }) => key),
  );
  const sum = sumOf([await part.store.totals(), await rest.totals()]);
  assert.deepEqual(sum, await whole.store.totals());
  const [one, other] = [await part.store.jobs(), await rest.jobs()];
  const held = [one, other].map((jobs) => jobs.get(3)?.held ?? 0).reduce((a, b) => a + b);
  assert.equal(held, (await whole.store.jobs()).get(3)?.held);
  await Promise.all([whole.close(), part.close()]);
});

test('hosts of one arc are read whatever its term says: who takes it must not miss any', async () => {
  let isOver = false;
  const one = await newNode(new OneNodeLog(() => (isOver ? undefined : 1)));
  await one.store.commit({ ...NOTHING, hosts: [blankHost('a.example')] });
  isOver = true;
  const found: number[] = [];
  const [first] = hostKeyOf('a.example') as unknown as [number];
  for (const range of [{ from: first, to: first }, WHOLE_CIRCLE]) {
    let count = 0;
    for await (const run of one.store.hosts(range)) count += run.length;
    found.push(count);
  }
  assert.deepEqual(found, [1, 0]);
  await one.close();
});

test('a node without an arc: nothing to tell, nothing to write', async () => {
  const one = await newNode(new OneNodeLog(() => undefined));
  assert.deepEqual(await one.store.totals(), NO_TOTALS);
  assert.deepEqual(await one.store.scan(undefined, 10), []);
  assert.deepEqual(await one.store.due(NOW, 10), []);
  await assert.rejects(one.store.commit(admitting([waitingFor('http://a.example/')])), NotOurs);
  await one.close();
});
