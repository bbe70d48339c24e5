/** Fetchers of two nodes that have hosts behind the same addresses, in virtual time (P4, A2). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { perAddressGaps } from '../../testweb/index.ts';
import { lenders, startFetcher } from './lend.testkit.ts';

const PAUSE_MS = 1_000;

it('lend: fetchers of two nodes, hosts behind shared addresses: each pause is kept', async (t) => {
  const world = lenders(t, { hosts: 12, pages: 120, hostsPerAddress: 6 });
  const { clock, http, join, pass, plant } = world;
  const one = await join('one');
  await pass(1_000);
  await one.node.plant(plant);
  const two = await join('two');
  await pass(30_000);
  const fetchers = [one, two].map(({ node }, nth) => startFetcher(t, node, world, `${nth}`));
  await pass(20_000);
  await fetchers[0]?.end();

  const ask = { fetcher: 'ghost', region: '', shard: undefined, n: 10, seconds: 60 };
  const lent = [];
  for (let tries = 0; tries < 200 && lent.length === 0; tries++) {
    lent.push(...(await one.node.lending.lease(ask)).leases);
    await pass(50);
  }
  const [ghost] = lent;
  assert.ok(ghost !== undefined, 'it was lent something, and is never heard of again');
  const { from, until } = ghost;
  await pass(until - clock.now() + 30_000);

  const rude = perAddressGaps(http.log).filter(
    ({ smallestMs, overlaps }) => smallestMs < PAUSE_MS || overlaps > 0,
  );
  assert.deepEqual(rude, []);
  const { at, host, addresses, count } = http.log.columns();
  const times: number[] = [];
  for (let row = 0; row < count; row++) {
    if (addresses[host[row] ?? 0] === ghost.request.address) times.push(at[row] ?? 0);
  }
  const early = times.filter((when) => when > from && when < until + PAUSE_MS);
  assert.deepEqual(early, [], 'nobody asks while the ghost may');
  assert.ok(
    times.some((when) => when >= until + PAUSE_MS),
    'and then it goes on',
  );
  for (const { asked } of fetchers) assert.ok(asked.length > 10, `${asked.length} asked`);
});
