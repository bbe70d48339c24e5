/** What others can make a node hold, on real sockets (D8): members that go mad, too. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { keyOf } from '../../ports/peers.contract.ts';
import { selfAt } from '../../ring/index.ts';
import type { Line } from './line.ts';
import { clock, insider, madMember, openNode, until } from './peer.testkit.ts';

const NO_BYTES = Buffer.alloc(0);
const ANY_RATE = { arrivalsMax: 1_000, allArrivalsMax: 1_000 };

function rawTo(t: TestContext, at: string, localAddress = '127.0.0.1'): Socket {
  const [host, port] = at.split(':');
  const to = { port: Number(port), host: host ?? '', localAddress };
  const socket = connect(to).on('error', () => {});
  t.after(() => socket.destroy());
  return socket;
}

const closed = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve));

test('nonsense: frames that are none end the connection before a byte of them is kept', async (t) => {
  const node = await openNode(t, { key: keyOf(1) });
  let heard = 0;
  node.receive(() => {
    heard++;
    return true;
  });
  const mad = async (say: (line: Line) => void) => {
    const line = await madMember(t, node.me.at, keyOf(2));
    say(line);
    await line.closed;
  };
  await mad((line) => line.socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff])));
  await mad((line) => line.socket.write(Buffer.from([0, 1, 0, 2, 0])));
  await mad((line) => line.socket.write(Buffer.from([0, 0, 0, 0])));
  await mad((line) => line.send(Buffer.from([7]), Buffer.from('what is seven?')));
  await until(() => node.counts().sessions === 0);
  assert.equal(heard, 0);
});

test('nonsense: a hello that is too long or none ends the connection', async (t) => {
  const node = await openNode(t, { key: keyOf(1) });
  const long = await insider(t, node.me.at);
  long.socket.write(Buffer.from([0, 0, 0xff, 0xff]));
  await long.closed;
  const none = await insider(t, node.me.at);
  none.send(NO_BYTES, Buffer.alloc(200, 1));
  none.want(() => {});
  await none.closed;
  assert.equal(node.counts().sessions, 0);
  assert.equal(node.counts().strangers, 2);
});

test('slow drip: who takes too long for a greeting is left, though it goes on dripping', async (t) => {
  const node = await openNode(t, { key: keyOf(1), limits: { greetMs: 150 } });
  const from = clock.now();
  const [drip, mute] = [rawTo(t, node.me.at), rawTo(t, node.me.at)];
  // The start of a record of TLS that is 16 KiB long, byte by byte.
  const dripping = setInterval(
    () => drip.write(Buffer.from([drip.bytesWritten < 1 ? 0x16 : 3])),
    5,
  );
  t.after(() => clearInterval(dripping));
  const late = await insider(t, node.me.at);
  late.want(() => {});
  await Promise.all([closed(drip), closed(mute), late.closed]);
  const took = clock.now() - from;
  assert.ok(took < 2_000, `${took} ms`);
  assert.equal(node.counts().unproven, 0);
});

test('flood of connections: a handful wait, and a member still comes in', async (t) => {
  const node = await openNode(t, { key: keyOf(1), limits: { unprovenMax: 8, ...ANY_RATE } });
  const flood = Array.from({ length: 200 }, () => rawTo(t, node.me.at));
  let most = 0;
  await until(() => {
    most = Math.max(most, node.counts().unproven);
    return node.counts().full >= flood.length - 8;
  });
  assert.equal(most, 8);
  const member = await openNode(t, { key: keyOf(2) });
  assert.equal((await member.meet(node.me.at)).kind, 'met');
  assert.equal(node.counts().sessions, 1);
});

test('flood of connections from one address: it is sent away, and others come in', async (t) => {
  const node = await openNode(t, { key: keyOf(1), limits: { arrivalsMax: 20 } });
  const flood = Array.from({ length: 400 }, () => rawTo(t, node.me.at, '127.0.0.9'));
  const ended = flood.map(closed);
  await Promise.any(ended);
  const member = await openNode(t, { key: keyOf(2), limits: { dialMs: 2_000 } });
  assert.equal((await member.meet(node.me.at)).kind, 'met');
  await until(() => node.counts().full >= 300);
  assert.ok(node.counts().unproven <= 64);
});

test('flood of messages: one member is heard so often in a moment, others as ever', async (t) => {
  const burst = 20;
  const node = await openNode(t, { key: keyOf(1), limits: { burst } });
  const flooder = await openNode(t, { key: keyOf(2) });
  const other = await openNode(t, { key: keyOf(3) });
  const heard = { flooder: 0, other: 0 };
  const from = clock.now();
  node.receive(({ id }) => {
    heard[id === other.me.id ? 'other' : 'flooder']++;
    return true;
  });
  await flooder.meet(node.me.at);
  for (let i = 0; i < 400; i++) void flooder.send(node.me, Buffer.alloc(100));
  await until(() => heard.flooder >= burst);
  await other.send(node.me, Buffer.from('x'));
  await until(() => heard.other === 1);
  const allowed = burst * (1 + Math.ceil((clock.now() - from) / 100));
  assert.ok(heard.flooder <= allowed, `${heard.flooder} of ${allowed}`);
  await until(() => heard.flooder >= 3 * burst);
  assert.ok(clock.now() - from >= 200, 'three bursts take two pauses');
});

test('a member that does not read is left when too much waits for it', async (t) => {
  const node = await openNode(t, { key: keyOf(1), limits: { unsentBytesMax: 200_000 } });
  const deaf = await madMember(t, node.me.at, keyOf(2));
  deaf.want(undefined);
  const to = selfAt(keyOf(2), '127.0.0.1:9') ?? node.me;
  let sent = 0;
  while (node.counts().sessions > 0) {
    await node.send(to, Buffer.alloc(60_000));
    sent++;
    assert.ok(sent < 2_000, 'the buffers of two sockets are long full');
    if (sent % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});

test('sessions: when all places are taken, a newcomer is told so', async (t) => {
  const node = await openNode(t, { key: keyOf(1), limits: { sessionsMax: 2 } });
  await madMember(t, node.me.at, keyOf(2));
  await madMember(t, node.me.at, keyOf(3));
  const more = await openNode(t, { key: keyOf(4) });
  const end = await more.meet(node.me.at);
  assert.equal(end.kind === 'failed' && end.why, 'full');
  assert.equal(node.counts().sessions, 2);
});
