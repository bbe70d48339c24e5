import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expose } from '../metrics/index.ts';
import type { Peer } from '../ring/index.ts';
import { ringFamilies } from './metrics-ring.ts';
import { StillRing } from './ring-seen.testkit.ts';

const clock = { now: () => 1_700_000_000_000, sleepUntil: async () => {} };
const valuesOf = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );

test('ring metrics: arcs by part, those behind, and the counts of the report', () => {
  const ring = new StillRing(6, clock);
  const me = ring.peers[2] as Peer;
  ring.silent.add((ring.peers[3] as Peer).place);
  const values = valuesOf(expose(ringFamilies(ring.reportOf(me))));
  const { arcs } = ring.reportOf(me);
  const owned = arcs.filter(({ role }) => role === 'owner').length;
  assert.ok(owned > 0);
  assert.equal(values.get('orb_ring_member'), 1);
  assert.equal(values.get('orb_ring_arcs{role="owner"}'), owned);
  assert.equal(values.get('orb_ring_arcs{role="seat"}'), arcs.length - owned);
  assert.equal(values.get('orb_ring_arcs_behind'), owned);
  assert.equal(values.get('orb_ring_stale_writes_total{side="refused"}'), 1);
  assert.equal(values.get('orb_ring_row_bytes_total{way="out"}'), 2e6);
  assert.equal(values.get('orb_ring_lookup_hops_total'), 90);
  assert.equal(values.get('orb_ring_lent_total'), 70);
  assert.equal(values.get('orb_ring_lent_ends_total{end="lost"}'), 7);
  assert.equal(values.get('orb_ring_borrowed_total'), 8);
  assert.equal(values.get('orb_ring_borrowed_ends_total{end="settled"}'), 5);
});

test('ring metrics: without a ring the same series are there, all of them 0', () => {
  const ring = new StillRing(3, clock);
  const [none, some] = [undefined, ring.reportOf(ring.peers[0] as Peer)].map((report) =>
    valuesOf(expose(ringFamilies(report))),
  ) as [Map<string, number>, Map<string, number>];
  assert.deepEqual([...none.keys()], [...some.keys()]);
  assert.deepEqual([...new Set(none.values())], [0]);
});
