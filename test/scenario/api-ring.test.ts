/**
 * The ring through the API of one of its nodes (O2): all of it, one node, who owns a host, and
 * what is said where there is no ring. Each answer is held against the published document.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/adapters/node/index.ts';
import { StillRing } from '../../src/crawl/ring-seen.testkit.ts';
import type { Peer } from '../../src/ring/index.ts';
import { openService } from '../kit/service.ts';

const NO_NODE = 'A'.repeat(43);

async function open(t: TestContext, nodes: number) {
  const ring = new StillRing(nodes, systemClock());
  const at = (i: number) => ring.peers[i] as Peer;
  const api = await openService(t, undefined, { ringAnswers: ring.answersOf(at(0)) });
  return { ring, at, api };
}

test('api ring: nodes clockwise, silent ones marked, and every arc with its owner', async (t) => {
  const { ring, at, api } = await open(t, 5);
  ring.silent.add(at(2).place);
  const { status, json } = await api.ask('/ring');
  assert.equal(status, 200);
  assert.deepEqual([json.me, json.is_whole, json.arcs.length], [at(0).place, true, 64]);
  const silent = json.nodes.filter((node: { is_silent: boolean }) => node.is_silent);
  assert.deepEqual(silent, [{ ...at(2), is_silent: true }]);
  assert.deepEqual(
    json.nodes.map((node: { place: string }) => node.place),
    ring.peers.map(({ place }) => place),
  );
  for (const { arc, owner, seats, epoch } of json.arcs) {
    const expected = ring.seatsOf(arc).map(({ place }) => place);
    assert.deepEqual([owner, epoch, seats], [expected[0], 1, expected]);
  }
  const { counts, arcs_owned: owned } = json.nodes[0];
  assert.deepEqual([counts.stale_refused, counts.row_bytes_out], [1, 2_000_000]);
  assert.equal(owned, ring.reportOf(at(0)).arcs.filter(({ role }) => role === 'owner').length);
});

test('api ring: one node in its own words, by id or place; a silent one without them', async (t) => {
  const { ring, at, api } = await open(t, 5);
  await ring.answersOf(at(1)).lookup('example.com');
  for (const name of [at(1).id, at(1).place]) {
    const { status, json } = await api.ask(`/ring/nodes/${name}`);
    assert.equal(status, 200);
    assert.equal(json.before.place, at(0).place);
    assert.deepEqual(json.successors[0], at(2));
    assert.ok(json.fingers.length > 0 && json.lookups.length === 1);
    assert.ok(json.arcs.some(({ role }: { role: string }) => role === 'seat'));
  }
  ring.silent.add(at(1).place);
  const { json: silent } = await api.ask(`/ring/nodes/${at(1).id}`);
  assert.deepEqual([silent.is_silent, silent.fingers], [true, undefined]);
  assert.equal((await api.ask(`/ring/nodes/${NO_NODE}`)).status, 404);
  assert.equal((await api.ask('/ring/nodes/%3Cscript%3E')).status, 422);
});

test('api ring: who owns a host; what is no host is refused, what nobody knows is 503', async (t) => {
  const { ring, api } = await open(t, 5);
  const { status, json } = await api.ask('/ring/lookup?host=WWW.Example.COM:8080');
  assert.equal(status, 200);
  assert.equal(json.host, 'www.example.com:8080');
  assert.equal(json.owner.place, json.arc.owner);
  assert.equal(json.owner.place, ring.seatsOf(json.arc.arc)[0]?.place);
  for (const host of ['', 'a b', 'a/b', 'http://a.example/', 'x@y', 'é'.repeat(300)]) {
    const asked = await api.ask(`/ring/lookup?host=${encodeURIComponent(host)}`);
    assert.equal(asked.status, 422, host);
  }
  assert.equal((await api.ask('/ring/lookup')).status, 422);
  for (const peer of ring.peers) ring.silent.add(peer.place);
  const unfound = await api.ask('/ring/lookup?host=example.com');
  assert.deepEqual([unfound.status, unfound.json.type], [503, '/problems/unavailable']);
});

test('api ring: where there is none, each of the three says so', async (t) => {
  const api = await openService(t, undefined);
  for (const path of ['/ring', `/ring/nodes/${NO_NODE}`, '/ring/lookup?host=example.com']) {
    const { status, json } = await api.ask(path);
    assert.deepEqual([status, json.type], [404, '/problems/not-found'], path);
    assert.match(json.detail, /on no ring/);
  }
  assert.equal((await api.ask('/crawl/stats')).json.run.is_on_ring, undefined);
});
