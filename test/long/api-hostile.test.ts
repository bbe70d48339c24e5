/**
 * Clients and receivers at their worst (A3, A5, G1): a thousand streams that nobody reads, a
 * webhook that never answers, keys used twice at once, roles that do not fit, and the takedown
 * of a page that is just being fetched.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { UNREAD_BYTES_MAX } from '../../src/adapters/api/sink.ts';
import { STREAMS_MAX } from '../../src/edge/api/feed.ts';
import { newTokenEntry } from '../../src/edge/api/index.ts';
import { blankRecord, urlKeyOf } from '../../src/record/index.ts';
import { openWebFor, pageRequests } from '../kit/index.ts';
import { openService, type TestService } from '../kit/service.ts';

const STREAMS = 1_000;
const MIB = 1024 ** 2;

async function unread(t: TestContext, api: TestService): Promise<Socket> {
  const socket = connect(api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /events HTTP/1.1\r\nhost: 127.0.0.1:${api.port}\r\n\r\n`);
  return socket;
}

test('a client opens 1,000 event streams and reads none: few are served, memory is bounded', async (t) => {
  const api = await openService(t, undefined);
  const before = process.memoryUsage();
  for (let i = 0; i < STREAMS; i += 50) {
    await Promise.all(Array.from({ length: 50 }, () => unread(t, api)));
  }
  while (api.feed.listeners < STREAMS_MAX) await new Promise(setImmediate);
  assert.equal(api.feed.listeners, STREAMS_MAX);
  const more = await api.ask('/events');
  assert.deepEqual([more.status, more.headers.get('connection')], [503, 'close']);
  assert.equal((await api.ask('/healthz')).status, 200, 'others are served meanwhile');
  const title = 'x'.repeat(UNREAD_BYTES_MAX / 2);
  let grown = 0;
  while (api.feed.listeners > 0) {
    for (let i = 0; i < 10; i++) api.feed.notePage({ ...blankRecord('http://a.test/', 1), title });
    await new Promise(setImmediate);
    const { external, heapUsed } = process.memoryUsage();
    grown = Math.max(grown, external + heapUsed - before.external - before.heapUsed);
  }
  // 64 streams of 256 KB and what each was just told, and both ends of a thousand connections.
  assert.ok(grown < 96 * MIB, `${grown / MIB} MB`);
});

test('a webhook that never answers: the crawl goes on, the service ends, nothing is lost', async (t) => {
  const web = await openWebFor(t, { seed: 8, hosts: 2, pages: 30, bodyBytes: 500 });
  let asked = 0;
  let isSilent = true;
  const told: string[] = [];
  const hook = createServer((request, response) => {
    asked++;
    if (isSilent) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { events } = JSON.parse(Buffer.concat(parts).toString()).data;
      told.push(...events.map(({ url }: { url: string }) => url));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  t.after(() => {
    hook.closeAllConnections();
    hook.close();
  });
  const { port } = hook.address() as AddressInfo;
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const hooked = ['--webhook', `http://127.0.0.1:${port}/`, '--webhook-secret', secret];
  const flags = ['--scope', 'any', ...hooked];
  const first = await openService(t, web, { flags });
  await first.post('/crawl/seeds', { urls: [web.start] });
  await first.quiet(30);
  assert.ok(asked <= 1, 'one message waits, and no other is made meanwhile');
  await first.close();
  isSilent = false;
  const second = await openService(t, web, { flags, dir: first.dir });
  const pages = new Set(pageRequests(web).map(({ url }) => url)).size;
  while (new Set(told).size < pages) await new Promise(setImmediate);
  await second.close();
});

test('idempotency: one key at once with two bodies: one is done, the other refused', async (t) => {
  const api = await openService(t, undefined);
  const say = (text: string) =>
    api.post('/complaints', { host: 'a.example', text }, { 'idempotency-key': 'same' });
  const answers = await Promise.all([say('one'), say('two'), say('one')]);
  const [one, two, again] = answers.map(({ status }) => status);
  assert.deepEqual([one, two, again], [200, 422, 200]);
  assert.deepEqual(answers[0]?.json, answers[2]?.json);
  assert.equal(answers[1]?.json.type, '/problems/key-reused');
  assert.equal((await api.ask('/denylist')).json.complaints, 1);
});

test('roles: nothing that changes something is open to a token of another role', async (t) => {
  const roles = ['read', 'operate', 'comply'] as const;
  const tokens = roles.map((role) => newTokenEntry(role, [role], `s-${role}`, '2026-01-01'));
  const api = await openService(t, undefined, { isClosed: true, tokens });
  const { json: document } = await api.ask('/openapi.json');
  let refused = 0;
  for (const [path, methods] of Object.entries(document.paths as Record<string, object>)) {
    for (const method of Object.keys(methods)) {
      const at = path.replace('{url_hash}', '0'.repeat(48)).replace(/\{\w+\}/g, '1');
      const needed = await neededRole(api, at, method.toUpperCase());
      if (needed === undefined) continue;
      for (const role of roles) {
        if (role === needed || needed === 'read') continue;
        const headers = { authorization: `Bearer s-${role}` };
        const answer = await api.ask(at, { method: method.toUpperCase(), headers });
        assert.deepEqual([answer.status, answer.json.type], [403, '/problems/wrong-role'], at);
        refused++;
      }
    }
  }
  assert.ok(refused >= 16, `${refused}`);
});

/** As the refusal of a reader tells it; undefined where no token is needed, or it may read. */
async function neededRole(api: TestService, path: string, method: string) {
  if (method === 'GET') return undefined;
  const headers = { authorization: 'Bearer s-read' };
  const { status, json } = await api.ask(path, { method, headers });
  assert.equal(status, 403, `${method} ${path} changes something`);
  return /role (\w+);/.exec(json.detail)?.[1];
}

test('DELETE of a page that is being fetched: broken off, erased, and not asked for again', async (t) => {
  const held: ServerResponse[] = [];
  const asked: string[] = [];
  const site = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    if (url === '/secret') held.push(response);
    else response.end('<a href="/secret">s</a> <a href="/other">o</a>');
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  t.after(() => {
    site.closeAllConnections();
    site.close();
  });
  const { port } = site.address() as AddressInfo;
  const start = `http://127.0.0.1:${port}/`;
  const api = await openService(t, undefined);
  await api.post('/crawl/seeds', { urls: [start] });
  while (held.length === 0) await new Promise(setImmediate);
  const at = `/pages/${urlKeyOf(`${start}secret`).toString('hex')}`;
  const closed = once(held[0] as ServerResponse, 'close');
  const gone = await api.ask(`${at}?reason=theirs`, { method: 'DELETE' });
  assert.deepEqual([gone.status, gone.json.removed.records], [200, 1], gone.text);
  await closed;
  await api.post('/crawl/seeds', { urls: [`${start}secret`], recrawl_ttl_hours: 0 });
  await api.post('/crawl/recrawl', { what: [start] });
  await api.quiet(2);
  assert.equal(asked.filter((url) => url === '/secret').length, 1);
  assert.deepEqual([(await api.ask(at)).json.page.state], ['skipped']);
  assert.deepEqual(api.bugs, []);
});
