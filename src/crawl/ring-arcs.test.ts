/** The promises of ports/arc-log.ts and ports/ring-arcs.ts, by the arcs of real nodes (ring-arcs.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotOurs } from '../ports/tenures.ts';
import {
  closeAll,
  MemoryNet,
  ownerOf,
  put,
  ringOf,
  settled,
  type TestNode,
  testNode,
  until,
} from './ring-node.testkit.ts';

test('arc log: promise 1: only an owner writes', async () => {
  const net = new MemoryNet('owner');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 2);
  for (const one of nodes.filter((it) => it !== owner)) {
    assert.equal(one.node.epochOf(2), undefined);
    assert.throws(() => one.node.write(2, [Buffer.from('x=1')], true), NotOurs);
  }
  await put(owner, 2, 'x=1');
  await closeAll(nodes);
  assert.throws(() => owner.node.write(2, [Buffer.from('x=2')], true), NotOurs);
});

test('arc log: promise 2: an awaited write is kept when K nodes have all before it', async () => {
  const net = new MemoryNet('kept');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 2);
  const { node, copies } = owner;
  const progress = node.write(2, [Buffer.from('p=1')], false);
  await copies.save(2, progress.saved, { kind: 'entries', bodies: [Buffer.from('p=1')] });
  progress.isDurable();
  await progress.kept;
  await put(owner, 2, 'x=1');
  const having = nodes.filter(({ copies: { rowsOf } }) => rowsOf.get(2)?.get('x') === '1');
  assert.ok(having.length >= 2, 'K = 2');
  for (const one of having) assert.equal(one.copies.rowsOf.get(2)?.get('p'), '1');
  await closeAll(nodes);
});

test('arc log: nobody is told of a write before it is durable here', async () => {
  const net = new MemoryNet('durable');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  const owner = ownerOf(nodes, 2);
  const body = Buffer.from('x=1');
  const { saved, isDurable, kept } = owner.node.write(2, [body], true);
  await net.clock.sleepUntil(net.clock.now() + 3_000);
  for (const { copies } of nodes) assert.equal(copies.rowsOf.get(2)?.get('x'), undefined);
  await owner.copies.save(2, saved, { kind: 'entries', bodies: [body] });
  isDurable();
  await kept;
  await closeAll(nodes);
});

test('arc log: an engine that failed stops the node, and all that wait are told', async () => {
  const net = new MemoryNet('failed');
  const [a] = (await ringOf(net, 'a')) as [TestNode];
  const { failed, kept } = a.node.write(2, [Buffer.from('x=1')], true);
  const told = assert.rejects(kept, NotOurs);
  failed?.(new Error('no space left'));
  await told;
  assert.deepEqual([a.node.report().status, a.arcs], ['gone', []]);
});

/** A ring of three, each holding what it is told, and one that comes. */
async function joined(net: MemoryNet): Promise<[TestNode[], TestNode]> {
  const nodes = await ringOf(net, 'a', 'b', 'c');
  for (const { node, arcs } of nodes) for (const arc of arcs) node.hold(arc);
  const joiner = testNode(net, 'd');
  assert.equal((await joiner.node.join(['a:1'])).kind, 'joined');
  return [nodes, joiner];
}

test('ring arcs: promise 2: what is held goes to nobody else before it is released', async () => {
  const net = new MemoryNet('held');
  const [nodes, joiner] = await joined(net);
  const before = new Map(nodes.map((one) => [one, one.arcs]));
  const leftOut = () =>
    nodes.flatMap((one) => {
      const arcs = before.get(one) ?? [];
      return arcs.filter((arc) => !one.arcs.includes(arc)).map((arc) => ({ one, arc }));
    });
  await until(net, 'some are left out', () => leftOut().length > 0);
  await net.clock.sleepUntil(net.clock.now() + 30_000);
  for (const { one, arc } of leftOut()) {
    assert.ok(one.node.epochOf(arc) !== undefined, 'it may still act');
    assert.ok(one.node.actsUntil(arc) > net.clock.now());
  }
  assert.deepEqual(joiner.arcs, []);
  for (const { one, arc } of leftOut()) one.node.release(arc);
  await settled(net, [...nodes, joiner]);
  assert.ok(joiner.arcs.length > 0);
  await closeAll([...nodes, joiner]);
});

test('ring arcs: what should have gone to a node that died is told again', async () => {
  const net = new MemoryNet('again');
  const [nodes, joiner] = await joined(net);
  const count = () => nodes.flatMap(({ arcs }) => arcs).length;
  await until(net, 'some are left out', () => count() < 64);
  await joiner.node.close();
  await until(net, 'all are told again', () => count() === 64);
  await closeAll(nodes);
});

test('ring arcs: who stops to listen is told no more, who begins is told at once', async () => {
  const net = new MemoryNet('listen');
  const a = testNode(net, 'a');
  const told: number[] = [];
  const stop = a.node.onArcs((arcs) => told.push(arcs.length));
  assert.deepEqual(told, [0]);
  await a.node.start();
  await until(net, 'all', () => a.arcs.length === 64);
  stop();
  const count = told.length;
  await a.node.close();
  assert.deepEqual([told.at(-1), told.length], [64, count]);
});
