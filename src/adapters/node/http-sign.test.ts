/** Signatures on the wire (P8): made as a request goes out, for the authority that is sent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type Answerer, page, rawServer } from '../../ports/http.contract.raw.ts';
import { selfSigned } from '../../ports/http.contract.tls.ts';
import type { HttpRequest } from '../../ports/http.ts';
import { requestSigner, SignKey } from '../../sign/index.ts';
import { systemClock } from './clock.ts';
import { type HttpOptions, openHttp } from './http.ts';
import { H2Session } from './http-h2.ts';

const AT = Date.UTC(2026, 0, 31, 12);
const AGENT = 'https://bot.example';
const LIMITS = {
  ...{ connectMs: 2_000, firstByteMs: 2_000, wholeMs: 5_000 },
  ...{ headerBytes: 16_384, bodyBytes: 65_536 },
};

/** Nonces are counted, so that a test can tell one signature from the next. */
function signer() {
  let made = 0;
  return requestSigner({
    ...{ key: new SignKey(new Uint8Array(32)), signatureAgent: AGENT, form: 'dictionary' },
    now: () => AT + 1_999 * made,
    nonce: () => new Uint8Array([++made]),
  });
}

function open(t: TestContext, options: Partial<HttpOptions> = {}) {
  const addresses = { allowPrivate: true, blockedNetworks: [], blockedHosts: [] };
  const http = openHttp({ clock: systemClock(), addresses, sign: signer(), ...options });
  t.after(() => http.close());
  return http;
}

async function serve(t: TestContext, answer: Answerer) {
  const server = await rawServer(answer);
  t.after(() => server.close());
  return server;
}

function requestFor(url: string): HttpRequest {
  const headers = { accept: '*/*' };
  return { url, address: '127.0.0.1', headers, limits: LIMITS, wants: () => true };
}

const nonceIn = (head: string) => /nonce="([^"]*)"/.exec(head)?.[1];
const FIRST = Buffer.from([1]).toString('base64');
const SECOND = Buffer.from([2]).toString('base64');

it('a signature is of now, by the clock it is given, and lives for five minutes', () => {
  const fields = signer()('example.com');
  assert.deepEqual(Object.keys(fields), ['signature-agent', 'signature-input', 'signature']);
  const input = fields['signature-input'] ?? '';
  assert.ok(input.startsWith('sig1=("@authority" "signature-agent";key="sig1");created='), input);
  assert.ok(input.includes(`;created=${AT / 1_000};`), input);
  assert.ok(input.includes(`;expires=${AT / 1_000 + 300};`), input);
});

it('HTTP/1.1: three fields on each request, and the fields of the visit stay', async (t) => {
  const server = await serve(t, (socket) => socket.write(page('ok')));
  const http = open(t);
  for (let i = 0; i < 2; i++) await http.exchange(requestFor(`http://a.test:${server.port}/`));
  const [first = '', second = ''] = server.seen.heads;
  assert.match(first, /\r\nsignature-agent: sig1="https:\/\/bot\.example"\r\n/);
  assert.match(first, /\r\nsignature: sig1=:[\w+/]{86}==:\r\n/);
  assert.match(first, /\r\naccept: \*\/\*/);
  assert.deepEqual([nonceIn(first), nonceIn(second)], [FIRST, SECOND]);
});

it('asked again after an idle connection was closed: signed again', async (t) => {
  let sockets = 0;
  const seen = new Map<Socket, number>();
  const server = await serve(t, (socket) => {
    const asked = (seen.get(socket) ?? 0) + 1;
    seen.set(socket, asked);
    if (asked === 1) socket.write(page('ok'));
    else socket.destroy();
    sockets = seen.size;
  });
  const http = open(t);
  const url = `http://a.test:${server.port}/`;
  await http.exchange(requestFor(url));
  const again = await http.exchange(requestFor(url));
  assert.equal(again.kind === 'answered' && again.status, 200);
  assert.equal(sockets, 2);
  const nonces = server.seen.heads.map(nonceIn);
  assert.equal(new Set(nonces).size, 3, `${nonces}`);
});

it('through a proxy: the site gets the signature for its own name, the proxy gets none', async (t) => {
  const server = await serve(t, (socket) => socket.write(page('ok')));
  const toProxy: string[] = [];
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      toProxy.push(String(head));
      const inner = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(inner).pipe(socket);
      });
      inner.on('error', () => {});
    });
  });
  proxy.listen(0, '127.0.0.1');
  t.after(() => proxy.close());
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  const http = open(t, { proxy: `http://127.0.0.1:${port}` });
  await http.exchange(requestFor(`http://far.test:${server.port}/`));
  assert.doesNotMatch(toProxy[0] ?? '', /signature/i);
  const expected = signer()(`far.test:${server.port}`).signature;
  assert.ok(server.seen.heads[0]?.includes(`\r\nsignature: ${expected}\r\n`));
});

it('HTTP/2 on the usual port: the authority is sent and signed without it', async (t) => {
  const server = createSecureServer(selfSigned('far.test'));
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const options = { host: '127.0.0.1', port, ALPNProtocols: ['h2'], rejectUnauthorized: false };
  const socket = connectTls(options);
  await once(socket, 'secureConnect');
  const rules = { origin: 'https://far.test', host: 'far.test', headerBytes: 16_384 };
  const session = new H2Session(socket, { ...rules, idleMs: 5_000, onClose: () => {} });
  t.after(() => session.destroy());
  const asked = once(server, 'stream');
  const ignored = { onAsked: () => true, onHead() {}, onBody() {}, onEnd() {}, onFault() {} };
  session.ask({ path: '/', fields: {}, sign: signer() }, ignored);
  const [, headers] = await asked;
  assert.equal(headers[':authority'], 'far.test');
  assert.equal(headers.signature, signer()('far.test').signature);
});
