/**
 * Rings in virtual time whose nodes have hosts behind the same addresses (P4): whatever happens to
 * nodes, the log of the web says that no address was asked before its pause.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { arcOfAddress } from '../../src/crawl/ring-address-tables.ts';
import { openWeb, perAddressGaps } from '../../testweb/index.ts';
import { RingNodes, type RingPlanted } from './ring-nodes.ts';
import { assertCleanRing, verdictOfRing } from './ring-nodes-verdict.ts';

/** 12 hosts behind 3 addresses: each node has some behind each of them. */
const SHARED = {
  ...{ hosts: 12, pages: 48, skew: 0.5, hostsPerAddress: 4 },
  ...{ bodyBytes: 1_000, slowMsMax: 1_500 },
} as const;
const begun: RingNodes[] = [];
afterEach(() => {
  for (const sim of begun.splice(0)) sim.end();
});

async function started(seed: number, planted?: RingPlanted): Promise<RingNodes> {
  const sim = new RingNodes(openWeb({ seed, ...SHARED }), planted);
  begun.push(sim);
  for (let n = 0; n < 3; n++) await sim.join();
  await sim.nodes[0]?.node.jobs?.start({ urls: sim.seeds, name: 'the web', scope: 'any' });
  return sim;
}

function rudeToAddresses({ http }: RingNodes): string[] {
  return perAddressGaps(http.log).flatMap(({ of, smallestMs, overlaps, atMs }) => [
    ...(smallestMs < 1_000 ? [`${of}: asked after ${smallestMs} ms, at ${atMs}`] : []),
    ...(overlaps > 0 ? [`${of}: ${overlaps} at once`] : []),
  ]);
}

/** Whoever keeps the turns of the address that was asked most. */
function keeperOf(sim: RingNodes) {
  const [most] = perAddressGaps(sim.http.log).sort((a, b) => b.requests - a.requests);
  const arc = arcOfAddress(most?.of ?? '');
  const keeper = sim.nodes.find(({ ring }) => ring.epochOf(arc) !== undefined);
  assert.ok(keeper, 'the table has a keeper');
  return keeper;
}

test('ring addresses: three nodes behind each, nothing happens: every pause is kept', async (t) => {
  const sim = await started(81);
  await sim.finish();
  assert.deepEqual(rudeToAddresses(sim), []);
  const seen = await verdictOfRing(sim);
  assertCleanRing(seen, sim);
  assert.equal(seen.duplicates, 0);
  t.diagnostic(`${sim.http.log.length} requests`);
});

test('ring addresses: whoever keeps the table dies, one joins, one leaves: every pause', async (t) => {
  const sim = await started(82);
  await sim.pass(30_000);
  const before = sim.http.log.length;
  sim.crash(keeperOf(sim));
  await sim.pass(60_000);
  assert.ok(sim.http.log.length > before, 'it goes on');
  await sim.join();
  await sim.pass(30_000);
  await sim.leave(keeperOf(sim));
  await sim.finish();
  t.diagnostic(`${before} requests before the first blow, ${sim.http.log.length} in all`);
  assert.deepEqual(rudeToAddresses(sim), []);
  assertCleanRing(await verdictOfRing(sim), sim);
});

test('ring addresses: whoever keeps the table sleeps, and wakes when another does: every pause', async () => {
  const sim = await started(83);
  await sim.pass(30_000);
  await sim.stop(keeperOf(sim), 40_000);
  await sim.finish();
  assert.deepEqual(rudeToAddresses(sim), []);
  assertCleanRing(await verdictOfRing(sim), sim);
});

test('watchers of addresses: each node by itself: they complain', async () => {
  const sim = await started(81, 'no address turns');
  await sim.pass(40_000);
  sim.end();
  assert.match(rudeToAddresses(sim).join(), /asked after|at once/);
});
