/**
 * Who may not come in, on real sockets (D8): strangers, replays, tampering, copies of a node,
 * other versions.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import { keyOf } from '../../ports/peers.contract.ts';
import type { Met, Peers } from '../../ports/peers.ts';
import { ANSWERS, type Peer, selfAt, sharedKeyOf } from '../../ring/index.ts';
import { GREETING_BYTES_MAX } from './greet.ts';
import { Line } from './line.ts';
import {
  certifiedMember,
  insider,
  openNode,
  secretMember,
  until,
  wiretap,
} from './peer.testkit.ts';
import { listenerChannel } from './secure.ts';

const HELLO = Buffer.from('hello');
const NO_BYTES = Buffer.alloc(0);
const whyOf = (end: Met | { kind: 'sent' }) => (end.kind === 'failed' ? end.why : end.kind);

function hearing(peers: Peers): string[] {
  const heard: string[] = [];
  peers.receive(({ id }, message) => {
    heard.push(`${id.slice(0, 4)} ${Buffer.from(message)}`);
    return true;
  });
  return heard;
}

async function rawTalk(at: string, bytes: Uint8Array): Promise<Buffer> {
  const [host, port] = at.split(':');
  const socket = connect(Number(port), host).on('error', () => {});
  const got: Buffer[] = [];
  socket.on('data', (piece) => got.push(piece));
  socket.write(bytes);
  await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(got);
}

test('stranger: without the secret nobody joins, reads or injects', async (t) => {
  const node = await openNode(t, { key: keyOf(1) });
  const heard = hearing(node);
  const stranger = await openNode(t, {
    key: keyOf(2),
    membership: secretMember('the secret of another ring'),
  });
  const overheard = hearing(stranger);
  assert.equal(whyOf(await stranger.meet(node.me.at)), 'stranger');
  assert.equal(whyOf(await stranger.send(node.me, HELLO)), 'stranger');
  assert.equal(whyOf(await node.send(stranger.me, HELLO)), 'stranger', 'nor is it spoken to');
  assert.deepEqual([heard, overheard], [[], []]);
  assert.equal(node.counts().sessions, 0);
  assert.equal(node.counts().strangers, 2);
});

test('stranger: what says no TLS gets no word and is gone', async (t) => {
  const node = await openNode(t, { key: keyOf(1) });
  const heard = hearing(node);
  const hello = Buffer.from('\0\0\0\x05ORBR\0\x01 and so on');
  for (const bytes of [hello, Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(70_000, 0x16)]) {
    const got = await rawTalk(node.me.at, bytes);
    assert.ok(got.length <= 7, `an alert of TLS at most, not ${got.length} bytes`);
  }
  assert.deepEqual(heard, []);
  assert.equal(node.counts().strangers, 3);
  await until(() => node.counts().unproven === 0);
});

test('stranger: with a certificate of another key, of another node, over or without one', async (t) => {
  const key = keyOf(2);
  const node = await openNode(t, { key: keyOf(1), membership: certifiedMember(keyOf(1)) });
  const heard = hearing(node);
  const bad = [
    certifiedMember(key, { by: keyOf(3) }),
    certifiedMember(keyOf(4)),
    certifiedMember(key, { untilMs: -3_600_000 }),
    certifiedMember(key, { fromMs: 3_600_000 }),
    { ...certifiedMember(key), certificate: '' },
    secretMember(),
  ];
  for (const membership of bad) {
    const stranger = await openNode(t, { key, membership });
    assert.equal(whyOf(await stranger.send(node.me, HELLO)), 'stranger');
  }
  const member = await openNode(t, { key, membership: certifiedMember(key) });
  assert.equal(whyOf(await member.send(node.me, HELLO)), 'sent');
  await until(() => heard.length === 1);
});

test('replay: a recorded session sent again is refused, in both directions', async (t) => {
  const [a, b] = await Promise.all([
    openNode(t, { key: keyOf(1) }),
    openNode(t, { key: keyOf(2) }),
  ]);
  const heard = hearing(b);
  const tap = await wiretap(t, b.me.at);
  const thereBy = { ...b.me, at: tap.at };
  await a.send(thereBy, Buffer.from('a mention'));
  await until(() => heard.length === 1);
  const recorded = Buffer.concat(tap.sent);
  assert.equal(recorded.includes('a mention'), false, 'and nothing can be read in it');
  assert.equal(recorded.includes(Buffer.from(a.me.id, 'base64url')), false);
  await rawTalk(b.me.at, recorded);
  assert.equal(heard.length, 1);
  assert.equal(b.counts().strangers, 1);
  await a.close();
  const again = await openNode(t, { key: keyOf(3) });
  const actor = createServer((socket) =>
    socket.on('error', () => {}).write(Buffer.concat(tap.got)),
  );
  actor.listen(0, '127.0.0.1');
  t.after(() => actor.close());
  await once(actor, 'listening');
  const { port } = actor.address() as { port: number };
  const end = await again.send({ ...b.me, at: `127.0.0.1:${port}` }, HELLO);
  assert.notEqual(end.kind, 'sent');
});

/** An insider that listens, to whom a node says its hello in good faith. */
async function helloHeardFrom(t: TestContext, node: Peers): Promise<Uint8Array> {
  const server = createTls(listenerChannel(sharedKeyOf(secretMember())));
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const secured = once(server, 'secureConnection') as Promise<[TLSSocket]>;
  const meeting = node.meet(`127.0.0.1:${port}`);
  const line = new Line((await secured)[0], GREETING_BYTES_MAX);
  const hello = await line.one();
  line.close('heard enough');
  await meeting;
  return hello ?? NO_BYTES;
}

test('replay: the join of another, heard by an insider, is refused when it says it again', async (t) => {
  const [a, b] = await Promise.all([
    openNode(t, { key: keyOf(1) }),
    openNode(t, { key: keyOf(2) }),
  ]);
  const hello = await helloHeardFrom(t, a);
  assert.ok(hello.length > 100);
  const line = await insider(t, b.me.at);
  line.send(NO_BYTES, hello);
  const answer = await line.one();
  assert.equal(ANSWERS[answer?.[0] as number], 'stranger');
  assert.equal(b.counts().sessions, 0);
});

test('tampering: a changed byte ends the connection, and nothing of it is heard', async (t) => {
  const [a, b] = await Promise.all([
    openNode(t, { key: keyOf(1) }),
    openNode(t, { key: keyOf(2) }),
  ]);
  const heard = hearing(b);
  const tap = await wiretap(t, b.me.at);
  const thereBy: Peer = { ...b.me, at: tap.at };
  await a.send(thereBy, Buffer.from('one'));
  await until(() => heard.length === 1);
  tap.change = (piece) => {
    if (piece.length > 0) piece[piece.length - 1] = (piece.at(-1) as number) ^ 1;
    return piece;
  };
  await a.send(thereBy, Buffer.from('two'));
  await until(() => b.counts().sessions === 0);
  assert.equal(heard.length, 1);
});

test('one id, two nodes: the second is refused while the first shows itself', async (t) => {
  const limits = { aliveMs: 100 };
  const b = await openNode(t, { key: keyOf(2), limits });
  const heard = hearing(b);
  const tap = await wiretap(t, b.me.at);
  const first = await openNode(t, { key: keyOf(1) });
  await first.send({ ...b.me, at: tap.at }, Buffer.from('first'));
  await until(() => heard.length === 1);
  const second = await openNode(t, { key: keyOf(1) });
  assert.equal(whyOf(await second.send(b.me, Buffer.from('second'))), 'id-taken');
  assert.equal(whyOf(await second.meet(first.me.at)), 'id-taken', 'the first itself says so, too');
  assert.equal(b.counts().idTaken, 1);
  // The first is not there any more, and did not say so.
  tap.change = () => undefined;
  assert.equal(whyOf(await second.send(b.me, Buffer.from('second'))), 'sent');
  await until(() => heard.length === 2);
  assert.deepEqual(
    heard.map((line) => line.split(' ')[1]),
    ['first', 'second'],
  );
});

test('another version: is told so, and dropped', async (t) => {
  const node = await openNode(t, { key: keyOf(1) });
  const newer = await openNode(t, { key: keyOf(2), version: 2 });
  const end = await newer.send(node.me, HELLO);
  assert.deepEqual(end, { kind: 'failed', why: 'version', detail: 'it speaks version 1' });
  assert.equal(node.counts().otherVersions, 1);
  const back = await node.send(selfAt(keyOf(2), newer.me.at) as Peer, HELLO);
  assert.deepEqual(back, { kind: 'failed', why: 'version', detail: 'it speaks version 2' });
});
