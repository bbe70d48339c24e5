/** The node adapter keeps the promises of the port, and its own about connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outcome } from '../../fetch/outcome.ts';
import { page, type RawServer, rawServer } from '../../ports/http.contract.raw.ts';
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

it('a proxy that is not there: failed, not thrown', async () => {
  const http = open({ proxy: 'http://127.0.0.1:9' });
  const outcome = await http.exchange(requestTo('far.test', { port: 80 }));
  assert.equal(outcome.kind === 'failed' && outcome.reason, 'connect', JSON.stringify(outcome));
  await http.close();
});
