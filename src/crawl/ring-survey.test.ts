/** A whole ring through one of its nodes: who is found, who is silent, who is believed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Peer } from '../ring/index.ts';
import { encodeReport } from './ring-report.ts';
import { peerOf, StillRing } from './ring-seen.testkit.ts';
import { AT_ONCE, NODES_SHOWN_MAX, SILENT_SHOWN_MS } from './ring-walk.ts';

/** Time that the test moves; whoever sleeps does so until it ends. */
function open(nodes: number) {
  const time = { now: 1_700_000_000_000 };
  const clock = { now: () => time.now, sleepUntil: () => new Promise<void>(() => {}) };
  const ring = new StillRing(nodes, clock);
  const at = (i: number) => ring.peers[i] as Peer;
  return { ring, time, at, answers: ring.answersOf(at(0)) };
}

const placesOf = (peers: readonly { readonly place: string }[]) => peers.map(({ place }) => place);

test('ring survey: every node is found through any of them, clockwise, each asked once', async () => {
  const { ring, at } = open(23);
  const { nodes, isWhole, arcs, me } = await ring.answersOf(at(7)).survey();
  assert.deepEqual(placesOf(nodes.map(({ peer }) => peer)), placesOf(ring.peers));
  assert.ok(nodes.every(({ report }) => report !== undefined));
  assert.equal(ring.asked, 22);
  assert.ok(isWhole);
  assert.equal(me.place, at(7).place);
  assert.deepEqual(
    arcs.map(({ owner }) => owner),
    arcs.map(({ arc }) => ring.seatsOf(arc)[0]?.place),
  );
});

test('ring survey: a node alone is a whole ring', async () => {
  const { nodes, arcs } = await open(1).answers.survey();
  assert.equal(nodes.length, 1);
  assert.ok(arcs.every(({ owner }) => owner === nodes[0]?.peer.place));
});

test('ring survey: a node that is named and says nothing is silent, with its arcs as others know them', async () => {
  const { ring, at, answers } = open(6);
  const mute = at(3);
  ring.silent.add(mute.place);
  const { nodes, arcs } = await answers.survey();
  const seen = nodes.find(({ peer }) => peer.id === mute.id);
  assert.deepEqual([seen?.report, seen?.heardAt], [undefined, undefined]);
  assert.equal(nodes.length, 6);
  const his = arcs.filter(({ owner }) => owner === mute.place);
  assert.ok(his.length > 0);
  assert.ok(his.every(({ level }) => level === undefined));
});

test('ring survey: one that never answers in time does not hold the others up', async () => {
  const { ring, at, time, answers } = open(6);
  const wakes: (() => void)[] = [];
  ring.clock.sleepUntil = () => new Promise<void>((resolve) => wakes.push(resolve));
  ring.lies.set(at(2).place, () => new Promise(() => {}) as never);
  const surveyed = answers.survey();
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
  time.now += 1_000;
  for (const wake of wakes) wake();
  const { nodes } = await surveyed;
  assert.equal(nodes.filter(({ report }) => report === undefined).length, 1);
  assert.equal(nodes.length, 6);
});

test('ring survey: a node that has just died is shown as silent, and forgotten after a while', async () => {
  const { ring, at, time, answers } = open(6);
  await answers.survey();
  const gone = at(4);
  ring.kill(gone);
  time.now += 30_000;
  const soon = await answers.survey();
  const seen = soon.nodes.find(({ peer }) => peer.id === gone.id);
  assert.equal(seen?.report, undefined);
  assert.equal(seen?.heardAt, time.now - 30_000);
  assert.ok(soon.arcs.every(({ owner }) => owner !== gone.place));
  assert.ok(soon.arcs.some(({ epoch }) => epoch === 2));
  time.now += SILENT_SHOWN_MS;
  await answers.survey();
  time.now += SILENT_SHOWN_MS;
  assert.equal((await answers.survey()).nodes.length, 5);
});

test('ring survey: a node that left with a good-bye is not missed', async () => {
  const { ring, at, time, answers } = open(6);
  const leaver = at(4);
  const leaving = { ...ring.reportOf(leaver), status: 'leaving' as const };
  ring.lies.set(leaver.place, () => encodeReport(leaving));
  assert.equal((await answers.survey()).nodes[4]?.report?.status, 'leaving');
  ring.kill(leaver);
  time.now += 30_000;
  assert.equal((await answers.survey()).nodes.length, 5);
});

test('ring survey: whoever answers nonsense, or as another, is silent', async () => {
  const { ring, at, answers } = open(6);
  ring.lies.set(at(1).place, () => Buffer.from('<script>alert(1)</script>'));
  ring.lies.set(at(2).place, () => encodeReport(ring.reportOf(at(3))));
  const { nodes } = await answers.survey();
  assert.deepEqual(
    nodes.map(({ report }) => report === undefined),
    [false, true, true, false, false, false],
  );
});

test('ring survey: of a ring too long to show a part is asked, and that is said', async () => {
  const { ring, answers } = open(400);
  const { nodes, isWhole } = await answers.survey();
  assert.equal(nodes.length, NODES_SHOWN_MAX);
  assert.equal(ring.asked, NODES_SHOWN_MAX - 1);
  assert.equal(isWhole, false);
});

test('ring survey: when time is over nobody more is asked, and the survey is not whole', async () => {
  const { ring, time, answers } = open(100);
  for (const { place } of ring.peers) {
    ring.lies.set(place, (said) => {
      time.now += 200;
      return said;
    });
  }
  const { nodes, isWhole } = await answers.survey();
  assert.ok(ring.asked < 60, `${ring.asked} were asked`);
  assert.ok(nodes.every(({ report }) => report !== undefined));
  assert.equal(isWhole, false);
});

test('ring survey: a liar that names strangers makes them be asked once, not all at a time, and shown as silent', async () => {
  const { ring, at, answers } = open(3);
  const strangers = Array.from({ length: 60 }, (_, i) => peerOf(1_000 + i));
  const lie = { ...ring.reportOf(at(1)), successors: strangers };
  ring.lies.set(at(1).place, () => encodeReport(lie));
  const { nodes } = await answers.survey();
  assert.equal(nodes.filter(({ report }) => report === undefined).length, 60);
  assert.equal(ring.asked, 62);
  assert.equal(ring.mostAtOnce, AT_ONCE);
});

test('ring survey: of an arc the highest epoch counts, and its owner before others', async () => {
  const { ring, at, answers } = open(6);
  const { arc } = ring.reportOf(at(2)).arcs.find(({ role }) => role === 'owner') ?? { arc: 0 };
  const before = (await answers.survey()).arcs[arc];
  assert.equal(before?.level, 5);
  const stale = ring.reportOf(at(2));
  ring.epochs[arc] = 9;
  const thief = ring.seatsOf(arc)[1] as Peer;
  const claim = { arc, epoch: 10, role: 'owner' as const, owner: thief.place, seats: [], level: 0 };
  const others = ring.reportOf(thief).arcs.filter((one) => one.arc !== arc);
  ring.lies.set(thief.place, () =>
    encodeReport({ ...ring.reportOf(thief), arcs: [...others, claim] }),
  );
  ring.lies.set(at(2).place, () => encodeReport(stale));
  const { arcs } = await ring.answersOf(at(5)).survey();
  assert.deepEqual([arcs[arc]?.epoch, arcs[arc]?.owner], [10, thief.place]);
});

test('ring survey: however many look, the ring is walked once a second', async () => {
  const { ring, time, answers } = open(6);
  await Promise.all([answers.survey(), answers.survey(), answers.node('nobody')]);
  assert.equal(ring.asked, 5);
  time.now += 1_001;
  await answers.survey();
  assert.equal(ring.asked, 10);
});

test('ring survey: one node, by its id or its place, is asked again', async () => {
  const { ring, at, time, answers } = open(6);
  await answers.survey();
  ring.lookups.set(at(3).id, [
    { key: at(1).place, owner: at(1).place, hops: 2, ms: 3, at: ring.clock.now() },
  ]);
  time.now += 500;
  for (const name of [at(3).id, at(3).place, at(0).place]) {
    assert.ok((await answers.node(name))?.report !== undefined, name);
  }
  assert.equal((await answers.node(at(3).id))?.report?.lookups.length, 1);
  ring.silent.add(at(3).place);
  assert.equal((await answers.node(at(3).id))?.report, undefined);
  assert.equal(await answers.node('0'.repeat(16)), undefined);
});

test('ring lookup: a host has a place, an arc that ends at or after it, and the owner of that', async () => {
  const { ring, answers } = open(9);
  for (const host of ['a.example', 'b.example:8080', 'xn--bcher-kva.example']) {
    const { place, found, arc } = await answers.lookup(host);
    assert.equal(Number.parseInt(place.slice(0, 2), 16) >> 2, arc.arc);
    assert.equal(found?.owner.place, ring.seatsOf(arc.arc)[0]?.place);
    assert.equal(arc.owner, found?.owner.place);
  }
});
