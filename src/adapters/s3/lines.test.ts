/** Writing over connections that are kept, against a server of sockets that misbehaves when told. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { systemClock } from '../node/clock.ts';
import { PutLines } from './lines.ts';

const OK = 'HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 0\r\n\r\n';

/** `answer` is given each request, whole, with its connection. */
async function served(
  t: TestContext,
  answer: (request: string, socket: Socket, nth: number) => void,
  options: { readonly lines?: number; readonly attemptMs?: number } = {},
) {
  const sockets: Socket[] = [];
  let nth = 0;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => answer(bytes.toString('latin1'), socket, nth++));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const place = { clock: systemClock(), isTls: false, hostname: '127.0.0.1', port };
  const lines = new PutLines({ ...place, lines: 4, attemptMs: 10_000, ...options });
  t.after(() => {
    lines.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const put = (name: string, leftMs = 5_000) =>
    lines.send(Buffer.from(`PUT /${name} HTTP/1.1\r\nhost: h\r\n\r\n`), leftMs);
  return { put, lines, sockets };
}

describe('lines to a bucket', () => {
  test('more requests than lines: each gets its own answer, over connections that are kept', async (t) => {
    const { put, sockets } = await served(t, (request, socket) => {
      const name = /^PUT \/(\w+)/.exec(request)?.[1] ?? '';
      setImmediate(() =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`),
      );
    });
    const names = Array.from({ length: 50 }, (_, i) => `n${i}`);
    const answers = await Promise.all(names.map((name) => put(name)));
    assert.deepEqual(
      answers.map(({ words }) => words),
      names,
    );
    assert.equal(sockets.length, 4);
  });

  test('an answer in pieces, in chunks: its words and its date, whole', async (t) => {
    const said =
      'HTTP/1.1 403 No\r\nDate: then\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<E>\r\n0\r\n\r\n';
    const { put } = await served(t, (_, socket) => {
      socket.write(said.slice(0, 30));
      setImmediate(() => socket.write(said.slice(30)));
    });
    assert.deepEqual(await put('a'), { status: 403, date: 'then', words: '<E>' });
  });

  test('a connection that the server ended: the next request has another', async (t) => {
    const { put, sockets } = await served(t, (_, socket) => socket.write(OK));
    await put('a');
    const [first] = sockets;
    first?.end();
    await once(first as Socket, 'close');
    assert.equal((await put('b')).status, 200);
    assert.equal(sockets.length, 2);
  });

  test('`Connection: close`: not used again', async (t) => {
    const { put, sockets } = await served(t, (_, socket) =>
      socket.write(OK.replace('Date', 'Connection: close\r\nDate')),
    );
    await put('a');
    await put('b');
    assert.equal(sockets.length, 2);
  });

  test('no answer in time: rejected, its connection is given up, and who waits goes on', async (t) => {
    const { put } = await served(
      t,
      (_, socket, nth) => {
        if (nth > 0) socket.write(OK);
      },
      { lines: 1 },
    );
    const late = assert.rejects(put('a', 60), { name: 'TimeoutError' });
    const next = put('b');
    await late;
    assert.equal((await next).status, 200);
  });

  test('silent for longer than an attempt may be: rejected', async (t) => {
    const { put } = await served(t, () => undefined, { attemptMs: 40 });
    await assert.rejects(put('a'), { name: 'TimeoutError' });
  });

  test('the line breaks before the answer: rejected, not answered', async (t) => {
    const { put } = await served(t, (_, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Len'));
    await assert.rejects(put('a'), /closed/);
  });

  test('closed meanwhile: whoever waits is told', async (t) => {
    const { put, lines } = await served(t, () => lines.close(), { lines: 1 });
    const both = Promise.allSettled([put('a'), put('b')]);
    assert.deepEqual(
      (await both).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });
});
