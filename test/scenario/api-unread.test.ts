/**
 * Requests that cannot be read (A1): whatever is wrong with one before a route is found for it
 * is told as any problem is, also to a client that sends all of it before it reads anything.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openService, type TestService } from '../kit/service.ts';

interface Reply {
  readonly status: number;
  readonly media: string | undefined;
  readonly type: string;
}

/** Sends all of it, however the other side takes it, and only then reads. */
function sent({ port }: TestService, parts: readonly (string | Buffer)[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.pause();
    socket.on('error', reject);
    const all = Buffer.concat(parts.map((part) => Buffer.from(part)));
    socket.write(all, () => {
      const got: Buffer[] = [];
      socket.on('data', (bytes: Buffer) => got.push(bytes));
      socket.on('end', () => socket.end());
      socket.on('close', () => resolve(replyIn(Buffer.concat(got).toString())));
      socket.resume();
    });
  });
}

function replyIn(text: string): Reply {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  const media = /^content-type: ([^;\r]*)/im.exec(head)?.[1];
  return { status, media, type: body === '' ? '' : JSON.parse(body).type };
}

function post(path: string, { port }: TestService, body: Buffer): Buffer[] {
  const head =
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return [Buffer.from(head), body];
}

const PROBLEM = 'application/problem+json';

test('unread: a head that is too large or no HTTP is a problem like any other', async (t) => {
  const api = await openService(t, undefined);
  const long = `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
  const wide = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`;
  for (const head of [long, wide]) {
    const reply = await sent(api, [head]);
    assert.deepEqual(reply, { status: 431, media: PROBLEM, type: '/problems/head-too-large' });
  }
  for (const odd of ['ORB please\r\n\r\n', 'GET / HTTP/1.1\r\nbad header\r\n\r\n']) {
    const reply = await sent(api, [odd]);
    assert.deepEqual(reply, { status: 400, media: PROBLEM, type: '/problems/malformed' }, odd);
  }
  assert.equal((await api.ask('/problems/head-too-large')).json.status, 431);
  assert.equal((await api.ask('/healthz')).status, 200);
});

test('unread: who sends 10 MB before reading a byte still learns that they are too many', async (t) => {
  const api = await openService(t, undefined);
  const body = Buffer.from(`{"url":"${'a'.repeat(10_000_000)}","reason":"x"}`);
  for (const path of ['/holds', '/takedowns']) {
    const reply = await sent(api, post(path, api, body));
    assert.deepEqual(reply, { status: 413, media: PROBLEM, type: '/problems/too-large' });
  }
  assert.deepEqual((await api.ask('/denylist')).json.holds, []);
  assert.deepEqual(api.bugs, []);
});

test('unread: a body that is not UTF-8 is refused, not mended', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9'] });
  const bytes = Buffer.from('{"urls":["http://h.test/\xff\xfe"]}', 'latin1');
  const reply = await sent(api, post('/crawl/seeds', api, bytes));
  assert.deepEqual(reply, { status: 400, media: PROBLEM, type: '/problems/malformed' });
  const good = Buffer.from('{"urls":["http://h.test/\u00fc"]}');
  assert.equal((await sent(api, post('/crawl/seeds', api, good))).status, 202);
  assert.equal(api.session.progress().totals.known, 1);
});
