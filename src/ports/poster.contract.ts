/** The promises of a poster, against real servers on loopback. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import type { Poster } from './poster.ts';

export interface PosterPlace {
  /** May connect to loopback. */
  readonly allowed: Poster;
  /** As a crawl of the public web would post. */
  readonly strict: Poster;
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export function posterContract(name: string, { allowed, strict }: PosterPlace): void {
  it(`${name} poster: promise 1: what was sent arrives whole, the status comes back`, async (t) => {
    const seen: unknown[] = [];
    const url = await serve(t, ({ method, headers }, response, body) => {
      seen.push([method, headers['x-a'], body]);
      response.writeHead(503, { 'retry-after': '7' }).end('busy');
    });
    const end = await allowed.post(requestTo(url, 'grüße'));
    assert.deepEqual(end, { kind: 'answered', status: 503, retryAfter: '7' });
    assert.deepEqual(seen, [['POST', 'b', 'grüße']]);
  });

  it(`${name} poster: promise 1: nobody listens, or hangs up: failed`, async (t) => {
    const url = await serve(t, (request) => request.socket.destroy());
    assert.equal((await allowed.post(requestTo(url))).kind, 'failed');
    assert.equal((await allowed.post(requestTo('http://127.0.0.1:1/'))).kind, 'failed');
    assert.equal((await allowed.post(requestTo('https://127.0.0.1:1/'))).kind, 'failed');
  });

  it(`${name} poster: promise 2: private addresses are refused, and nothing is sent`, async (t) => {
    let asked = 0;
    const url = await serve(t, (_, response) => {
      asked++;
      response.end();
    });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0x7f000001']) {
      const end = await strict.post(requestTo(`http://${host}:${port}/`));
      assert.equal(end.kind, 'failed', host);
    }
    assert.equal(asked, 0);
  });

  it(`${name} poster: promise 3: a redirect is an answer, an endless one is left`, async (t) => {
    const url = await serve(t, (_, response) => {
      response.writeHead(307, { location: '/elsewhere' });
      const flood = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', flood);
      flood();
    });
    const end = await allowed.post(requestTo(url));
    assert.deepEqual(end, { kind: 'answered', status: 307, retryAfter: '' });
  });

  it(`${name} poster: promise 4: who never answers is left in time, and at a signal`, async (t) => {
    const url = await serve(t, () => {});
    const end = await allowed.post({ ...requestTo(url), wholeMs: 50 });
    assert.deepEqual(end, { kind: 'failed', detail: 'no answer in time' });
    const abort = new AbortController();
    const posting = allowed.post({ ...requestTo(url), wholeMs: 60_000 }, abort.signal);
    abort.abort();
    assert.equal((await posting).kind, 'failed');
  });
}

function requestTo(url: string, body = '{}') {
  return { url, headers: { 'x-a': 'b' }, body, wholeMs: 5_000 };
}

async function serve(t: TestContext, handle: Handler): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => handle(request, response, body));
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
