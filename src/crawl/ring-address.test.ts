/** Turns at addresses on a ring (P4): the port's promises, and what is done when nobody answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { addressTurnsContract } from '../ports/address-turns.contract.ts';
import { ARCS } from '../url/index.ts';
import { type ToyNode, ToyRing } from './ring.testkit.ts';
import { RingAddressTurns } from './ring-address.ts';
import { AddressTables, arcOfAddress } from './ring-address-tables.ts';
import { addressQuestion, addressQuestionIn, callerOf } from './ring-address-wire.ts';

const FORGET_MS = 14_000;
const HERE = '192.0.2.1';
const TERMS = { holdMs: 34_000, pauseMs: 1_000 };
const SECOND = 1_000;

async function world() {
  const [ring, clock] = [new ToyRing(), new VirtualClock()];
  const notices: string[] = [];
  const nodes = [ring.join(), ring.join(), ring.join()] as [ToyNode, ToyNode, ToyNode];
  const turnsOf = (node: ToyNode, nth: number) => {
    const notice = (text: string) => notices.push(text);
    const parts = { arcs: node, calls: node, clock, forgetMs: FORGET_MS, notice };
    return new RingAddressTurns({ ...parts, holder: `node ${nth}` });
  };
  const [one, two, three] = nodes.map(turnsOf);
  assert.ok(one && two && three);
  const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);
  await pass(FORGET_MS);
  return { ring, nodes, clock, notices, one, two, three, pass };
}

addressTurnsContract('ring', async () => {
  const { ring, nodes, one, two, three, pass } = await world();
  const forget = async () => {
    for (let arc = 0; arc < ARCS; arc++) ring.give(arc, ring.ownerOf(arc) as ToyNode);
    for (const node of nodes) node.tell();
  };
  return { one, two, three, pass, forget, forgetMs: FORGET_MS };
});

test('ring addresses: a ring that has just begun: turns at once', async () => {
  const [ring, clock] = [new ToyRing(), new VirtualClock()];
  const node = ring.join();
  const parts = { arcs: node, calls: node, clock, forgetMs: FORGET_MS };
  const turns = new RingAddressTurns({ ...parts, holder: 'first' });
  assert.equal((await turns.claim(HERE, TERMS)).kind, 'yours');
});

test('ring addresses: the table moves: blank from when the arc is there, not from the first claim', async () => {
  const { ring, nodes, two, pass } = await world();
  const arc = arcOfAddress(HERE);
  const [, , third] = nodes;
  ring.give(arc, third);
  const owner = nodes.find((node) => ring.wants(arc) === node) as ToyNode;
  ring.give(arc, owner);
  owner.tell();
  await pass(FORGET_MS - SECOND);
  const answer = await two.claim(HERE, TERMS);
  assert.deepEqual(answer, { kind: 'wait', waitMs: SECOND });
});

test('ring addresses: nobody owns the arc: all wait, for a minute; then each decides alone', async () => {
  const { ring, one, two, pass, notices } = await world();
  const arc = arcOfAddress(HERE);
  const owner = ring.ownerOf(arc) as ToyNode;
  ring.give(arc, undefined as unknown as ToyNode);
  for (let second = 0; second < 60; second++) {
    for (const turns of [one, two]) {
      const answer = await turns.claim(HERE, TERMS);
      assert.equal(answer.kind, 'wait', `after ${second} s`);
    }
    await pass(SECOND);
  }
  assert.deepEqual(notices, []);
  await pass(2 * SECOND);
  for (let n = 0; n < 3; n++) assert.equal((await one.claim(HERE, TERMS)).kind, 'away');
  assert.equal(notices.length, 1);
  const other = ['192.0.2.2', '192.0.2.3', '192.0.2.4'].find((at) => arcOfAddress(at) !== arc);
  assert.equal((await two.claim(other as string, TERMS)).kind, 'yours', 'others are well');

  ring.give(arc, owner);
  await pass(2 * SECOND);
  assert.equal((await one.claim(HERE, TERMS)).kind, 'wait', 'its table is blank');
  await pass(FORGET_MS);
  assert.equal((await one.claim(HERE, TERMS)).kind, 'yours');
  assert.equal(notices.length, 2);
});

test('ring addresses: silent once, and not asked for an hour: silent again is no hour of silence', async () => {
  const { ring, one, pass } = await world();
  ring.give(arcOfAddress(HERE), undefined as unknown as ToyNode);
  for (let n = 0; n < 3; n++) {
    assert.equal((await one.claim(HERE, TERMS)).kind, 'wait');
    await pass(3_600 * SECOND);
  }
});

test('ring addresses: bytes of others: only a question, and only where it belongs', async () => {
  const { nodes, clock } = await world();
  const arcs = nodes[0];
  const tables = new AddressTables({ arcs, clock, forgetMs: FORGET_MS });
  const address = Array.from({ length: 200 }, (_, n) => `192.0.2.${n}`).find((at) => {
    return arcs.epochOf(arcOfAddress(at)) !== undefined;
  }) as string;
  const arc = arcOfAddress(address);
  const asked = {
    kind: 'claim',
    node: callerOf('x'),
    address,
    ms: 34_000,
    pauseMs: 1_000,
  } as const;
  const good = addressQuestion(asked, 1);
  assert.equal(addressQuestionIn(good)?.address, address);
  assert.equal(tables.answer(good, arc).length, 4);
  const bad = [
    ...[good.subarray(0, 22), good.subarray(1), Buffer.concat([good, Buffer.alloc(80, 49)])],
    Buffer.from(good).fill(9, 0, 1),
    Buffer.from(good).fill(255, 15, 19),
    Buffer.concat([good, Buffer.from(' ')]),
    Buffer.alloc(0),
  ];
  for (const one of bad) assert.equal(tables.answer(one, arc).length, 0);
  assert.equal(tables.answer(good, (arc + 1) % ARCS).length, 0);
  assert.equal(tables.answer(good, undefined).length, 0);
});
