/** The promises of `Peers`, between nodes on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it, type TestContext } from 'node:test';
import { selfAt } from '../ring/index.ts';
import { SignKey } from '../sign/index.ts';
import type { Peers } from './peers.ts';

/** Opens a node of one ring, on a free port of loopback. Dials take a second at most. */
export type OpenPeers = (t: TestContext, key: SignKey) => Promise<Peers>;

export function peersContract(name: string, open: OpenPeers): void {
  it(`${name} peers: promise 1: messages arrive whole and in order, from who proved it`, async (t) => {
    const [a, b] = await Promise.all([open(t, keyOf(1)), open(t, keyOf(2))]);
    const sent = Array.from({ length: 50 }, (_, i) => Buffer.alloc(1 + i * 200, i));
    const heard = heardBy(b, sent.length);
    const ends = await Promise.all(sent.map((message) => a.send(b.me, message)));
    assert.ok(ends.every(({ kind }) => kind === 'sent'));
    const messages = await heard;
    assert.deepEqual(
      messages.map(({ message }) => message),
      sent.map((message) => message.toString('hex')),
    );
    assert.ok(messages.every(({ from }) => from.id === a.me.id && from.at === a.me.at));
    const back = heardBy(a, 1);
    await b.send(a.me, Buffer.from('back'));
    assert.equal((await back)[0]?.from.place, b.me.place);
    assert.equal(b.counts().sessions, 1, 'the answer took the connection that was there');
  });

  it(`${name} peers: promise 2: nobody there, another there, silence, too long: said, in time`, async (t) => {
    const [a, b] = await Promise.all([open(t, keyOf(1)), open(t, keyOf(2))]);
    const mute = createServer((socket) => socket.on('error', () => {}));
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    t.after(() => mute.close());
    const muteAt = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const sentTo = async (n: number, at: string, message = Buffer.from('x')) => {
      const end = await a.send(selfAt(keyOf(n), at) ?? a.me, message);
      return end.kind === 'failed' ? end.why : end.kind;
    };
    assert.equal(await sentTo(3, '127.0.0.1:1'), 'silent');
    assert.equal(await sentTo(3, b.me.at), 'another');
    assert.equal(await sentTo(3, muteAt), 'silent');
    assert.equal(await sentTo(2, b.me.at, Buffer.alloc(65_537)), 'too-long');
    assert.equal(await sentTo(2, b.me.at, Buffer.alloc(65_536)), 'sent');
  });

  it(`${name} peers: promise 3: nonsense ends the connection; sense may come again`, async (t) => {
    const [a, b] = await Promise.all([open(t, keyOf(1)), open(t, keyOf(2))]);
    b.receive(() => false);
    await a.send(b.me, Buffer.from('nonsense'));
    while (b.counts().sessions + a.counts().sessions > 0) await turn();
    assert.equal(b.counts().nonsense, 1);
    const heard = heardBy(b, 1);
    await a.send(b.me, Buffer.from('sense'));
    assert.equal((await heard).length, 1);
  });

  it(`${name} peers: promise 4: meet says who is there`, async (t) => {
    const [a, b] = await Promise.all([open(t, keyOf(1)), open(t, keyOf(2))]);
    assert.deepEqual(await a.meet(b.me.at), { kind: 'met', peer: b.me });
    assert.equal((await a.meet('127.0.0.1:1')).kind, 'failed');
    assert.equal((await a.meet('nowhere')).kind, 'failed');
  });

  it(`${name} peers: promise 5: after close() nothing goes in or out`, async (t) => {
    const [a, b] = await Promise.all([open(t, keyOf(1)), open(t, keyOf(2))]);
    await a.send(b.me, Buffer.from('x'));
    await b.close();
    const end = await b.send(a.me, Buffer.from('x'));
    assert.equal(end.kind === 'failed' && end.why, 'closed');
    while (a.counts().sessions > 0) await turn();
    assert.equal((await a.send(b.me, Buffer.from('x'))).kind, 'failed');
  });
}

export function keyOf(n: number): SignKey {
  return new SignKey(Buffer.alloc(32, n));
}

function heardBy(peers: Peers, count: number) {
  const heard: { readonly from: Peers['me']; readonly message: string }[] = [];
  return new Promise<typeof heard>((resolve) => {
    peers.receive((from, message) => {
      heard.push({ from, message: Buffer.from(message).toString('hex') });
      if (heard.length === count) resolve(heard);
      return true;
    });
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
