/** Nodes of a ring that own arcs (ring-node.ts), in virtual time over a network in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOf } from './ring-arcs-lines.ts';
import {
  MemoryNet,
  type MemoryNet as Net,
  put,
  type TestNode,
  testNode,
  until,
} from './ring-node.testkit.ts';

/** A ring of these, each arc with all the seats it should have and all of them level. */
async function ringOf(net: Net, ...names: readonly string[]): Promise<TestNode[]> {
  const nodes: TestNode[] = [];
  for (const name of names) {
    const made = testNode(net, name);
    const [first] = nodes;
    if (first === undefined) await made.node.start();
    else assert.deepEqual(await made.node.join([first.peers.me.at]), { kind: 'joined' });
    nodes.push(made);
  }
  await settled(net, nodes);
  return nodes;
}

/** Every arc is owned by the first node at or after its end, with as many seats as there should be. */
async function settled(net: Net, nodes: readonly TestNode[], seconds = 120): Promise<void> {
  const seats = Math.min(3, nodes.length);
  const isSo = ({ peers, node, arcs }: TestNode) => {
    const owned = node.report().arcs.filter(({ role }) => role === 'owner');
    const isWhole = owned.every((arc) => arc.seats.length === seats && arc.level === seats);
    const due = Array.from({ length: 64 }, (_, arc) => arc).filter(
      (arc) => firstAt(nodes, endOf(arc)) === peers.me.place,
    );
    return isWhole && owned.length === due.length && due.join() === arcs.join();
  };
  await until(net, 'every arc has its owner and its seats', () => nodes.every(isSo), seconds);
}

function firstAt(nodes: readonly TestNode[], place: string): string {
  const places = nodes.map(({ peers }) => peers.me.place).sort();
  return (places.find((one) => one >= place) ?? places[0]) as string;
}

const ownerOf = (nodes: readonly TestNode[], arc: number) =>
  nodes.find(({ arcs }) => arcs.includes(arc)) as TestNode;

async function closeAll(nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map(({ node }) => node.close()));
}

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
