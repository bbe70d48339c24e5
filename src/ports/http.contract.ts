/**
 * The promises of the `Http` port, proved of any adapter that opens real connections.
 *
 *   httpContract('node', openHttp)
 *
 * The servers here are bare sockets that answer byte by byte what a hostile one would
 * (http.contract.raw.ts). Time limits are short; nothing sleeps but what a limit ends.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressRules } from '../fetch/address.ts';
import type { Answered, Failed, Outcome } from '../fetch/outcome.ts';
import { type Answerer, page, pour, type RawServer, rawServer } from './http.contract.raw.ts';
import { selfSigned } from './http.contract.tls.ts';
import type { FetchLimits, Http, HttpRequest } from './http.ts';

export interface HttpContractOptions {
  readonly addresses: AddressRules;
  readonly acceptBadTls?: boolean;
}

const LOOPBACK: AddressRules = { allowPrivate: true, blockedNetworks: [], blockedHosts: [] };

const LIMITS: FetchLimits = {
  connectMs: 2_000,
  firstByteMs: 2_000,
  wholeMs: 5_000,
  headerBytes: 16 * 1024,
  bodyBytes: 256 * 1024,
};

type Asked = Partial<Omit<HttpRequest, 'limits'>> & { readonly limits?: Partial<FetchLimits> };

export function httpContract(name: string, open: (options: HttpContractOptions) => Http): void {
  describe(`${name} http`, () => {
    const http = open({ addresses: LOOPBACK });
    const lenient = open({ addresses: LOOPBACK, acceptBadTls: true });
    after(async () => {
      await http.close();
      await lenient.close();
    });
    ordinary(http);
    connections(http);
    endings(http);
    hostileHeads(http);
    hostileBodies(http);
    stopping(() => open({ addresses: LOOPBACK }));
    addresses(open);
    tls(http, lenient);
    http2(lenient);
  });
}

/** Starts a raw server, asks it once, and closes it. */
async function ask(http: Http, answer: Answerer, asked: Asked = {}): Promise<Outcome> {
  return withServer(answer, (server) => askOf(http, server, asked));
}

async function withServer<T>(answer: Answerer, use: (server: RawServer) => Promise<T>): Promise<T> {
  const server = await rawServer(answer);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function askOf(http: Http, { port }: { port: number }, asked: Asked = {}): Promise<Outcome> {
  return http.exchange({
    ...requestFor(`http://127.0.0.1:${port}/`),
    ...asked,
    limits: limits(asked),
  });
}

function limits(asked: Asked): FetchLimits {
  return { ...LIMITS, ...asked.limits };
}

function requestFor(url: string): HttpRequest {
  return { url, address: '127.0.0.1', headers: {}, limits: LIMITS, wants: () => true };
}

function answered(outcome: Outcome): Answered {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
  return outcome as Answered;
}

function failed(outcome: Outcome): Failed {
  assert.equal(outcome.kind, 'failed', JSON.stringify(outcome).slice(0, 300));
  return outcome as Failed;
}

function textOf(outcome: Outcome): string {
  return Buffer.from(answered(outcome).body).toString();
}

function ordinary(http: Http): void {
  it('an ordinary page: status, fields, body, address and times are told', async () => {
    const fields = ['X-A: 1', 'x-a: 2', 'Set-Cookie: a=1', 'Set-Cookie: b=2', '__proto__: x'];
    const outcome = answered(await ask(http, (socket) => socket.end(page('hello', ...fields))));
    assert.equal(outcome.status, 200);
    assert.equal(outcome.headers['x-a'], '1, 2');
    assert.equal(outcome.headers['set-cookie'], 'a=1\nb=2');
    assert.equal(textOf(outcome), 'hello');
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

function hostileHeads(http: Http): void {
  const cases: [string, string | Buffer][] = [
    ['plain text where HTTP should be', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/0.9: a page without a head', '<html>hello</html>\r\n\r\n'],
    ['a NUL in a header value', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n'],
    ['a control byte in a header name', 'HTTP/1.1 200 OK\r\nX\x01Y: a\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a switch of protocol nobody asked for', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n'],
    [
      'two lengths that differ',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
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

  it('a status line without end: failed within the time to the first byte', async () => {
    const outcome = await ask(
      http,
      (socket) => {
        socket.write('HTTP/1.1 200 ');
        pour(socket, 'O'.repeat(1_024));
      },
      { limits: { firstByteMs: 100 } },
    );
    assert.equal(failed(outcome).reason, 'first-byte-timeout');
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

function hostileBodies(http: Http): void {
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

function tls(strict: Http, lenient: Http): void {
  const secret = selfSigned('host.test');
  const secure = async (use: (url: string, port: number) => Promise<void>) => {
    const server = createTlsServer({ ...secret, ALPNProtocols: ['http/1.1'] }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(page('over tls')));
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    try {
      await use(`https://host.test:${port}/`, port);
    } finally {
      server.close();
    }
  };

  it('a certificate nobody vouches for: failed as tls', async () => {
    await secure(async (url) => {
      const outcome = failed(await strict.exchange(requestFor(url)));
      assert.equal(outcome.reason, 'tls');
      assert.match(outcome.detail, /SELF_SIGNED|self.signed/i);
    });
  });

  it('the same, accepted by the settings: answered, and the error is told', async () => {
    await secure(async (url) => {
      const outcome = answered(await lenient.exchange(requestFor(url)));
      assert.equal(textOf(outcome), 'over tls');
      assert.match(outcome.tlsError ?? '', /SELF_SIGNED/);
    });
  });

  it('a certificate for another name, accepted: answered, and the error is told', async () => {
    await secure(async (_, port) => {
      const outcome = await lenient.exchange(requestFor(`https://other.test:${port}/`));
      assert.notEqual(answered(outcome).tlsError, undefined);
    });
  });

  it('no TLS on the other side: failed as tls', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const outcome = await strict.exchange(requestFor(`https://host.test:${port}/`));
    server.close();
    assert.equal(failed(outcome).reason, 'tls');
  });

  it('a handshake that is never answered: failed at the time to connect', async () => {
    await withServer(
      () => {},
      async ({ port }) => {
        const limits = { ...LIMITS, connectMs: 60 };
        const request = { ...requestFor(`https://host.test:${port}/`), limits };
        assert.equal(failed(await strict.exchange(request)).reason, 'connect-timeout');
      },
    );
  });
}

function http2(lenient: Http): void {
  const secret = selfSigned('h2.test');
  const serve = async (
    answer: (stream: ServerHttp2Stream, path: string) => void,
    use: (url: string, server: Http2SecureServer) => Promise<void>,
  ) => {
    const server = createSecureServer(secret);
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      answer(stream, String(headers[':path']));
    });
    server.on('sessionError', () => {});
    const sessions = new Set<ServerHttp2Session>();
    server.on('session', (session) => sessions.add(session));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await use(`https://h2.test:${(server.address() as { port: number }).port}/`, server);
    } finally {
      for (const session of sessions) session.destroy();
      server.close();
    }
  };

  it('a server that speaks HTTP/2: spoken to in it, page after page on one connection', async () => {
    let sessions = 0;
    await serve(
      (stream, path) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html', 'set-cookie': ['a', 'b'] });
        stream.end(`two ${path}`);
      },
      async (url, server) => {
        server.on('session', () => sessions++);
        const first = answered(await lenient.exchange(requestFor(`${url}a`)));
        assert.equal(first.httpVersion, '2');
        assert.equal(first.headers['set-cookie'], 'a\nb');
        assert.equal(textOf(await lenient.exchange(requestFor(`${url}b`))), 'two /b');
        assert.equal(sessions, 1);
      },
    );
  });

  const breaks: [string, (stream: ServerHttp2Stream) => void][] = [
    ['reset before an answer', (stream) => stream.close(2)],
    ['refused', (stream) => stream.close(7)],
    ['cancelled', (stream) => stream.close(8)],
    ['told to go away', (stream) => stream.session?.goaway(11)],
    ['cut off', (stream) => stream.session?.destroy()],
  ];
  for (const [situation, act] of breaks) {
    it(`an HTTP/2 stream that is ${situation}: failed, and nothing breaks`, async () => {
      await serve(act, async (url) => {
        const limits = { ...LIMITS, wholeMs: 1_000 };
        failed(await lenient.exchange({ ...requestFor(url), limits }));
      });
    });
  }

  const cuts: [string, (stream: ServerHttp2Stream) => void][] = [
    ['reset', (stream) => stream.destroy(new Error('reset'))],
    ['told to go away', (stream) => stream.session?.goaway(11)],
    ['cut off', (stream) => stream.session?.destroy()],
  ];
  for (const [situation, act] of cuts) {
    it(`an HTTP/2 body that is ${situation}: what came, and why it is short`, async () => {
      await serve(
        (stream) => {
          stream.respond({ ':status': 200 });
          stream.write('begun', () => act(stream));
        },
        async (url) => {
          const limits = { ...LIMITS, wholeMs: 1_000 };
          const outcome = answered(await lenient.exchange({ ...requestFor(url), limits }));
          assert.notEqual(outcome.truncated, undefined);
        },
      );
    });
  }

  it('HTTP/2 header fields without end: failed, within the limit', async () => {
    await serve(
      (stream) => stream.respond({ ':status': 200, 'x-flood': 'x'.repeat(40_000) }),
      async (url) => {
        const outcome = failed(await lenient.exchange(requestFor(url)));
        assert.equal(outcome.reason, 'header-limit');
      },
    );
  });

  it('an HTTP/2 body without end: cut exactly at the limit', async () => {
    await serve(
      (stream) => {
        stream.respond({ ':status': 200 });
        const more = () => {
          while (!stream.destroyed && stream.write(Buffer.alloc(16_384)));
          if (!stream.destroyed) stream.once('drain', more);
        };
        more();
      },
      async (url) => {
        const outcome = answered(await lenient.exchange(requestFor(url)));
        assert.equal(outcome.truncated, 'body-limit');
        assert.equal(outcome.body.length, LIMITS.bodyBytes);
      },
    );
  });
}
