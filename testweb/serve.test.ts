/** The servers: names, addresses, certificates, the log's instants, the process. */
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestSecure } from 'node:https';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { duplicates, gaps, perAddressGaps } from './audit.ts';
import { ask } from './brute-crawl.ts';
import { judge } from './judge.ts';
import { judgeQuarters } from './judge-quarters.ts';
import { TRIPWIRE } from './log.ts';
import { SOFT_404_ENDS_MS } from './quarters/index.ts';
import { serveWeb, type WebServer } from './serve.ts';
import { openWeb } from './web.ts';

test('serve: a host answers on its own address, and the log knows the page and the agent', async (t) => {
  const server = await open(t, { hosts: 12, pages: 300 });
  const host = server.web.hosts[7]!;
  assert.equal(new Set(server.web.hosts.map((one) => one.address)).size, 12);
  const url = server.web.urlOf(7, 1);
  const reply = await ask(url, () => host.address);
  assert.equal(reply.status, 200);
  await ask(`${host.origin}/nothing/here`, () => host.address, { 'user-agent': 'curl' });
  const [first, second] = [...server.log.requests()];
  assert.equal(first!.url, url);
  assert.equal(first!.host, host.name);
  assert.equal(first!.named, true);
  assert.ok(first!.endMs >= first!.atMs);
  assert.equal(second!.url, `${host.origin}/nothing/here`);
  assert.equal(second!.named, false);
});

test('serve: hosts share an address when told to', async (t) => {
  const server = await open(t, { hosts: 12, pages: 300, hostsPerAddress: 4 });
  assert.equal(new Set(server.web.hosts.map((one) => one.address)).size, 3);
  for (const index of [0, 3]) await ask(server.web.urlOf(index, 0), () => '127.1.1.1');
  const [gap] = perAddressGaps(server.log);
  assert.equal(gap!.of, '127.1.1.1');
  assert.equal(gap!.requests, 2);
  assert.equal(gaps(server.log).length, 2);
});

test('serve: who comes to 127.0.0.1 trips the wire', async (t) => {
  const server = await open(t, { hosts: 2, pages: 40 });
  const reply = await ask(`http://127.0.0.1:${server.port}/secret`, () => '127.0.0.1');
  assert.match(reply.body.toString(), /secret/);
  assert.equal([...server.log.requests()][0]!.host, TRIPWIRE);
});

test('serve: a busy page recovers, and is busy again after a reset', async (t) => {
  const server = await open(t, { seed: 3, hosts: 60, pages: 6_000, features: ['busy'] });
  const url = server.web.examples('busy-503-silent')[0] ?? server.web.examples('busy-429-date')[0]!;
  const { address } = server.web.describe(url)!.host;
  const statuses = async () => (await ask(url, () => address)).status;
  const busy = await statuses();
  assert.ok(busy === 429 || busy === 503);
  assert.equal(await statuses(), 200);
  assert.deepEqual(duplicates(server.log), []);
  server.reset();
  assert.equal(server.log.length, 0);
  assert.equal(await statuses(), busy);
});

test('serve: the web goes on in time, its pages change, and the log keeps the real instants', async (t) => {
  const server = await open(t, { hosts: 1, pages: 2, quarters: { 'soft-404-recovers': {} } });
  const { origin, address } = server.web.specials[0]!;
  const status = async () => (await ask(`${origin}/unknown`, () => address)).status;
  assert.equal(await status(), 200);
  server.advance(SOFT_404_ENDS_MS - Date.now());
  assert.equal(await status(), 404);
  for (const { atMs } of server.log.requests()) assert.ok(atMs < SOFT_404_ENDS_MS);
});

test('judge: in a quarter, requests are counted by what is there, and honest pages may be missed', async (t) => {
  const server = await open(t, { hosts: 1, pages: 2, quarters: { pager: { pages: 9 } } });
  const { origin, address } = server.web.specials[0]!;
  for (const path of ['/', '/archive?page=1', '/archive?page=77', '/robots.txt', '/nothing']) {
    await ask(origin + path, () => address);
  }
  const [found] = judgeQuarters(server.web, server.log);
  const { honest, trap, other, expected, missed } = found!;
  assert.deepEqual(
    { honest, trap, other, expected },
    { honest: 2, trap: 1, other: 2, expected: 13 },
  );
  assert.equal(missed.length, 11);
});

test('judge: a decoy is stray, a forbidden page trespass, the rest missing', async (t) => {
  const server = await open(t, { seed: 5, hosts: 40, pages: 2_000 });
  const { web } = server;
  const truth = web.truth();
  const [forbidden] = truth.urls('forbidden');
  const decoy = `${web.hosts[0]!.origin}/decoy/comment`;
  for (const url of [web.urlOf(0, 0), forbidden!, decoy]) {
    const answer = web.resolve(new URL(url).hostname);
    await ask(url, () => (answer.kind === 'address' ? answer.address : ''));
  }
  const verdict = judge(web, server.log, truth);
  assert.deepEqual(verdict.trespass, [forbidden]);
  assert.deepEqual(verdict.stray, [decoy]);
  assert.equal(verdict.missing.length, verdict.expected - 1);
  assert.equal(verdict.fetched, 1);
});

test('dns: a known name has an A record and no AAAA, others fail in their way', async (t) => {
  const server = await open(t, { hosts: 4, pages: 40, features: 'hostile' });
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.dnsPort}`]);
  const { name, address } = server.web.hosts[2]!;
  assert.deepEqual(await resolver.resolve4(name), [address]);
  await assert.rejects(resolver.resolve6(name), { code: 'ENODATA' });
  await assert.rejects(resolver.resolve4('stranger.test'), { code: 'ENOTFOUND' });
  const named = (label: string) => new URL(server.web.hostile.urlOf(label)).hostname;
  await assert.rejects(resolver.resolve4(named('nowhere')), { code: 'ENOTFOUND' });
  await assert.rejects(resolver.resolve4(named('broken')), { code: 'ESERVFAIL' });
  assert.deepEqual(await resolver.resolve4(named('inside')), ['127.0.0.1']);
  assert.deepEqual(await resolver.resolve4(named('metadata')), ['169.254.169.254']);
  const rebind = named('rebind');
  const turns = [await resolver.resolve4(rebind), await resolver.resolve4(rebind)].flat();
  assert.match(turns[0]!, /^127\.1\./);
  assert.equal(turns[1], '127.0.0.1');
});

test('tls: good names verify against the authority, bad ones fail for their reason', async (t) => {
  const server = await open(t, { hosts: 4, pages: 40, features: ['tls'] }, { tls: true });
  const host = server.web.hosts[1]!;
  assert.equal(await handshake(server, host.name, host.address), 'h2');
  for (const [label, code] of [
    ['tls-expired', 'CERT_HAS_EXPIRED'],
    ['tls-wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['tls-self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const) {
    const special = server.web.specials.find((one) => one.label === label)!;
    assert.equal(await handshake(server, special.hostName, special.address), code);
  }
});

test('tls: the same page over HTTP/2 and HTTP/1.1', async (t) => {
  const server = await open(t, { hosts: 4, pages: 80, scheme: 'https' });
  const host = server.web.hosts[1]!;
  assert.equal(server.port, server.tlsPort);
  assert.ok(host.origin.startsWith('https://'));
  const two = await overHttp2(server, host.name, host.address, '/');
  const one = await overHttp1(server, host.name, host.address, '/');
  assert.ok(two.length > 8_000);
  assert.equal(two, one);
});

async function open(
  t: { after(end: () => Promise<void>): void },
  options: Parameters<typeof openWeb>[0],
  serve: Parameters<typeof serveWeb>[1] = {},
): Promise<WebServer> {
  const server = await serveWeb(openWeb(options), serve);
  t.after(() => server.close());
  return server;
}

/** The protocol that was agreed on, or the code of the certificate's failure. */
function handshake(server: WebServer, servername: string, host: string): Promise<string> {
  const { tlsPort: port, ca } = server;
  const options = { host, port: port!, ca: ca!, servername, ALPNProtocols: ['h2', 'http/1.1'] };
  return new Promise((done) => {
    const socket = connectTls(options, () => {
      done(String(socket.alpnProtocol));
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => done(String(error.code)));
  });
}

function overHttp2(server: WebServer, name: string, host: string, path: string): Promise<string> {
  const client = connectHttp2(`https://${name}:${server.tlsPort}`, {
    ca: server.ca!,
    servername: name,
    lookup: (_name, options, done) =>
      options.all === true ? done(null, [{ address: host, family: 4 }]) : done(null, host, 4),
  });
  return new Promise((done, fail) => {
    const stream = client.request({ ':path': path });
    let body = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    stream.on('error', fail).on('end', () => client.close(() => done(body)));
  });
}

function overHttp1(server: WebServer, name: string, host: string, path: string): Promise<string> {
  const options = { host, port: server.tlsPort!, path, ca: server.ca!, servername: name };
  return new Promise((done, fail) => {
    const sent = requestSecure({ ...options, headers: { host: name }, agent: false }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      reply.on('end', () => done(body));
    });
    sent.on('error', fail).end();
  });
}
