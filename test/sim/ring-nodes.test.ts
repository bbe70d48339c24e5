/** Rings that crawl, in virtual time: the proof that all of its parts work together. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openWeb, type Web } from '../../testweb/index.ts';
import { RingNodes } from './ring-nodes.ts';
import { assertCleanRing, verdictOfRing } from './ring-nodes-verdict.ts';

const SIZE = { hosts: 16, pages: 160, skew: 0.5, bodyBytes: 1_500, slowMsMax: 1_500 } as const;
const begun: RingNodes[] = [];
after(() => {
  for (const sim of begun) sim.end();
});

async function started(web: Web, nodes: number): Promise<RingNodes> {
  const sim = new RingNodes(web);
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
