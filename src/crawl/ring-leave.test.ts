/** A node that leaves its ring, or cannot, or thinks better of it (D3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Leaving } from './ring-desk.ts';
import { leavingDesk } from './ring-leave.ts';
import {
  closeAll,
  MemoryNet,
  ownerOf,
  put,
  ringOf,
  seatsOf,
  settled,
  type TestNode,
  until,
} from './ring-node.testkit.ts';
import { makeRingAnswers } from './ring-survey.ts';

function deskOf(net: MemoryNet, { node }: TestNode) {
  const answers = makeRingAnswers(node, node, net.clock);
  return leavingDesk(node, answers, net.clock);
}

test('ring leave: one of three is dead for good: it goes all the same, and nothing is missed', async () => {
  const net = new MemoryNet('dead and leave');
  const nodes = await ringOf(net, 'a', 'b', 'c');
  for (const arc of [3, 17, 60]) await put(ownerOf(nodes, arc), arc, `k${arc}=v`);
  const [dead, leaver, last] = nodes as [TestNode, TestNode, TestNode];
  await dead.node.close();
  await until(net, 'two own all', () => leaver.arcs.length + last.arcs.length === 64);
  const { desk, left } = deskOf(net, leaver);
  const told: Leaving[] = [];
  for await (const one of desk.leave()) told.push(one);
  await left;
  assert.equal(leaver.node.report().status, 'gone');
  await until(net, 'one owns all', () => last.arcs.length === 64);
  for (const arc of [3, 17, 60]) assert.equal(last.copies.rowsOf.get(arc)?.get(`k${arc}`), 'v');
  await closeAll([last]);
});

/** Five nodes, and arcs of which the leaver is the only seat that is left. */
async function stuck(net: MemoryNet) {
  const nodes = await ringOf(net, 'a', 'b', 'c', 'd', 'e');
  const arc = 20;
  const owner = ownerOf(nodes, arc);
  const seats = seatsOf(owner, arc).map((place) => {
    return nodes.find(({ node }) => node.me.place === place) as TestNode;
  });
  const leaver = seats.find((one) => one !== owner) as TestNode;
  const dead = seats.filter((one) => one !== leaver);
  await closeAll(dead);
  const alive = nodes.filter((one) => !dead.includes(one));
  return { nodes, alive, leaver, dead };
}

test('ring leave: too many seats are gone: said whose, and whoever hangs up has a member as before', async () => {
  const net = new MemoryNet('stuck');
  const { alive, leaver, dead } = await stuck(net);
  for (const one of alive) if (one !== leaver) makeRingAnswers(one.node, one.node, net.clock);
  await net.clock.sleepUntil(net.clock.now() + 20_000);
  const { desk } = deskOf(net, leaver);
  for await (const { silent } of desk.leave()) {
    if (silent === undefined) continue;
    assert.deepEqual(silent, dead.map(({ node }) => node.me.place).sort());
    assert.equal(leaver.node.report().status, 'leaving');
    break;
  }
  await until(net, 'it stays', () => leaver.node.report().status === 'member', 3);
  await closeAll(alive);
});

test('ring leave: nothing moves for too long: it stays, and is told what helps', async () => {
  const net = new MemoryNet('stuck');
  const { alive, leaver } = await stuck(net);
  const { desk } = deskOf(net, leaver);
  const from = net.clock.now();
  await assert.rejects(
    async () => {
      for await (const _ of desk.leave());
    },
    { code: 'E_RING_DOWN', hint: /stays a member.*Join another node/ },
  );
  assert.ok(net.clock.now() - from < 300_000);
  assert.equal(leaver.node.report().status, 'member');
  await closeAll(alive);
});

test('ring leave: thought better of: what was handed over comes back', async () => {
  const net = new MemoryNet('better');
  const nodes = await ringOf(net, 'a', 'b', 'c', 'd');
  const [leaver] = nodes as [TestNode];
  const before = leaver.arcs.length;
  const { desk } = deskOf(net, leaver);
  for await (const { owned } of desk.leave()) if (owned < before) break;
  await settled(net, nodes);
  assert.equal(leaver.arcs.length, before);
  await closeAll(nodes);
});

test('ring leave: both of two at once: nobody is there to take it, and both stay', async () => {
  const net = new MemoryNet('both');
  const nodes = await ringOf(net, 'a', 'b');
  const ends = await Promise.all(nodes.map(({ node }) => node.leave(30_000)));
  assert.ok(ends.filter((isGone) => isGone).length <= 1, `${ends}`);
  const left = nodes.filter((_, nth) => ends[nth] === false);
  await until(net, 'all is owned', () => left.flatMap(({ arcs }) => arcs).length === 64);
  await closeAll(left);
});
