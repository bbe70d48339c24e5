/** The node adapter keeps the promises of the port, and its own about connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Answered, Outcome } from '../../fetch/outcome.ts';
import { page, type RawServer, rawServer } from '../../ports/http.contract.raw.ts';
import { selfSigned } from '../../ports/http.contract.tls.ts';
import { httpContract } from '../../ports/http.contract.ts';
import type { HttpRequest } from '../../ports/http.ts';
import { systemClock } from './clock.ts';
import { type HttpOptions, type NodeHttp, openHttp } from './http.ts';

httpContract('node', (options) => openHttp({ clock: systemClock(), ...options }));

const LIMITS = {
  connectMs: 2_000,
  firstByteMs: 2_000,
  wholeMs: 5_000,
  headerBytes: 16_384,
  bodyBytes: 65_536,
};

function open(options: Partial<HttpOptions> = {}): NodeHttp {
  const addresses = { allowPrivate: true, blockedNetworks: [], blockedHosts: [] };
  return openHttp({ clock: systemClock(), addresses, ...options });
}

function requestTo(host: string, { port }: { port: number }): HttpRequest {
  const url = `http://${host}:${port}/`;
  return { url, address: '127.0.0.1', headers: {}, limits: LIMITS, wants: () => true };
}

async function serving(use: (server: RawServer) => Promise<void>): Promise<void> {
  const server = await rawServer((socket) => socket.write(page('ok')));
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

function statusOf(outcome: Outcome): number | string {
  return outcome.kind === 'answered' ? outcome.status : JSON.stringify(outcome);
}

it('more hosts than lines: the lines that idled longest are closed, the count stays bounded', async () => {
  const http = open({ openLinesMax: 3 });
  await serving(async (server) => {
    for (let i = 0; i < 20; i++) {
      assert.equal(statusOf(await http.exchange(requestTo(`h${i}.test`, server))), 200);
      assert.ok(http.stats().open <= 3);
    }
    await http.exchange(requestTo('h19.test', server));
    assert.equal(server.seen.connections, 20);
    await http.exchange(requestTo('h0.test', server));
    assert.equal(server.seen.connections, 21);
  });
  await http.close();
});

it('more exchanges at once than lines: all are made, and the count comes down after', async () => {
  const http = open({ openLinesMax: 2 });
  await serving(async (server) => {
    const hosts = Array.from({ length: 10 }, (_, i) => `h${i}.test`);
    const outcomes = await Promise.all(hosts.map((host) => http.exchange(requestTo(host, server))));
    assert.deepEqual(outcomes.map(statusOf), new Array(10).fill(200));
    assert.ok(http.stats().idle <= 2);
    assert.ok(http.stats().open <= 2);
    assert.equal(http.stats().inFlight, 0);
  });
  await http.close();
});

it('a connection that idles too long: closed and forgotten', async () => {
  const http = open({ idleMs: 30 });
  await serving(async (server) => {
    const closed = server.nextClose();
    await http.exchange(requestTo('a.test', server));
    await closed;
    for (let turn = 0; turn < 1_000 && http.stats().open > 0; turn++) await nextTurn();
    assert.deepEqual(http.stats(), { inFlight: 0, open: 0, idle: 0 });
  });
  await http.close();
});

it('a server that closes after its answer: the line is forgotten', async () => {
  const http = open();
  const server = await rawServer((socket) => socket.end(page('bye', 'Connection: close')));
  const closed = server.nextClose();
  await http.exchange(requestTo('a.test', server));
  await closed;
  assert.equal(statusOf(await http.exchange(requestTo('a.test', server))), 200);
  assert.equal(server.seen.connections, 2);
  await server.close();
  await http.close();
});

it('the same host at another address: another connection', async () => {
  const http = open();
  await serving(async (server) => {
    await http.exchange(requestTo('a.test', server));
    const elsewhere = { ...requestTo('a.test', server), address: '127.0.0.2' };
    assert.equal((await http.exchange(elsewhere)).kind, 'failed');
    assert.equal(server.seen.connections, 1);
  });
  await http.close();
});

it('2,000 exchanges on one connection: no listener and no line is left behind', async () => {
  const http = open();
  const sockets = new Set<Socket>();
  const write = Socket.prototype.write;
  Socket.prototype.write = function watched(this: Socket, ...rest: unknown[]) {
    if (String(rest[0]).startsWith('GET ')) sockets.add(this);
    return Reflect.apply(write, this, rest);
  };
  try {
    await serving(async (server) => {
      const counts = new Set<string>();
      for (let i = 0; i < 2_000; i++) {
        assert.equal(statusOf(await http.exchange(requestTo('a.test', server))), 200);
        if (i === 0 || i === 1_999) counts.add(listenersOf(sockets));
      }
      assert.equal(sockets.size, 1);
      assert.equal(counts.size, 1, [...counts].join(' / '));
      assert.deepEqual(http.stats(), { inFlight: 0, open: 1, idle: 1 });
    });
  } finally {
    Socket.prototype.write = write;
  }
  await http.close();
});

it('connections that idle hold on to no answer, not even to their first', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const http = open();
  const bodyFrom = async (host: string, server: RawServer) => {
    const outcome = (await http.exchange(requestTo(host, server))) as Answered;
    return new WeakRef(outcome.body);
  };
  await serving(async (server) => {
    const bodies: WeakRef<Uint8Array>[] = [];
    for (const host of ['a.test', 'b.test', 'a.test']) bodies.push(await bodyFrom(host, server));
    assert.equal(http.stats().idle, 2);
    await nextTurn();
    collect();
    const held = bodies.filter((body) => body.deref() !== undefined);
    assert.equal(held.length, 0);
  });
  await http.close();
});

function listenersOf(sockets: ReadonlySet<Socket>): string {
  return [...sockets]
    .flatMap((socket) => socket.eventNames().map((name) => [name, socket.listenerCount(name)]))
    .join(' ');
}

it('a server that says how long it keeps connections: they are dropped before', async () => {
  const http = open();
  const server = await rawServer((socket) => socket.write(page('ok', 'Keep-Alive: timeout=1')));
  for (let i = 0; i < 2; i++) await http.exchange(requestTo('a.test', server));
  assert.equal(server.seen.connections, 2);
  assert.equal(http.stats().open, 0);
  await server.close();
  await http.close();
});

it('close with lines idle, connecting and asked: all end, none stays open', async () => {
  const http = open();
  const server = await rawServer((socket, head) => {
    if (!head.includes('slow')) socket.write(page('ok'));
    else closing = http.close();
  });
  let closing: Promise<void> | undefined;
  await http.exchange(requestTo('quick.test', server));
  const asked = http.exchange(requestTo('slow.test', server));
  const outcome = await asked;
  assert.equal(outcome.kind === 'failed' && outcome.reason, 'aborted');
  await closing;
  assert.deepEqual(http.stats(), { inFlight: 0, open: 0, idle: 0 });
  await server.close();
});

it('through a proxy: the name goes to the proxy, the answer comes back', async () => {
  await serving(async (server) => {
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (head) => {
        asked.push(String(head).split('\r\n')[0] as string);
        const inner = connect(server.port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.pipe(inner).pipe(socket);
        });
        inner.on('error', () => {});
      });
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as { port: number };
    const http = open({ proxy: `http://127.0.0.1:${port}` });
    assert.equal(statusOf(await http.exchange(requestTo('far.test', server))), 200);
    assert.deepEqual(asked, [`CONNECT far.test:${server.port} HTTP/1.1`]);
    await http.close();
    proxy.close();
  });
});

const REFUSALS: [string, string][] = [
  ['that wants a password', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'],
  ['that is none', 'SSH-2.0-OpenSSH_9.2\r\n'],
];
for (const [situation, answer] of REFUSALS) {
  it(`a proxy ${situation}: failed to connect, with the reason`, async () => {
    const proxy = await rawServer((socket) => socket.write(answer));
    const http = open({ proxy: `http://us%20er:pass@127.0.0.1:${proxy.port}` });
    const outcome = await http.exchange(requestTo('far.test', { port: 80 }));
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'connect', JSON.stringify(outcome));
    const secret = Buffer.from('us er:pass').toString('base64');
    assert.match(proxy.seen.heads[0] ?? '', new RegExp(`\r\nproxy-authorization: Basic ${secret}`));
    await http.close();
    await proxy.close();
  });
}

it('through a proxy to a TLS server: the handshake and the page go through the tunnel', async () => {
  const secret = selfSigned('far.test');
  const inner = createTlsServer(secret, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write(page('secret page')));
  });
  inner.listen(0, '127.0.0.1');
  await once(inner, 'listening');
  const { port } = inner.address() as { port: number };
  const ends: Socket[] = [];
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const far = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => {});
      ends.push(socket, far);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyPort = (proxy.address() as { port: number }).port;
  const http = open({ proxy: `http://127.0.0.1:${proxyPort}`, acceptBadTls: true });
  const request = { ...requestTo('far.test', { port }), url: `https://far.test:${port}/` };
  for (let i = 0; i < 2; i++) {
    const outcome = await http.exchange(request);
    assert.equal(statusOf(outcome), 200);
    const { tls } = outcome as Answered;
    assert.match(`${tls?.protocol} ${tls?.cipher}`, /^TLSv1\.\d TLS_\w+$/);
  }
  assert.equal(ends.length, 2);
  await http.close();
  for (const end of ends) end.destroy();
  proxy.close();
  inner.close();
});

it('a proxy that is not there: failed, not thrown', async () => {
  const http = open({ proxy: 'http://127.0.0.1:9' });
  const outcome = await http.exchange(requestTo('far.test', { port: 80 }));
  assert.equal(outcome.kind === 'failed' && outcome.reason, 'connect', JSON.stringify(outcome));
  await http.close();
});
