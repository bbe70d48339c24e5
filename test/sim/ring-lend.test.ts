/**
 * An owner of a ring that is hot lends requests to its replicas, in virtual time (D6, P5): the
 * web's log is the judge, and the watchers of ring-nodes.ts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { openWeb } from '../../testweb/index.ts';
import type { SimRingNode } from './ring-node-parts.ts';
import { RingNodes } from './ring-nodes.ts';
import { assertCleanRing, verdictOfRing } from './ring-nodes-verdict.ts';

/** The first has one hand, and is hot as soon as two of its hosts have a turn; the others have many. */
const HOT = 'node-1';
const handsOf = (name: string) => (name === HOT ? 1 : 16);
const WEB = { seed: 91, hosts: 20, pages: 100, bodyBytes: 1_200, features: 'plain' } as const;
const begun: RingNodes[] = [];
after(() => {
  for (const sim of begun) sim.end();
});

async function started(): Promise<RingNodes> {
  const sim = new RingNodes(openWeb(WEB), undefined, handsOf);
  begun.push(sim);
  for (let n = 0; n < 3; n++) await sim.join();
  await sim.nodes[0]?.node.jobs?.start({ urls: sim.seeds, name: 'the web', scope: 'any' });
  return sim;
}

interface Told {
  readonly lent: number;
  readonly settled: number;
  readonly lost: number;
  readonly borrowed: number;
  readonly gathered: number;
}

function toldBy(nodes: readonly SimRingNode[]): Told {
  const sum = (of: (node: SimRingNode) => number) => nodes.reduce((all, node) => all + of(node), 0);
  return {
    lent: sum(({ ring }) => ring.lends.lent),
    settled: sum(({ ring }) => ring.lends.lentSettled),
    lost: sum(({ ring }) => ring.lends.lentLost),
    borrowed: sum(({ ring }) => ring.lends.borrowed),
    gathered: sum(({ lend }) => lend.lending.gatheredBytes),
  };
}

const ownerOf = ({ nodes }: RingNodes) => nodes.find(({ name }) => name === HOT) as SimRingNode;

/** It has something in its hands. */
const hasBorrowed = ({ ring: { lends } }: SimRingNode) =>
  lends.borrowed > lends.borrowedSettled + lends.borrowedLost;

/** Until loans are out. */
async function lentOut(sim: RingNodes, owner: SimRingNode, least = 2): Promise<void> {
  for (let looks = 0; owner.node.lending.out < least; looks++) {
    assert.ok(looks < 6_000, 'it never lends');
    await sim.pass(10);
  }
}

test('lent on a ring: the owner has one hand: replicas fetch for it, every page once, every turn kept', async (t) => {
  const sim = await started();
  await sim.finish();
  const seen = await verdictOfRing(sim);
  const told = toldBy(sim.nodes);
  t.diagnostic(`${JSON.stringify(told)} of ${sim.http.log.length} requests`);
  assertCleanRing(seen, sim);
  assert.equal(seen.duplicates, 0);
  assert.ok(told.settled > 10, `${told.settled} by replicas`);
  assert.deepEqual([told.borrowed, told.gathered], [told.lent, 0]);
});

test('lent on a ring: the owner dies with loans out: all is found, nobody is asked early', async (t) => {
  const sim = await started();
  const owner = ownerOf(sim);
  await lentOut(sim, owner);
  sim.caught += 10;
  sim.crash(owner);
  await sim.finish();
  const seen = await verdictOfRing(sim);
  t.diagnostic(`${seen.duplicates} asked twice; ${JSON.stringify(toldBy([owner]))} by the dead`);
  assertCleanRing(seen, sim);
});

test('lent on a ring: a helper dies with what it borrowed: it comes back, and no turn is broken', async (t) => {
  const sim = await started();
  const owner = ownerOf(sim);
  await lentOut(sim, owner);
  let helper = sim.nodes.find(hasBorrowed);
  for (; helper === undefined; helper = sim.nodes.find(hasBorrowed)) await sim.pass(10);
  sim.crash(helper);
  await sim.finish();
  const seen = await verdictOfRing(sim);
  const told = toldBy([owner]);
  t.diagnostic(`${seen.duplicates} asked twice; ${JSON.stringify(told)}`);
  assertCleanRing(seen, sim);
  assert.ok(told.lost > 0, 'loans were lost');
  assert.equal(owner.node.lending.out, 0);
});

test('lent on a ring: a helper is stopped as it connects, and wakes late: it sends nothing (P5)', async (t) => {
  const sim = await started();
  await new Promise<void>((woken) => {
    sim.onConnect = (name, isBorrowed) => {
      if (!isBorrowed) return;
      const one = sim.nodes.find((node) => node.name === name) as SimRingNode;
      sim.onConnect = undefined;
      void sim.stop(one, 20_000).then(woken);
    };
  });
  await sim.finish();
  const seen = await verdictOfRing(sim);
  t.diagnostic(`${seen.duplicates} asked twice; ${JSON.stringify(toldBy(sim.nodes))}`);
  assertCleanRing(seen, sim);
});

test('lent on a ring: arcs move while they are lent: an answer that is late is lost, the page is not', async (t) => {
  const sim = await started();
  const owner = ownerOf(sim);
  await lentOut(sim, owner);
  await Promise.all([sim.leave(owner), sim.join()]);
  await sim.finish();
  const seen = await verdictOfRing(sim);
  t.diagnostic(`${seen.duplicates} asked twice; ${JSON.stringify(toldBy([owner]))} by who left`);
  sim.caught += 10;
  assertCleanRing(seen, sim);
});

test('lent on a ring: messages are lost and heard twice: no turn is broken, nothing is held', async (t) => {
  const sim = await started();
  const random = seededRandom(7);
  await lentOut(sim, ownerOf(sim), 1);
  sim.net.heard = () => {
    const chance = random.next();
    return chance < 0.03 ? 0 : chance < 0.08 ? 2 : 1;
  };
  await sim.pass(12_000);
  sim.net.heard = () => 1;
  await sim.finish();
  const seen = await verdictOfRing(sim);
  const told = toldBy(sim.nodes);
  t.diagnostic(`${seen.duplicates} asked twice; ${JSON.stringify(told)}`);
  sim.caught += told.lost + 20;
  assertCleanRing(seen, sim);
  assert.ok(told.settled > 5, `${told.settled} by replicas`);
  assert.equal(told.gathered, 0);
});
