/**
 * Heads and bodies that no honest server sends: each must end as an outcome, in bounded time and
 * memory (Y2). Part of http.contract.ts.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answered, ask, askOf, failed, textOf, withServer } from './http.contract.asking.ts';
import { type Answerer, page, pour } from './http.contract.raw.ts';
import type { Http } from './http.ts';

export function hostileHeads(http: Http): void {
  const cases: [string, string | Buffer][] = [
    ['plain text where HTTP should be', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/0.9: a page without a head', '<html>hello</html>\r\n\r\n'],
    ['a NUL in a header value', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a switch of protocol nobody asked for', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n'],
    ['bytes of no kind', Buffer.from([0, 255, 13, 10, 128, 10, 13])],
  ];
  for (const [situation, bytes] of cases) {
    it(`${situation}: failed as protocol, with a detail`, async () => {
      const outcome = failed(await ask(http, (socket) => socket.write(bytes)));
      assert.equal(outcome.reason, 'protocol', outcome.detail);
      assert.notEqual(outcome.detail, '');
    });
  }

  it('promise 4: header fields without end: failed at the limit', async () => {
    await withServer(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        pour(socket, `X-Flood: ${'x'.repeat(1_000)}\r\n`.repeat(64));
      },
      async (server) => {
        const closed = server.nextClose();
        assert.equal(failed(await askOf(http, server)).reason, 'header-limit');
        await closed;
      },
    );
  });

  it('promise 4: one header field without end: failed at the limit', async () => {
    const outcome = await ask(http, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Flood: ');
      pour(socket, 'x'.repeat(65_536));
    });
    assert.equal(failed(outcome).reason, 'header-limit');
  });

  it('promise 4: a status line without end: failed at the limit', async () => {
    const outcome = await ask(http, (socket) => {
      socket.write('HTTP/1.1 200 ');
      pour(socket, 'O'.repeat(1_024));
    });
    assert.equal(failed(outcome).reason, 'header-limit');
  });

  it('interim answers without end: failed as protocol', async () => {
    const outcome = await ask(http, (socket) => pour(socket, 'HTTP/1.1 102 Wait\r\n\r\n'));
    assert.equal(failed(outcome).reason, 'protocol');
  });

  it('silence: failed at the time to the first byte', async () => {
    const outcome = failed(await ask(http, () => {}, { limits: { firstByteMs: 60 } }));
    assert.equal(outcome.reason, 'first-byte-timeout');
    assert.ok(outcome.endedAt - outcome.startedAt >= 60);
    assert.ok(outcome.endedAt - outcome.startedAt < 1_500);
  });

  it('header fields that drip in: failed at the time to the first byte', async () => {
    const outcome = await ask(http, drip('HTTP/1.1 200 OK\r\nX: ', 'x'), {
      limits: { firstByteMs: 120 },
    });
    assert.equal(failed(outcome).reason, 'first-byte-timeout');
  });

  it('silence longer than the whole time allows: failed at the whole time', async () => {
    const outcome = await ask(http, () => {}, { limits: { wholeMs: 60 } });
    assert.equal(failed(outcome).reason, 'whole-timeout');
  });
}

export function hostileBodies(http: Http): void {
  it('promise 4: a body without end: cut exactly at the limit, and hung up', async () => {
    await withServer(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n');
        pour(socket, Buffer.alloc(50_000, 'a'));
      },
      async (server) => {
        const closed = server.nextClose();
        const outcome = answered(await askOf(http, server, { limits: { bodyBytes: 123_457 } }));
        assert.equal(outcome.truncated, 'body-limit');
        assert.equal(outcome.body.length, 123_457);
        await closed;
      },
    );
  });

  it('a body of exactly the limit: whole', async () => {
    const outcome = await ask(http, (socket) => socket.write(page('12345')), {
      limits: { bodyBytes: 5 },
    });
    assert.equal(textOf(outcome), '12345');
    assert.equal(answered(outcome).truncated, undefined);
  });

  it('a body that drips: what came in the whole time, called time-limit', async () => {
    const outcome = answered(
      await ask(http, drip('HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n', 'x'), {
        limits: { wholeMs: 150 },
      }),
    );
    assert.equal(outcome.truncated, 'time-limit');
    assert.ok(outcome.body.length > 0);
    assert.ok(outcome.timing.wholeMs < 1_500);
  });

  it('an announced length of petabytes: costs no memory, ends with the connection', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const outcome = await ask(http, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9007199254740991\r\n\r\n');
      socket.write('a');
      setImmediate(() => socket.end('b'));
    });
    assert.ok(textOf(outcome).startsWith('a'));
    assert.equal(answered(outcome).truncated, 'length-mismatch');
    assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000);
  });

  it('trailers without end: the body, called broken-framing', async () => {
    const outcome = await ask(http, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n');
      pour(socket, `X-T: ${'y'.repeat(500)}\r\n`.repeat(64));
    });
    assert.equal(textOf(outcome), 'body');
    assert.equal(answered(outcome).truncated, 'broken-framing');
  });
}

/** One byte every few milliseconds, for as long as the client listens. */
function drip(head: string, piece: string): Answerer {
  return (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => clearInterval(timer));
  };
}
