/**
 * TLS that cannot be trusted (H3), and HTTP/2 with its own ways to break.
 * Part of http.contract.ts.
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
import { it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import {
  answered,
  failed,
  LIMITS,
  requestFor,
  textOf,
  withServer,
} from './http.contract.asking.ts';
import { page } from './http.contract.raw.ts';
import { selfSigned } from './http.contract.tls.ts';
import type { Http } from './http.ts';

export function tls(strict: Http, lenient: Http): void {
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

export function http2(lenient: Http): void {
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

  it('an idle HTTP/2 connection that is cut as we ask: asked again on a new one', async () => {
    let streams = 0;
    await serve(
      (stream) => {
        if (++streams === 2) stream.session?.destroy();
        else {
          stream.respond({ ':status': 200 });
          stream.end(`stream ${streams}`);
        }
      },
      async (url) => {
        assert.equal(textOf(await lenient.exchange(requestFor(url))), 'stream 1');
        assert.equal(textOf(await lenient.exchange(requestFor(url))), 'stream 3');
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
