/**
 * What the service refuses, over real HTTP (A3, A5): strangers, foreign pages, wrong roles,
 * bodies that are broken or too large, keys used twice, clients that do not read.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { UNREAD_BYTES_MAX } from '../../src/adapters/api/sink.ts';
import { STREAMS_MAX } from '../../src/edge/api/feed.ts';
import { newTokenEntry } from '../../src/edge/api/index.ts';
import { blankRecord } from '../../src/record/index.ts';
import { openService, type TestService } from '../kit/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** With headers that fetch() would not let through. */
function raw(api: TestService, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: api.port, path, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });
}

const TOKENS = (['read', 'operate', 'comply'] as const).map((role) =>
  newTokenEntry(role, [role], `secret-${role}`, '2026-01-01T00:00:00.000Z'),
);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('guard: beyond loopback nothing is answered without a token, but health (A3)', async (t) => {
  const api = await openService(t, undefined, { isClosed: true, tokens: TOKENS });
  assert.equal((await api.ask('/healthz')).status, 200);
  const bare = await api.ask('/pages');
  assert.deepEqual([bare.status, bare.json.type], [401, '/problems/unauthorized']);
  assert.match(bare.headers.get('www-authenticate') ?? '', /^Bearer/);
  assert.equal((await api.ask('/pages', { headers: bearer('wrong') })).status, 401);
  assert.equal((await api.ask('/pages', { headers: { authorization: 'Basic eDp5' } })).status, 401);
});

test('guard: a token does what its roles say, and reading', async (t) => {
  const api = await openService(t, undefined, { isClosed: true, tokens: TOKENS });
  const body = { urls: ['http://h.test/'] };
  const codes: Record<string, number[]> = {};
  for (const { name } of TOKENS) {
    const headers = bearer(`secret-${name}`);
    const [pages, seeds] = [
      await api.ask('/pages', { headers }),
      await api.post('/crawl/seeds', body, headers),
    ];
    codes[name] = [pages.status, seeds.status];
    if (seeds.status === 403) assert.equal(seeds.json.type, '/problems/wrong-role');
  }
  assert.deepEqual(codes, { read: [200, 403], operate: [200, 202], comply: [200, 403] });
});

test('guard: a wrong token is refused on loopback, too', async (t) => {
  const api = await openService(t, undefined, { tokens: TOKENS });
  assert.equal((await api.ask('/pages')).status, 200);
  assert.equal((await api.ask('/pages', { headers: bearer('wrong') })).status, 401);
});

test('guard: a Host or an Origin that is not ours is refused (DNS rebinding)', async (t) => {
  const api = await openService(t, undefined, { names: ['crawl.example.com'] });
  const { port } = api;
  const own = `127.0.0.1:${port}`;
  const get = (headers: Record<string, string>) => raw(api, '/pages', headers);
  assert.equal(await get({ host: own }), 200);
  assert.equal(await get({ host: `localhost:${port}` }), 200);
  assert.equal(await get({ host: 'crawl.example.com' }), 200);
  for (const host of [
    'evil.test',
    `evil.test:${port}`,
    '127.0.0.1:1',
    '127.0.0.1',
    `[::1]:${port}`,
  ]) {
    assert.equal(await get({ host }), 403, host);
  }
  assert.equal(await get({ host: own, origin: `http://${own}` }), 200);
  for (const origin of [
    'https://evil.test',
    'null',
    `http://127.0.0.1:1`,
    `http://${own}.evil.test`,
  ]) {
    assert.equal(await get({ host: own, origin }), 403, origin);
  }
  assert.equal(await raw(api, '/nowhere', { host: 'evil.test' }), 403);
});

test('guard: a client that asks too often is told when to come back', async (t) => {
  const api = await openService(t, undefined, { requestsPerSecond: 1 });
  const codes: number[] = [];
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await api.ask('/healthz');
    codes.push(status);
    if (status === 429) assert.equal(headers.get('retry-after'), '1');
  }
  assert.ok(codes.includes(429), String(codes));
});

test('input: what is wrong is named with its place; nothing unknown is taken', async (t) => {
  const api = await openService(t, undefined);
  const { status, json } = await api.post('/crawl/seeds', { urls: [1], depth: 2, priority: 'x' });
  assert.deepEqual([status, json.type], [422, '/problems/invalid']);
  const places = json.errors.map((error: { pointer: string }) => error.pointer).sort();
  assert.deepEqual(places, ['/depth', '/priority', '/urls/0']);
  assert.equal((await api.post('/crawl/seeds', { urls: [] })).status, 422);
  assert.equal((await api.post('/crawl/seeds', [])).status, 422);
  assert.equal((await api.ask('/pages?cursor=zz')).status, 422);
  assert.equal((await api.ask('/pages?limit=1&limit=2')).status, 422);
  assert.equal((await api.ask('/pages?state=odd')).status, 422);
});

test('input: broken JSON, another media type, no such place, no such method', async (t) => {
  const api = await openService(t, undefined);
  const send = (body: string, headers: Record<string, string>) =>
    api.ask('/crawl/seeds', { method: 'POST', body, headers });
  assert.equal((await send('{"urls":', JSON_TYPE)).json.type, '/problems/malformed');
  assert.equal((await send('', JSON_TYPE)).status, 400);
  assert.equal((await send('{"__proto__":{"a":1},"urls":["x"]}', JSON_TYPE)).status, 400);
  assert.equal((await send('urls=x', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await api.ask('/nowhere')).json.type, '/problems/not-found');
  const put = await api.ask('/crawl/seeds', { method: 'PUT' });
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'POST']);
  const preflight = await api.ask('/pages', { method: 'OPTIONS' });
  assert.deepEqual([preflight.status, preflight.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal((await api.ask('/hosts/%zz')).json.type, '/problems/malformed');
  assert.equal((await api.ask(`/hosts/${'a'.repeat(600)}`)).status, 400);
  assert.equal((await api.ask('/healthz', { method: 'HEAD' })).status, 200);
  assert.deepEqual(api.bugs, []);
});

test('input: 10 MB are too much for a call without seeds, 40 MB for one with', async (t) => {
  const api = await openService(t, undefined);
  const post = (path: string, megabytes: number) =>
    api.ask(path, { method: 'POST', headers: JSON_TYPE, body: `"${'a'.repeat(megabytes * 1e6)}"` });
  const answer = await post('/crawl/recrawl', 10);
  assert.deepEqual([answer.status, answer.json.type], [413, '/problems/too-large']);
  assert.equal((await post('/crawl/seeds', 40)).status, 413);
  assert.equal((await post('/crawl/seeds', 10)).status, 422);
});

test('seeds: 100,000 URLs in one call wait, and one more is refused', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9'] });
  const urls = Array.from({ length: 100_000 }, (_, i) => `http://h${i % 50}.many.test/page/${i}`);
  const { status, json } = await api.post('/crawl/seeds', { urls, priority: 'low' });
  assert.deepEqual([status, json.queued_urls + json.refused_urls], [202, 100_000]);
  assert.equal(api.session.progress().totals.known, json.queued_urls);
  assert.ok(json.queued_urls >= 50_000, JSON.stringify(json.refused[0]));
  assert.ok(json.refused.length <= 100);
  const { counts, seeds } = (await api.ask(`/jobs/${json.job_id}`)).json;
  assert.deepEqual([seeds, counts.named], [urls.length, json.queued_urls]);
  assert.equal((await api.post('/crawl/seeds', { urls: [...urls, 'http://x.test/'] })).status, 422);
});

test('seeds: hosts that join the scope are in it after a restart, too', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9'] });
  await api.post('/crawl/seeds', { urls: ['http://one.test/'] });
  const story = async (from: TestService, url: string) => (await from.ask(`/why?url=${url}`)).json;
  assert.notEqual((await story(api, 'http://one.test/x')).verdict, 'out of scope');
  await api.close();
  const again = await openService(t, undefined, { dir: api.dir, flags: ['--dns', '127.0.0.1:9'] });
  assert.notEqual((await story(again, 'http://one.test/x')).verdict, 'out of scope');
  assert.equal((await story(again, 'http://two.test/x')).verdict, 'out of scope');
  await again.close();
});

test('seeds: what two calls bring at once is new to one of them', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9'] });
  const urls = Array.from({ length: 50 }, (_, i) => `http://both.test/${i}`);
  const answers = await Promise.all([1, 2, 3].map(() => api.post('/crawl/seeds', { urls })));
  const sum = (field: string) => answers.reduce((all, { json }) => all + json[field], 0);
  assert.deepEqual([sum('queued_urls'), sum('known_urls')], [50, 100]);
});

test('seeds: a service that ends in the middle of a call keeps what it took', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9'] });
  const urls = Array.from({ length: 12_000 }, (_, i) => `http://cut.test/${i}`);
  const call = api.session.jobs.start({ urls, priority: 'low' });
  const broken = assert.rejects(call, { code: 'E_STORE_DOWN' });
  await api.close();
  await broken;
  const again = await openService(t, undefined, { dir: api.dir, flags: ['--dns', '127.0.0.1:9'] });
  const { known } = again.session.progress().totals;
  const repeated = await again.post('/crawl/seeds', { urls });
  assert.deepEqual([repeated.json.known_urls, repeated.json.queued_urls], [known, 12_000 - known]);
  await again.close();
});

test('idempotency: one key, one answer; another body is refused', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9'] });
  const send = (url: string, key: string) =>
    api.post('/crawl/seeds', { urls: [url] }, { 'idempotency-key': key });
  const [one, two] = await Promise.all([
    send('http://a.test/', 'k1'),
    send('http://a.test/', 'k1'),
  ]);
  assert.deepEqual([one.status, two.status, one.json], [202, 202, two.json]);
  const third = await send('http://a.test/', 'k1');
  assert.deepEqual([third.json, third.headers.get('idempotency-replayed')], [one.json, 'true']);
  const other = await send('http://b.test/', 'k1');
  assert.deepEqual([other.status, other.json.type], [422, '/problems/key-reused']);
  assert.equal((await send('http://b.test/', 'k2')).json.queued_urls, 1);
  assert.equal((await send('http://b.test/', 'a b')).status, 422);
});

async function openStream(t: TestContext, api: TestService) {
  const socket = connect(api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  socket.write(`GET /events HTTP/1.1\r\nhost: 127.0.0.1:${api.port}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('events: progress comes at once, and pages as they are visited (A5)', async (t) => {
  const api = await openService(t, undefined);
  const socket = await openStream(t, api);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  while (!/event: progress\ndata: \{/.test(text)) await once(socket, 'data');
  assert.match(text, /content-type: text\/event-stream/);
  api.feed.notePage({ ...blankRecord('http://a.test/', 1), title: 'one\nevent: forged\n\n' });
  while (!/event: page\n/.test(text)) await once(socket, 'data');
  assert.ok(!/^event: forged/m.test(text));
});

test('events: a client that does not read is cut off, within a bound (A5)', async (t) => {
  const api = await openService(t, undefined);
  const socket = await openStream(t, api);
  socket.pause();
  assert.equal(api.feed.listeners, 1);
  const title = 'x'.repeat(UNREAD_BYTES_MAX);
  for (let i = 0; i < 10; i++)
    api.feed.notePage({ ...blankRecord(`http://a.test/${i}`, 1), title });
  while (api.feed.listeners > 0) {
    for (let i = 0; i < 10; i++) api.feed.notePage({ ...blankRecord('http://a.test/', 1), title });
    await new Promise(setImmediate);
  }
});

test('events: no more streams than a fixed number are open at once', async (t) => {
  const api = await openService(t, undefined);
  const sockets = await Promise.all(Array.from({ length: STREAMS_MAX }, () => openStream(t, api)));
  assert.equal(api.feed.listeners, STREAMS_MAX);
  const more = await api.ask('/events');
  assert.deepEqual([more.status, more.json.type], [503, '/problems/too-many-streams']);
  for (const socket of sockets) socket.destroy();
  while (api.feed.listeners > 0) await new Promise(setImmediate);
});
