/** Real nodes of a ring seen through one of them, in virtual time over a network in memory. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MemoryNet, type TestNode, testNode, until } from './ring-node.testkit.ts';
import { makeRingAnswers, type RingAnswers } from './ring-survey.ts';

interface Looker extends TestNode {
  readonly answers: RingAnswers;
}

/** Settled: its nodes have known each other for half a minute, and each has what it should own. */
async function ringOf(t: TestContext, net: MemoryNet, many: number): Promise<Looker[]> {
  const nodes: Looker[] = [];
  // Virtual time runs as long as anybody sleeps.
  t.after(() => Promise.all(nodes.map(({ node }) => node.close())));
  for (let i = 0; i < many; i++) {
    const made = testNode(net, `node-${i}`);
    const answers = makeRingAnswers(made.node, made.node, net.clock);
    const [first] = nodes;
    if (first === undefined) await made.node.start();
    else assert.deepEqual(await made.node.join([first.peers.me.at]), { kind: 'joined' });
    nodes.push(Object.assign(made, { answers }));
  }
  await net.clock.sleepUntil(net.clock.now() + 30_000);
  await until(net, 'all arcs are owned', () => ownedBy(nodes) === 64, 120);
  return nodes;
}

const ownedBy = (nodes: readonly Looker[]) => nodes.flatMap(({ arcs }) => arcs).length;

test('ring walk: each of six nodes finds all of them, and the same owner of every arc', async (t) => {
  const net = new MemoryNet('seen');
  const nodes = await ringOf(t, net, 6);
  const seen = await Promise.all(nodes.map(({ answers }) => answers.survey()));
  for (const { nodes: found, arcs, isWhole } of seen) {
    assert.equal(found.filter(({ report }) => report?.status === 'member').length, 6);
    assert.ok(isWhole);
    for (const { arc, owner, level, seats } of arcs) {
      const his = nodes.find((one) => one.arcs.includes(arc));
      assert.deepEqual([owner, seats.length >= 2], [his?.peers.me.place, true], `arc ${arc}`);
      assert.ok(level !== undefined && level >= 1);
    }
  }
  const { found, arc } = await (nodes[3] as Looker).answers.lookup('example.com');
  assert.equal(found?.owner.place, arc.owner);
  await net.clock.sleepUntil(net.clock.now() + 500);
  const { report } = (await (nodes[0] as Looker).answers.node(
    (nodes[3] as Looker).peers.me.id,
  )) as { report: { lookups: readonly unknown[] } };
  assert.ok(report.lookups.length > 0);
});

test('ring walk: a node that dies is silent at once, and its arcs are soon seen at others', async (t) => {
  const net = new MemoryNet('silent');
  const nodes = await ringOf(t, net, 4);
  const [looker, dead] = [nodes[0] as Looker, nodes[2] as Looker];
  await looker.answers.survey();
  await dead.node.close();
  await net.clock.sleepUntil(net.clock.now() + 1_500);
  const soon = await looker.answers.survey();
  const seen = soon.nodes.find(({ peer }) => peer.id === dead.peers.me.id);
  assert.equal(seen?.report, undefined);
  assert.ok((seen?.heardAt ?? 0) > 0);
  const left = nodes.filter((one) => one !== dead);
  await until(net, 'the others own all of it', () => ownedBy(left) === 64);
  await net.clock.sleepUntil(net.clock.now() + 1_500);
  const later = await looker.answers.survey();
  assert.ok(later.arcs.every(({ owner }) => owner !== dead.peers.me.place));
  assert.ok(later.arcs.some(({ epoch }) => (epoch as number) > 1));
});

test('ring walk: cut off from the others, a node says whom it misses', async (t) => {
  const net = new MemoryNet('cut');
  const nodes = await ringOf(t, net, 4);
  const alone = nodes[1] as Looker;
  await alone.answers.survey();
  net.cut(alone.peers.me.id);
  await net.clock.sleepUntil(net.clock.now() + 30_000);
  const { nodes: seen } = await alone.answers.survey();
  assert.equal(seen.length, 4);
  assert.equal(seen.filter(({ report }) => report === undefined).length, 3);
  net.cut();
  await until(net, 'it is back', () => ownedBy(nodes) === 64, 120);
  await net.clock.sleepUntil(net.clock.now() + 5_000);
  const { nodes: back } = await alone.answers.survey();
  assert.equal(back.filter(({ report }) => report !== undefined).length, 4);
});
