/**
 * The promises of the `Http` port, proved of any adapter that opens real connections.
 *
 *   httpContract('node', openHttp)
 *
 * The servers here are bare sockets that answer byte by byte what a hostile one would. Time
 * limits are short; nothing sleeps but what a limit ends.
 *
 *   .raw.ts       a server that may be wrong    .asking.ts    how the tests ask
 *   .hostile.ts   heads and bodies              .lenient.ts   what browsers bear
 *   .secure.ts    TLS and HTTP/2                .tls.ts       a certificate
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { AddressRules } from '../fetch/address.ts';
import {
  answered,
  ask,
  askOf,
  failed,
  LOOPBACK,
  requestFor,
  textOf,
  withServer,
} from './http.contract.asking.ts';
import { hostileBodies, hostileHeads } from './http.contract.hostile.ts';
import { lenience } from './http.contract.lenient.ts';
import { page, pour, rawServer } from './http.contract.raw.ts';
import { http2, tls } from './http.contract.secure.ts';
import { stopped } from './http.contract.stopped.ts';
import type { Http } from './http.ts';

export interface HttpContractOptions {
  readonly addresses: AddressRules;
  readonly acceptBadTls?: boolean;
}

export function httpContract(name: string, open: (options: HttpContractOptions) => Http): void {
  describe(`${name} http`, () => {
    const http = open({ addresses: LOOPBACK });
    const lenient = open({ addresses: LOOPBACK, acceptBadTls: true });
    lastLook(() => http);
    stopped(() => http);
    after(async () => {
      await http.close();
      await lenient.close();
    });
    ordinary(http);
    connections(http);
    endings(http);
    hostileHeads(http);
    hostileBodies(http);
    lenience(http);
    stopping(() => open({ addresses: LOOPBACK }));
    addresses(open);
    tls(http, lenient);
    http2(lenient);
  });
}

function ordinary(http: Http): void {
  it('an ordinary page: status, fields, body, address and times are told', async () => {
    const fields = ['X-A: 1', 'x-a: 2', 'Set-Cookie: a=1', 'Set-Cookie: b=2', '__proto__: x'];
    const outcome = answered(await ask(http, (socket) => socket.end(page('hello', ...fields))));
    assert.equal(outcome.status, 200);
    assert.equal(outcome.headers['x-a'], '1, 2');
    assert.equal(outcome.headers['set-cookie'], 'a=1\nb=2');
    assert.equal(textOf(outcome), 'hello');
    assert.equal(outcome.head, page('', ...fields).replace('Length: 0', 'Length: 5'));
    assert.equal(outcome.tls, undefined);
    assert.equal(outcome.truncated, undefined);
    assert.equal(outcome.remoteAddress, '127.0.0.1');
    assert.equal(outcome.httpVersion, '1.1');
    assert.ok((outcome.timing.connectMs ?? -1) >= 0);
    assert.ok(outcome.timing.firstByteMs <= outcome.timing.wholeMs);
  });

  it('a request: path, host and header fields go out as given', async () => {
    await withServer(
      (socket) => socket.end(page('')),
      async (server) => {
        const url = `http://some.test:${server.port}/a%20b?c=d#e`;
        answered(await askOf(http, server, { url, headers: { 'user-agent': 'Test/1' } }));
        const head = server.seen.heads[0] as string;
        assert.match(head, /^GET \/a%20b\?c=d HTTP\/1\.1\r\n/);
        assert.match(head, new RegExp(`\r\nhost: some\\.test:${server.port}`, 'i'));
        assert.match(head, /\r\nuser-agent: Test\/1/i);
      },
    );
  });

  it('promise 3: a redirect is answered, not followed', async () => {
    const outcome = answered(
      await ask(http, (socket) =>
        socket.end('HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n'),
      ),
    );
    assert.equal(outcome.status, 302);
    assert.equal(outcome.headers.location, 'http://10.0.0.1/');
  });

  it('HTTP/1.0 without a length: the body ends with the connection, and is whole', async () => {
    const outcome = await ask(http, (socket) =>
      socket.end('HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nold page'),
    );
    assert.equal(textOf(outcome), 'old page');
    assert.equal(answered(outcome).httpVersion, '1.0');
    assert.equal(answered(outcome).truncated, undefined);
  });

  it('a body in many chunks, some of one byte: whole and in order', async () => {
    const letters = 'abcdefghij'.repeat(5_000);
    const chunks = [...letters.slice(0, 2_000)].map((letter) => `1\r\n${letter}\r\n`).join('');
    const rest = letters.slice(2_000);
    const outcome = await ask(http, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
      socket.end(`${rest.length.toString(16)}\r\n${rest}\r\n0\r\n\r\n`);
    });
    assert.equal(textOf(outcome), letters);
  });

  it('an early hint before the answer: the answer counts', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    assert.equal(textOf(await ask(http, (socket) => socket.end(hint + page('real')))), 'real');
  });
}

function connections(http: Http): void {
  it('one exchange after another: the connection is used again', async () => {
    await withServer(
      (socket, _, count) => socket.write(page(`answer ${count}`)),
      async (server) => {
        answered(await askOf(http, server));
        const second = await askOf(http, server);
        assert.equal(textOf(second), 'answer 2');
        assert.equal(answered(second).timing.connectMs, undefined);
        assert.equal(server.seen.connections, 1);
      },
    );
  });

  it('two exchanges at once: two connections, neither waits for the other', async () => {
    const held: (() => void)[] = [];
    await withServer(
      (socket) => {
        held.push(() => socket.write(page('both')));
        if (held.length === 2) for (const release of held) release();
      },
      async (server) => {
        const both = await Promise.all([askOf(http, server), askOf(http, server)]);
        assert.deepEqual(both.map(textOf), ['both', 'both']);
        assert.equal(server.seen.connections, 2);
      },
    );
  });

  it('an idle connection that the server closes as we ask: asked again on a new one', async () => {
    await withServer(
      (socket, _, count) => {
        if (count === 1) socket.write(page('first'));
        else socket.destroy();
      },
      async (server) => {
        answered(await askOf(http, server));
        assert.equal(textOf(await askOf(http, server)), 'first');
        assert.equal(server.seen.connections, 2);
      },
    );
  });

  it('bytes after the answer: they never become part of the next one', async () => {
    await withServer(
      (socket, _, count) => socket.write(`${page(`page ${count}`)}HTTP/1.1 200 OK\r\n\r\nsmuggled`),
      async (server) => {
        assert.equal(textOf(await askOf(http, server)), 'page 1');
        assert.equal(textOf(await askOf(http, server)), 'page 1');
      },
    );
  });

  it('an unwanted type with a short body: no body, and the connection is kept', async () => {
    await withServer(
      (socket) => socket.write(page('x'.repeat(1_000))),
      async (server) => {
        const outcome = answered(await askOf(http, server, { wants: () => false }));
        assert.equal(outcome.truncated, 'unwanted-type');
        assert.equal(outcome.body.length, 0);
        answered(await askOf(http, server));
        assert.equal(server.seen.connections, 1);
      },
    );
  });

  it('an unwanted type with a long body: stops at the headers and hangs up', async () => {
    await withServer(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: Video/MP4; x=y\r\n\r\n');
        pour(socket, Buffer.alloc(65_536));
      },
      async (server) => {
        const closed = server.nextClose();
        const types: string[] = [];
        const wants = (type: string) => types.push(type) === 0;
        const outcome = answered(await askOf(http, server, { wants }));
        assert.deepEqual(types, ['video/mp4']);
        assert.equal(outcome.truncated, 'unwanted-type');
        assert.equal(outcome.headers['content-type'], 'Video/MP4; x=y');
        await closed;
      },
    );
  });
}

function endings(http: Http): void {
  it('nobody listens: failed to connect, with the reason', async () => {
    const server = await rawServer(() => {});
    await server.close();
    const outcome = failed(await askOf(http, server));
    assert.equal(outcome.reason, 'connect');
    assert.match(outcome.detail, /ECONNREFUSED/);
  });

  it('closed without an answer: failed as closed, after one connection', async () => {
    await withServer(
      (socket) => socket.end(),
      async (server) => {
        assert.equal(failed(await askOf(http, server)).reason, 'closed');
        assert.equal(server.seen.connections, 1);
      },
    );
  });

  it('closed in the middle of a header field: failed as closed', async () => {
    const outcome = await ask(http, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'));
    assert.equal(failed(outcome).reason, 'closed');
  });

  it('fewer bytes than announced: what came, called length-mismatch', async () => {
    const outcome = await ask(http, (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    );
    assert.equal(textOf(outcome), 'half');
    assert.equal(answered(outcome).truncated, 'length-mismatch');
  });

  it('closed in the middle of the chunks: what came, called connection-closed', async () => {
    const outcome = await ask(http, (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n50\r\nmore'),
    );
    assert.equal(textOf(outcome), 'halfmore');
    assert.equal(answered(outcome).truncated, 'connection-closed');
  });

  it('reset in the middle of the body: what came, called connection-closed', async () => {
    let cut = () => {};
    const outcome = await ask(
      http,
      (socket) => {
        cut = () => socket.resetAndDestroy();
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
      },
      { wants: () => setImmediate(cut) !== undefined },
    );
    assert.equal(textOf(outcome), 'half');
    assert.equal(answered(outcome).truncated, 'connection-closed');
  });

  it('chunks that make no sense: what came before, called broken-framing', async () => {
    const outcome = await ask(http, (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\nzz\r\nbad'),
    );
    assert.equal(textOf(outcome), 'good');
    assert.equal(answered(outcome).truncated, 'broken-framing');
  });

  for (const status of ['204 No Content', '304 Not Modified']) {
    it(`${status} with a body: answered, without one`, async () => {
      const outcome = await ask(http, (socket) =>
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 4\r\n\r\nbody`),
      );
      assert.equal(answered(outcome).status, Number.parseInt(status, 10));
      assert.equal(answered(outcome).body.length, 0);
      assert.equal(answered(outcome).truncated, undefined);
    });
  }
}

function stopping(open: () => Http): void {
  it('a signal: ends the exchange as aborted; one that came before, at once', async () => {
    const http = open();
    await withServer(
      () => stop.abort(),
      async (server) => {
        const request = requestFor(`http://127.0.0.1:${server.port}/`);
        assert.equal(failed(await http.exchange(request, stop.signal)).reason, 'aborted');
        assert.equal(failed(await http.exchange(request, stop.signal)).reason, 'aborted');
        assert.equal(server.seen.heads.length, 1);
      },
    );
    await http.close();
  });
  const stop = new AbortController();

  it('close: ends what is in flight as aborted, and so whatever is asked later', async () => {
    const http = open();
    let closing: Promise<void> | undefined;
    await withServer(
      () => {
        closing = http.close();
      },
      async (server) => {
        assert.equal(failed(await askOf(http, server)).reason, 'aborted');
        await closing;
        assert.equal(failed(await askOf(http, server)).reason, 'aborted');
        assert.equal(server.seen.connections, 1);
      },
    );
  });

  it('a URL that cannot be put on the wire: failed, not thrown', async () => {
    const http = open();
    for (const url of ['', 'nonsense', 'ftp://a/', 'http://a:99999/', 'http://a/b c\r\nX: y']) {
      assert.equal(failed(await http.exchange(requestFor(url))).reason, 'protocol', url);
    }
    await http.close();
  });
}

/** 5. Nothing is sent after `mayStill` has said no. */
function lastLook(http: () => Http): void {
  it('promise 5: not ours any more by the time that it is connected: nothing is written', () =>
    withServer(
      (socket) => socket.end(page('never')),
      async (server) => {
        let isAsked = false;
        const mayStill = () => {
          isAsked = true;
          return false;
        };
        const { reason } = failed(await askOf(http(), server, { mayStill }));
        assert.deepEqual([reason, isAsked, server.seen.heads], ['aborted', true, []]);
      },
    ));

  it('promise 5: on a line that is open already, too', () =>
    withServer(
      (socket) => socket.write(page('hello')),
      async (server) => {
        answered(await askOf(http(), server, { mayStill: () => true }));
        failed(await askOf(http(), server, { mayStill: () => false }));
        assert.equal(server.seen.heads.length, 1);
      },
    ));

  it('promise 5: lost while the answer is waited for: broken off', () =>
    withServer(
      () => {
        isOurs = false;
      },
      async (server) => {
        const outcome = await askOf(http(), server, { mayStill: () => isOurs });
        assert.equal(failed(outcome).reason, 'aborted');
      },
    ));
  let isOurs = true;
}

function addresses(open: (options: HttpContractOptions) => Http): void {
  it('promise 2: a private address without permission: refused, and nobody is asked', async () => {
    const http = open({ addresses: { ...LOOPBACK, allowPrivate: false } });
    await withServer(
      (socket) => socket.end(page('secret')),
      async (server) => {
        for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
          const outcome = await askOf(http, server, { address });
          assert.equal(outcome.kind, 'refused', address);
        }
        assert.equal(server.seen.connections, 0);
      },
    );
    await http.close();
  });

  it('promise 2: the name in the URL is not looked up again', async () => {
    const http = open({ addresses: LOOPBACK });
    await withServer(
      (socket) => socket.end(page('here')),
      async (server) => {
        const url = `http://never.invalid:${server.port}/`;
        assert.equal(textOf(await askOf(http, server, { url })), 'here');
      },
    );
    await http.close();
  });
}
