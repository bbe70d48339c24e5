/** Nodes of a ring that own arcs (ring-node.ts), in virtual time over a network in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../ports/clock.ts';
import { NotOurs } from '../ports/tenures.ts';
import { encodePart, encodeTalk } from '../ring/index.ts';
import {
  closeAll,
  MemoryNet,
  ownerOf,
  put,
  ringOf,
  seatsOf,
  settled,
  type TestNode,
  testNode,
  until,
} from './ring-node.testkit.ts';

const ALL = Array.from({ length: 64 }, (_, arc) => arc);

test('ring node: who begins a ring owns all arcs, and others get theirs when they join', async () => {
  const net = new MemoryNet('join');
  const [a] = await ringOf(net, 'a');
  assert.equal(a?.arcs.length, 64);
  await closeAll([a as TestNode]);
  const nodes = await ringOf(net, 'b', 'c', 'd', 'e');
  const { handOvers } = (nodes[0] as TestNode).node.report().counts;
  assert.equal(handOvers, 64 - (nodes[0]?.arcs.length ?? 0), 'each was handed over once');
  assert.equal(nodes.flatMap(({ arcs }) => arcs).length, 64);
  await closeAll(nodes);
});

test('ring node: what was kept by K is with the next owner when the owner dies', async () => {
  const net = new MemoryNet('dies');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  for (let arc = 0; arc < 64; arc++) await put(ownerOf(nodes, arc), arc, `k${arc}=v`);
  const dead = ownerOf(nodes, 7);
  const left = nodes.filter((one) => one !== dead);
  await dead.node.close();
  await until(
    net,
    'the others own all of it',
    () => left.flatMap(({ arcs }) => arcs).length === 64,
  );
  for (let arc = 0; arc < 64; arc++) {
    assert.equal(ownerOf(left, arc).copies.rowsOf.get(arc)?.get(`k${arc}`), 'v');
  }
  await closeAll(left);
});

test('ring node: one that leaves hands all it has over, and nothing is missed', async () => {
  const net = new MemoryNet('leave');
  const nodes = await ringOf(net, 'a', 'b', 'c', 'd');
  for (const arc of ALL) await put(ownerOf(nodes, arc), arc, `k${arc}=v`);
  const leaver = nodes[0] as TestNode;
  const others = nodes.slice(1);
  assert.equal(await leaver.node.leave(), true);
  assert.deepEqual(leaver.node.left, { owned: 0, kept: 0 });
  assert.equal(leaver.node.report().status, 'gone');
  await settled(net, others);
  for (const arc of ALL) {
    const owner = ownerOf(others, arc);
    assert.equal(owner.copies.rowsOf.get(arc)?.get(`k${arc}`), 'v');
    assert.ok(!seatsOf(owner, arc).includes(leaver.node.me.place));
  }
  await closeAll(others);
});

test('ring node: all of them stop and start again: everything is there, in higher epochs', async () => {
  const net = new MemoryNet('restart');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  for (const arc of ALL) await put(ownerOf(nodes, arc), arc, `k${arc}=v`);
  const before = ALL.map((arc) => ownerOf(nodes, arc).node.epochOf(arc) as number);
  await closeAll(nodes);
  const stoppedAt = net.clock.now();
  const again = ['a', 'b', 'c'].map((name, n) =>
    testNode(net, name, { copies: (nodes[n] as TestNode).copies }),
  );
  const [first, ...rest] = again as [TestNode, ...TestNode[]];
  await first.node.start();
  for (const { node } of rest) assert.equal((await node.join(['a:1'])).kind, 'joined');
  await until(net, 'somebody owns something', () => again.some(({ arcs }) => arcs.length > 0));
  assert.ok(net.clock.now() >= stoppedAt + 9_000, 'a term that was granted before is waited out');
  await settled(net, again);
  for (const arc of ALL) {
    const { node, copies } = ownerOf(again, arc);
    assert.equal(copies.rowsOf.get(arc)?.get(`k${arc}`), 'v');
    assert.ok((node.epochOf(arc) as number) > (before[arc] as number));
  }
  await closeAll(again);
});

test('ring node: the sole node of a ring starts again at once, and may join no other', async () => {
  const net = new MemoryNet('sole');
  const [a] = (await ringOf(net, 'a')) as [TestNode];
  await put(a, 3, 'x=y');
  await a.node.close();
  const [b] = (await ringOf(net, 'b')) as [TestNode];
  const again = testNode(net, 'a', { copies: a.copies });
  const end = await again.node.join(['b:1']);
  assert.deepEqual(end, { kind: 'refused', why: 'another-ring', contacts: [] });
  await again.node.start();
  await until(net, 'it owns all', () => again.arcs.length === 64, 3);
  assert.equal(again.copies.rowsOf.get(3)?.get('x'), 'y');
  await closeAll([again, b]);
});

test('ring node: an owner that is cut off stops before another begins, and follows it when healed', async () => {
  const net = new MemoryNet('cut');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 9);
  const others = nodes.filter((one) => one !== owner);
  const epoch = owner.node.epochOf(9) as number;
  net.cut(owner.node.me.id);
  const unkept = put(owner, 9, 'lost=1').then(
    () => 'kept',
    (error: unknown) => error,
  );
  let stoppedAt = 0;
  await until(net, 'another acts for it', () => {
    const isActing = owner.node.epochOf(9) !== undefined;
    if (!isActing) stoppedAt ||= net.clock.now();
    const isTaken = others.some(({ node }) => node.epochOf(9) !== undefined);
    assert.ok(!(isActing && isTaken), 'never both');
    return isTaken;
  });
  assert.ok(stoppedAt > 0 && stoppedAt < net.clock.now());
  assert.ok((await unkept) instanceof NotOurs, 'whoever waited was told');
  assert.throws(() => owner.node.write(9, [], true), NotOurs);
  await put(ownerOf(others, 9), 9, 'won=1');
  net.cut();
  await settled(net, nodes, 200);
  const now = ownerOf(nodes, 9);
  assert.ok((now.node.epochOf(9) as number) > epoch);
  for (const { copies } of nodes) {
    assert.deepEqual([...(copies.rowsOf.get(9) ?? [])], [['won', '1']]);
  }
  assert.ok(owner.node.report().counts.staleTold > 0, 'it was told that it is stale');
  await closeAll(nodes);
});

test('ring node: a seat that is away for minutes is brought up again', async () => {
  const net = new MemoryNet('lag');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 20);
  const seat = nodes.find((one) => one !== owner) as TestNode;
  net.cut(seat.node.me.id);
  for (let n = 0; n < 60; n++) {
    await put(owner, 20, `k${n}=${'v'.repeat(200)}`);
    await net.clock.sleepUntil(net.clock.now() + 3_000);
  }
  net.cut();
  await until(net, 'it has all', () => seat.copies.rowsOf.get(20)?.size === 60, 120);
  await closeAll(nodes);
});

for (const who of ['giver', 'taker'] as const) {
  test(`ring node: the ${who} of a hand-over is killed in the middle of it`, async () => {
    const net = new MemoryNet(`killed ${who}`);
    const nodes = await ringOf(net, 'a', 'b', 'c', 'd');
    for (const arc of ALL) await put(ownerOf(nodes, arc), arc, `k${arc}=v`);
    const joiner = testNode(net, 'e');
    assert.equal((await joiner.node.join(['a:1'])).kind, 'joined');
    const giving = () =>
      nodes.find(({ node }) => node.report().arcs.some(({ isHanding }) => isHanding === true));
    for (let n = 0; n < 60_000 && giving() === undefined; n++) {
      await net.clock.sleepUntil(net.clock.now() + 10);
    }
    const dead = who === 'giver' ? giving() : joiner;
    assert.ok(dead !== undefined && giving() !== undefined);
    await dead.node.close();
    const left = [...nodes, joiner].filter((one) => one !== dead);
    await settled(net, left, 200);
    for (const arc of ALL) {
      assert.equal(ownerOf(left, arc).copies.rowsOf.get(arc)?.get(`k${arc}`), 'v', `arc ${arc}`);
    }
    await closeAll(left);
  });
}

test('ring node: messages are lost, one clock in three is wrong by a day: all is kept', async () => {
  const net = new MemoryNet('loss');
  const wrong: Clock = {
    now: () => net.clock.now() + 86_400_000,
    sleepUntil: (at, signal) => net.clock.sleepUntil(at - 86_400_000, signal),
  };
  const nodes = [testNode(net, 'a'), testNode(net, 'b', { clock: wrong }), testNode(net, 'c')];
  const [a, b, c] = nodes as [TestNode, TestNode, TestNode];
  await a.node.start();
  net.loss = 0.05;
  for (const { node } of [b, c]) {
    while ((await node.join(['a:1'])).kind !== 'joined');
  }
  await settled(net, nodes, 200);
  for (const arc of ALL) await put(ownerOf(nodes, arc), arc, `k${arc}=v`);
  const dead = ownerOf(nodes, 1);
  await dead.node.close();
  const left = nodes.filter((one) => one !== dead);
  await until(net, 'others own it', () => left.flatMap(({ arcs }) => arcs).length === 64);
  for (const arc of ALL) assert.equal(ownerOf(left, arc).copies.rowsOf.get(arc)?.size, 1);
  await closeAll(left);
});

test('ring node: nonsense, another version and rows that are none end the connection', async () => {
  const net = new MemoryNet('nonsense');
  const [a] = (await ringOf(net, 'a')) as [TestNode];
  const mad = net.open('mad');
  const head = { isLeaving: false, seq: 1, heard: 0 };
  const makesSense = (bytes: Uint8Array) => {
    const before = a.peers.nonsense;
    a.peers.hear(mad.me, bytes);
    return a.peers.nonsense === before;
  };
  assert.equal(makesSense(Buffer.from('{"v":1,"kind":"nonsense"}')), false);
  assert.equal(makesSense(Buffer.from([2, 0, 1, 0])), false, 'another version');
  assert.equal(makesSense(encodeTalk(head, [])), true);
  const charter = { at: { epoch: 99, index: 1 }, seats: [a.node.me.place, mad.me.place] };
  const about = { epoch: 99, charter, sentAt: 5, commit: 0 };
  const entries = [{ index: 1, body: Buffer.from('THIS IS NO ROW') }];
  const sums = { kind: 'sums', epoch: 99, anchor: 0, isCheck: false, charter, sums: [0] } as const;
  const append = { kind: 'append', ...about, after: 0, entries } as const;
  for (const message of [sums, append]) {
    const part = encodePart({ kind: 'arc', arc: 5, message });
    assert.equal(makesSense(encodeTalk(head, [part])), true, 'what it says is looked at later');
    await net.clock.sleepUntil(net.clock.now() + 10);
  }
  assert.equal(makesSense(encodeTalk(head, [])), false, 'and answered at its next word');
  assert.equal(a.copies.rowsOf.get(5)?.size ?? 0, 0);
  await closeAll([a]);
});

test('ring node: rows of an arc by a member that does not own it are refused', async () => {
  const net = new MemoryNet('liar');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 30);
  const [seat, liar] = nodes.filter((one) => one !== owner) as [TestNode, TestNode];
  await put(owner, 30, 'true=1');
  await net.clock.sleepUntil(net.clock.now() + 2_000);
  const epoch = owner.node.epochOf(30) as number;
  const rows = Buffer.from('lie=1');
  const about = { kind: 'piece', arc: 30, anchor: 1, part: 0, isLast: true } as const;
  for (const told of [epoch, epoch - 1]) {
    const part = encodePart({ ...about, epoch: told, bucket: 0, of: 1, rows });
    seat.peers.hear(liar.node.me, encodeTalk({ isLeaving: false, seq: 1, heard: 0 }, [part]));
  }
  await net.clock.sleepUntil(net.clock.now() + 2_000);
  assert.deepEqual([...(seat.copies.rowsOf.get(30) ?? [])], [['true', '1']]);
  assert.ok(seat.node.report().counts.staleRefused > 0);
  await closeAll(nodes);
});
