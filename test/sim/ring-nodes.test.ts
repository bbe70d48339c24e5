/** Rings that crawl, in virtual time: the proof that all of its parts work together. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { openWeb, type Web } from '../../testweb/index.ts';
import { RingNodes, type RingPlanted } from './ring-nodes.ts';
import { assertCleanRing, verdictOfRing } from './ring-nodes-verdict.ts';

const SIZE = { hosts: 16, pages: 160, skew: 0.5, bodyBytes: 1_500, slowMsMax: 1_500 } as const;
/** Few hosts: it lasts for minutes, whatever happens in them. */
const LONG = { hosts: 5, pages: 500, bodyBytes: 1_000, features: 'plain' } as const;
const begun: RingNodes[] = [];
after(() => {
  for (const sim of begun) sim.end();
});

async function started(web: Web, nodes: number, planted?: RingPlanted): Promise<RingNodes> {
  const sim = new RingNodes(web, planted);
  begun.push(sim);
  for (let n = 0; n < nodes; n++) await sim.join();
  const [first] = sim.nodes;
  await first?.node.jobs?.start({ urls: sim.seeds, name: 'the web', scope: 'any' });
  return sim;
}

test('ring: one node is a ring: every page once, every turn kept (D1)', async (t) => {
  const sim = await started(openWeb({ seed: 61, ...SIZE }), 1);
  await sim.finish();
  const seen = await verdictOfRing(sim);
  t.diagnostic(`${sim.http.log.length} requests; ${await sim.state()}`);
  assertCleanRing(seen, sim);
  assert.equal(seen.duplicates, 0);
});

test('ring: three nodes, nothing happens: every page once, every turn kept (D1, P5)', async (t) => {
  const sim = await started(openWeb({ seed: 61, ...SIZE }), 3);
  await sim.finish();
  const seen = await verdictOfRing(sim);
  t.diagnostic(
    `${sim.http.log.length} requests; ${sim.net.messages} messages; ${await sim.state()}`,
  );
  assertCleanRing(seen, sim);
  assert.equal(seen.duplicates, 0);
});

test('ring: one dies, one joins, one leaves: all found, politely (D3, D4, P5)', async (t) => {
  const sim = await started(openWeb({ seed: 63, ...SIZE }), 3);
  await sim.pass(8_000);
  const [, second, third] = sim.nodes;
  if (second !== undefined) sim.crash(second);
  await sim.pass(20_000);
  await sim.join();
  await sim.pass(20_000);
  if (third !== undefined) await sim.leave(third);
  await sim.finish();
  const seen = await verdictOfRing(sim);
  t.diagnostic(`${seen.duplicates} asked twice of ${sim.caught} caught; ${await sim.state()}`);
  assertCleanRing(seen, sim);
});

/** Stopped for half a minute right after it began to connect; others have its arcs by then. */
async function stoppedWhileConnecting(planted?: RingPlanted): Promise<readonly string[]> {
  const sim = await started(openWeb({ seed: 62, ...LONG }), 3, planted);
  await sim.pass(25_000);
  await new Promise<void>((stopped) => {
    sim.onConnect = (name) => {
      sim.onConnect = undefined;
      const one = sim.nodes.find((node) => node.name === name) as (typeof sim.nodes)[number];
      void sim.stop(one, 30_000).then(stopped);
    };
  });
  await sim.pass(5_000);
  const { complaints } = await verdictOfRing(sim);
  sim.end();
  return complaints;
}

test('ring: a node stops while it connects, and wakes late: nothing is sent (P5)', async () => {
  assert.deepEqual(await stoppedWhileConnecting(), []);
});

test('watchers of a ring: a node whose terms never end: they complain', async () => {
  assert.match(
    (await stoppedWhileConnecting('endless terms')).join(),
    /may act|asked after|at once/,
  );
});

/** Faults one after the other, all from one seed; each when the ring has recovered from the last. */
async function history(sim: RingNodes, seed: number, faults: number): Promise<string[]> {
  const random = seededRandom(seed);
  const told: string[] = [];
  for (let n = 0; n < faults; n++) {
    await sim.pass(2_000 + 6_000 * random.next());
    const { nodes } = sim;
    const one = nodes[Math.floor(random.next() * nodes.length)] as (typeof nodes)[number];
    const kind = nodes.length < 4 ? 'join' : (KINDS[Math.floor(random.next() * 5)] as string);
    told.push(kind);
    if (kind === 'join') await sim.join();
    else if (kind === 'leave') await sim.leave(one);
    else if (kind === 'stop') await sim.stop(one, 60_000);
    else {
      sim.crash(one);
      if (kind === 'restart') await sim.pass(15_000 * random.next());
      if (kind === 'restart') await sim.restart(one);
    }
    await sim.pass(12_000);
  }
  return told;
}

const KINDS = ['join', 'leave', 'crash', 'restart', 'stop'];
/** `SIM_SEEDS=7,8 npm test -- sim/ring-nodes` for others. */
const SEEDS = (process.env.SIM_SEEDS ?? '2').split(',').map(Number);

for (const seed of SEEDS) {
  test(`ring: seed ${seed}: nodes come, go, crash, sleep and come back (D3, D5, P5)`, async (t) => {
    const sim = await started(openWeb({ seed: 80 + seed, ...LONG }), 4);
    const told = await history(sim, seed, 5);
    await sim.finish();
    const seen = await verdictOfRing(sim);
    t.diagnostic(`${told}: ${seen.duplicates} asked twice of ${sim.caught} caught`);
    t.diagnostic(await sim.state());
    assertCleanRing(seen, sim);
  });
}
