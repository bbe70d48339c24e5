/**
 * Requests lent over HTTP (A2, F4, K5), with the test web's own log as the witness: a service
 * that asks nobody itself, and fetchers that only know its API.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openLender } from '../../src/adapters/api/index.ts';
import { openHttp, systemClock } from '../../src/adapters/node/index.ts';
import { Fetcher } from '../../src/crawl/fetcher.ts';
import { newTokenEntry } from '../../src/edge/api/index.ts';
import { gaps } from '../../testweb/index.ts';
import { openService, type TestService } from '../kit/service.ts';
import { asked, openWebFor, pageRequests, type TestWeb } from '../kit/web.ts';

const LENT = ['--roles', 'frontier,parse,schedule,api'];
const WEB = { seed: 5, hosts: 8, pages: 80, bodyBytes: 600, features: 'plain' } as const;
const NO_WEB = ['--dns', '127.0.0.1:9'];

function startFetcher(t: TestContext, api: TestService, name: string): Fetcher {
  const clock = systemClock();
  const addresses = { allowPrivate: false, allowedNetworks: ['127.1.0.0/16'] };
  const http = openHttp({
    clock,
    addresses: { ...addresses, blockedHosts: [], blockedNetworks: [] },
  });
  const fetcher = new Fetcher({ clock, http }, { concurrency: 20, leaseSeconds: 30 });
  const run = fetcher.run([openLender({ url: `${api.at}/`, fetcher: name })]);
  t.after(async () => {
    fetcher.abort();
    await run;
    await http.close();
  });
  return fetcher;
}

async function seed(api: TestService, web: TestWeb): Promise<void> {
  const { status } = await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  assert.equal(status, 202);
}

const lease = (api: TestService, more: object = {}, shard = 'all') =>
  api.post(`/frontier/${shard}/lease_batch`, { fetcher: 'one', n: 10, ...more });

interface LeaseView {
  readonly lease: string;
  readonly shard: number;
  readonly url: string;
  readonly address: string;
}

/** Until there is one. */
async function leased(api: TestService, more: object = {}): Promise<LeaseView> {
  for (;;) {
    const [first] = (await lease(api, more)).json.leases;
    if (first !== undefined) return first;
    await new Promise(setImmediate);
  }
}

function answer({ lease: id, address }: LeaseView, body: string, more: object = {}) {
  const results = {
    ...{ kind: 'answered', status: 200, headers: { 'Content-Type': 'text/html' } },
    ...{ body: Buffer.from(body).toString('base64'), remote_address: address },
    ...{ first_byte_ms: 3, whole_ms: 4, ...more },
  };
  return { fetcher: 'one', lease: id, results };
}

/** A service with one seed whose robots.txt is read: the page itself is leased next. */
async function pageLease(t: TestContext, flags: readonly string[] = []) {
  const web = await openWebFor(t, { ...WEB, hosts: 1, pages: 6 });
  const api = await openService(t, web, { flags: [...LENT, ...flags] });
  await seed(api, web);
  const robots = await leased(api);
  assert.match(robots.url, /\/robots\.txt$/);
  const settled = await api.post(`/frontier/${robots.shard}/ack`, answer(robots, ''));
  assert.deepEqual([settled.status, settled.json.state], [200, 'settled']);
  return { web, api, page: await leased(api) };
}

test('lent: two fetchers crawl a web of which the service asks nothing: whole, once, politely', async (t) => {
  const web = await openWebFor(t, WEB);
  const pace = ['--rate', '100', '--ip-rate', '1000'];
  const api = await openService(t, web, { flags: [...LENT, ...pace] });
  await seed(api, web);
  const fetchers = [startFetcher(t, api, 'one'), startFetcher(t, api, 'two')];
  await api.quiet(WEB.pages);
  assert.equal(asked(web).size, pageRequests(web).length, 'nothing is asked twice');
  assert.ok(asked(web).size >= WEB.pages, `${asked(web).size} pages`);
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= 1_000 / 100, `${gap.of}: ${gap.smallestMs} ms`);
  }
  const settled = fetchers.reduce((sum, { counts }) => sum + counts.settled, 0);
  assert.ok(settled <= web.server.log.length && settled >= web.server.log.length - 2);
  assert.deepEqual(api.bugs, []);
});

test('lent: while a fetcher asks, the service asks, too; never both of them one host', async (t) => {
  // One request of its own at a time, and answers that take theirs, leave turns for others.
  const web = await openWebFor(t, WEB, { latencyMs: 50 });
  const pace = ['--rate', '100', '--ip-rate', '1000', '--concurrency', '1'];
  const api = await openService(t, web, { flags: pace });
  await seed(api, web);
  const fetcher = startFetcher(t, api, 'one');
  await api.quiet(WEB.pages);
  const { settled } = fetcher.counts;
  assert.ok(settled > 0 && settled < web.server.log.length, `${settled} by the fetcher`);
  assert.equal(asked(web).size, pageRequests(web).length, 'nothing is asked twice');
  assert.ok(asked(web).size >= WEB.pages);
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= 1_000 / 100 - 1, `${gap.of}: ${gap.smallestMs} ms`);
  }
});

test('ack: an answer is read, stored and named as if we had asked; its links wait', async (t) => {
  const { api, page } = await pageLease(t);
  const html = `<title>brought</title><a href="/new-one">more</a>${'word '.repeat(40)}`;
  const ack = await api.post(`/frontier/${page.shard}/ack`, answer(page, html));
  assert.deepEqual([ack.status, ack.json], [200, { lease: page.lease, state: 'settled' }]);
  const { json } = await api.ask(`/pages?url=${encodeURIComponent(page.url)}`);
  const [found] = json.pages;
  assert.deepEqual([found.title, found.http_status], ['brought', 200]);
  const next = await leased(api);
  assert.match(next.url, /\/new-one$/);
});

test('ack: of a lease that ended, of another fetcher or shard, or unknown: 409, and nothing changes', async (t) => {
  const { api, page } = await pageLease(t);
  const good = answer(page, 'x');
  const send = async (body: object, shard: number | string = page.shard) => {
    const { status, json } = await api.post(`/frontier/${shard}/ack`, body);
    return [status, json.type ?? json.state];
  };
  const LOST = [409, '/problems/lost'];
  assert.deepEqual(await send({ ...good, fetcher: 'two' }), LOST);
  assert.deepEqual(await send({ ...good, lease: 'nobody-knows' }), LOST);
  assert.deepEqual(await send(good, (page.shard + 1) % 64), LOST);
  assert.equal(api.session.progress().totals.fetched, 0);
  assert.deepEqual(await send({ ...good, results: { kind: 'returned' } }), [200, 'returned']);
  assert.deepEqual(await send(good), LOST);
  assert.equal(api.session.progress().totals.fetched, 0);
  const again = await leased(api);
  assert.equal(again.url, page.url);
  assert.deepEqual(await send(answer(again, 'x')), [200, 'settled']);
  assert.deepEqual(await send(answer(again, 'x')), LOST);
});

test('lease: one that is not acknowledged in time returns, and its host waits a pause', async (t) => {
  const web = await openWebFor(t, { ...WEB, hosts: 1, pages: 6 });
  const api = await openService(t, web, { flags: [...LENT, '--rate', '4', '--ip-rate', '1000'] });
  await seed(api, web);
  const from = Date.now();
  const first = await leased(api, { seconds: 1 });
  assert.deepEqual((await lease(api)).json.leases, [], 'one request a host');
  const again = await leased(api);
  assert.equal(again.url, first.url);
  assert.ok(Date.now() - from >= 1_250, `${Date.now() - from} ms`);
  assert.equal((await api.post('/frontier/all/ack', answer(first, 'x'))).status, 409);
});

test('input: what no fetcher may ask or bring is refused with its place', async (t) => {
  const { api, page } = await pageLease(t);
  for (const wrong of [
    { n: 0 },
    { n: 1_000_000 },
    { seconds: -1 },
    { seconds: 1e9 },
    { fetcher: '' },
  ]) {
    assert.equal((await lease(api, wrong)).status, 422, JSON.stringify(wrong));
  }
  for (const shard of ['64', '-1', 'every', '1.5', '007']) {
    assert.equal((await lease(api, {}, shard)).status, 422, shard);
  }
  const send = async (more: object) => {
    const { status, json } = await api.post('/frontier/all/ack', answer(page, 'x', more));
    return [status, json.errors?.[0]?.pointer];
  };
  assert.deepEqual(await send({ remote_address: '127.9.9.9' }), [422, '/results/remote_address']);
  assert.deepEqual(await send({ headers: { 'a b': 'c' } }), [422, '/results/headers']);
  assert.deepEqual(await send({ headers: { a: 'b\r\nc: d' } }), [422, '/results/headers']);
  assert.equal((await send({ status: 99 }))[0], 422);
  assert.equal((await send({ whole_ms: -1 }))[0], 422);
  assert.equal((await send({ body: 'no base64!' }))[0], 422);
  assert.equal((await send({ kind: 'eaten' }))[0], 422);
  assert.deepEqual(await send({}), [200, undefined]);
  assert.deepEqual(api.bugs, []);
});

test('input: a body larger than the lease allows is refused, one far larger is not even read', async (t) => {
  const { api, page } = await pageLease(t, ['--max-body', '1000']);
  const send = (length: number) => api.post('/frontier/all/ack', answer(page, 'x'.repeat(length)));
  const over = await send(1_001);
  assert.deepEqual([over.status, over.json.errors[0].pointer], [422, '/results/body']);
  assert.equal((await send(2_000_000)).status, 413);
  assert.equal((await send(1_000)).status, 200);
});

test('tokens: a fetcher may fetch and no more, an operator may not fetch', async (t) => {
  const tokens = [
    newTokenEntry('f', ['fetch'], 'of-fetcher', ''),
    newTokenEntry('o', ['operate'], 'of-operator', ''),
  ];
  const api = await openService(t, undefined, { flags: NO_WEB, tokens, isClosed: true });
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const ask = { fetcher: 'one', n: 1 };
  const path = '/frontier/all/lease_batch';
  assert.equal((await api.post(path, ask)).status, 401);
  assert.equal((await api.post(path, ask, as('of-operator'))).status, 403);
  assert.equal((await api.post(path, ask, as('of-fetcher'))).status, 200);
  assert.equal((await api.ask('/pages', { headers: as('of-fetcher') })).status, 403);
  const urls = ['http://a.test/'];
  assert.equal((await api.post('/crawl/seeds', { urls }, as('of-fetcher'))).status, 403);
});

test('check_and_add: what several name at once is new to one of them, and waits (S4)', async (t) => {
  const api = await openService(t, undefined, { flags: [...NO_WEB, ...LENT] });
  await api.post('/crawl/seeds', { urls: ['http://both.test/'] });
  const urls = Array.from({ length: 50 }, (_, i) => `http://both.test/${i}`);
  const ask = () => api.post('/dedup/check_and_add', { urls });
  const answers = await Promise.all([ask(), ask(), ask()]);
  const fresh = answers.reduce((sum, { json }) => sum + json.new_urls, 0);
  assert.equal(fresh, 50);
  assert.equal(api.session.progress().totals.known, 51);
  const { json } = await api.post('/dedup/check_and_add', {
    urls: [
      'HTTP://Both.test:80/a/../b#c',
      'http://both.test/b',
      'http://other.test/',
      'mailto:x@y.z',
    ],
  });
  const states = json.urls.map(({ url, state }: { url: string; state: string }) => [url, state]);
  assert.deepEqual(states, [
    ['http://both.test/b', 'new'],
    ['http://both.test/b', 'known'],
    ['http://other.test/', 'refused'],
    ['mailto:x@y.z', 'refused'],
  ]);
  assert.equal((await api.post('/dedup/check_and_add', { urls: [] })).status, 422);
  const gone = await api.post('/dedup/check_and_add', { urls, job_id: '999' });
  assert.deepEqual([gone.json.new_urls, gone.json.urls[0].state], [0, 'refused']);
});
