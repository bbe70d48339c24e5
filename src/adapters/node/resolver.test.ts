/** The node adapter keeps the promises of the port; its questions go to a real DNS server here. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { it } from 'node:test';
import { resolverContract } from '../../ports/resolver.contract.ts';
import { systemClock } from './clock.ts';
import { parseHosts } from './hosts-file.ts';
import { openResolver } from './resolver.ts';
import { dnsAsk } from './resolver-ask.ts';

resolverContract('node', (given) => openResolver(given));

it('more names than it may keep: the first go first', async () => {
  let questions = 0;
  const resolver = openResolver({
    clock: { now: () => 0, sleepUntil: async () => {} },
    addresses: { allowPrivate: false, blockedNetworks: [], blockedHosts: [] },
    entriesMax: 2,
    ask: async () => {
      questions++;
      return { kind: 'found', addresses: ['1.1.1.1'] };
    },
  });
  for (const name of ['a.test', 'b.test', 'c.test', 'c.test', 'b.test'])
    await resolver.resolve(name);
  assert.equal(questions, 3);
  await resolver.resolve('a.test');
  assert.equal(questions, 4);
});

it('a DNS server given by address: asked for A and AAAA, IPv4 first', async () => {
  await withDns({ 'host.test': ['10.1.2.3', '2001:db8::5'] }, async (server) => {
    const ask = dnsAsk({ servers: [server], timeoutMs: 1_000, tries: 1 });
    const found = await ask('host.test');
    assert.deepEqual(found, { kind: 'found', addresses: ['10.1.2.3', '2001:db8::5'] });
  });
});

it('a name that the DNS server does not know: failed, with the name and the code', async () => {
  await withDns({}, async (server) => {
    const ask = dnsAsk({ servers: [server], timeoutMs: 1_000, tries: 1 });
    const failed = await ask('gone.test');
    assert.equal(failed.kind, 'failed');
    assert.match(failed.kind === 'failed' ? failed.detail : '', /gone\.test: ENOTFOUND/);
  });
});

it('localhost: known without any server', async () => {
  const resolver = openResolver({
    clock: systemClock(),
    addresses: { allowPrivate: true, blockedNetworks: [], blockedHosts: [] },
    servers: ['127.0.0.1:9'],
  });
  const found = await resolver.resolve('localhost');
  assert.deepEqual(found, { kind: 'address', address: '127.0.0.1', family: 4 });
});

it('a hosts file: names, aliases, comments; several addresses of one name', () => {
  const hosts = parseHosts(
    '127.0.0.1 localhost # me\n\n#10.0.0.1 no\n10.0.0.2\tA.test b.test\n::1 localhost\n',
  );
  assert.deepEqual(hosts.get('localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(hosts.get('a.test'), ['10.0.0.2']);
  assert.deepEqual(hosts.get('b.test'), ['10.0.0.2']);
  assert.equal(hosts.has('no'), false);
});

/** A DNS server of a few lines: answers A and AAAA from a table, NXDOMAIN for the rest. */
async function withDns(
  names: Record<string, string[]>,
  use: (server: string) => Promise<void>,
): Promise<void> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, names), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  try {
    await use(`127.0.0.1:${socket.address().port}`);
  } finally {
    socket.close();
  }
}

function answerTo(query: Buffer, names: Record<string, string[]>): Buffer {
  let at = 12;
  const labels: string[] = [];
  for (let size = query[at] as number; size > 0; size = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  const question = query.subarray(12, at + 5);
  const isV6 = query.readUInt16BE(at + 1) === 28;
  const known = names[labels.join('.').toLowerCase()];
  const records = (known ?? []).filter((one) => one.includes(':') === isV6).map(record);
  const head = Buffer.from([
    0,
    0,
    0x81,
    known === undefined ? 0x83 : 0x80,
    0,
    1,
    0,
    records.length,
    0,
    0,
    0,
    0,
  ]);
  query.copy(head, 0, 0, 2);
  return Buffer.concat([head, question, ...records]);
}

function record(address: string): Buffer {
  const isV6 = address.includes(':');
  const bytes = isV6
    ? Buffer.from('20010db8000000000000000000000005', 'hex')
    : Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0xc0, 12, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}
