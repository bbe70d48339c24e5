/**
 * Answers that are wrong, but that browsers show: a crawler must read them too (H1). Each is sent
 * in one piece and byte by byte, and must come to the same. Part of http.contract.ts.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { it } from 'node:test';
import type { Truncation } from '../fetch/outcome.ts';
import { answered, ask, askOf, failed, textOf, withServer } from './http.contract.asking.ts';
import { page } from './http.contract.raw.ts';
import type { Http } from './http.ts';

interface Odd {
  readonly situation: string;
  readonly bytes: string;
  readonly body: string;
  readonly truncated?: Truncation;
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n';

const ODD: readonly Odd[] = [
  {
    situation: 'lines that end in LF alone',
    bytes: 'HTTP/1.1 200 OK\nContent-Length: 4\n\nbody',
    body: 'body',
  },
  {
    situation: 'the same length twice',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'lengths that differ, then a close',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\nbody',
    body: 'body',
    truncated: 'length-mismatch',
  },
  {
    situation: 'lengths that differ, and the longest of them',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nbody',
    body: 'body',
    truncated: 'length-mismatch',
  },
  {
    situation: 'a length beside chunks',
    bytes: `${CHUNKED}Content-Length: 2\r\n\r\n4\r\nbody\r\n0\r\n\r\n`,
    body: 'body',
  },
  {
    situation: 'a negative length',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'a length that is no number',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: NaN\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'folded, nameless and colonless header lines',
    bytes: 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nwhat?\r\n: c\r\nContent-Length : 4\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'a control byte in a header name',
    bytes: 'HTTP/1.1 200 OK\r\nX\x01Y: a\r\nContent-Length: 4\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'a 100 Continue that nobody asked for',
    bytes: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'a status line without a reason, after an empty line',
    bytes: '\r\nHTTP/1.1 200\r\nContent-Length: 4\r\n\r\nbody',
    body: 'body',
  },
  {
    situation: 'spaces and extensions after chunk sizes, and trailers',
    bytes: `${CHUNKED}\r\n4 \r\nbody\r\n0;x=y\r\nA: b\r\n\r\n`,
    body: 'body',
  },
  {
    situation: 'a chunk of gigantic size',
    bytes: `${CHUNKED}\r\n4\r\nbody\r\nffffffffffffffff\r\nx`,
    body: 'body',
    truncated: 'broken-framing',
  },
  {
    situation: 'more bytes than announced',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodyHTTP/1.1 500 No\r\n\r\n',
    body: 'body',
  },
];

export function lenience(http: Http): void {
  for (const { situation, bytes, body, truncated } of ODD) {
    it(`${situation}: read as browsers do, in one piece and byte by byte`, async () => {
      const sendings = [
        (socket: Socket) => socket.end(bytes, 'latin1'),
        (socket: Socket) => trickle(socket, bytes),
      ];
      for (const send of sendings) {
        const outcome = answered(await ask(http, send));
        assert.equal(outcome.status, 200);
        assert.equal(textOf(outcome), body);
        assert.equal(outcome.truncated, truncated);
      }
    });
  }

  it('an answer that is longer than announced: its connection is not used again', async () => {
    await withServer(
      (socket, _, count) => socket.write(`${page(`page ${count}`)}and more`),
      async (server) => {
        for (let i = 0; i < 3; i++) assert.equal(textOf(await askOf(http, server)), 'page 1');
        assert.equal(server.seen.connections, 3);
      },
    );
  });

  it('bytes on an idle connection: it is closed, and the next exchange has a new one', async () => {
    await withServer(
      (socket, _, count) => {
        socket.write(page(`page ${count}`));
        sendLater = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad');
      },
      async (server) => {
        assert.equal(textOf(await askOf(http, server)), 'page 1');
        const closed = server.nextClose();
        sendLater();
        await closed;
        assert.equal(textOf(await askOf(http, server)), 'page 1');
        assert.equal(server.seen.connections, 2);
      },
    );
  });
  let sendLater = () => {};

  it('a header field that would end its line: failed as protocol, and nothing is sent', async () => {
    await withServer(
      (socket) => socket.end(page('')),
      async (server) => {
        for (const value of ['a\r\nb: c', 'a\nb', 'a\u010ab', 'a\0b']) {
          const outcome = failed(await askOf(http, server, { headers: { x: value } }));
          assert.equal(outcome.reason, 'protocol');
        }
        assert.equal(
          failed(await askOf(http, server, { headers: { 'x\r': 'y' } })).reason,
          'protocol',
        );
        assert.equal(server.seen.connections, 0);
      },
    );
  });

  it('HTTP/1.0 that keeps its connections: used again', async () => {
    const head = 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok';
    await withServer(
      (socket) => socket.write(head),
      async (server) => {
        answered(await askOf(http, server));
        assert.equal(answered(await askOf(http, server)).httpVersion, '1.0');
        assert.equal(server.seen.connections, 1);
      },
    );
  });
}

/** One byte after another, each on its own turn, then the end. */
function trickle(socket: Socket, bytes: string): void {
  socket.setNoDelay(true);
  let at = 0;
  const next = () => {
    if (socket.destroyed) return;
    if (at === bytes.length) socket.end();
    else socket.write(bytes[at++] as string, 'latin1', () => setImmediate(next));
  };
  next();
}
