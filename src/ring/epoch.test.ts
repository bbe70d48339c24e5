/** Epochs and terms (epoch.ts): who may own an arc, from when, and how it learns that it may not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArcGroup, node } from './arc-group.testkit.ts';
import { leaseUntil } from './arc-state.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const [A, B, C, D, E] = FIVE.map(node) as [never, never, never, never, never];

test('epoch: a new arc is owned by the first in line, and by nobody else', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  assert.deepEqual(group.owners(), [A]);
  assert.equal(group.toldOf('own').length, 1);
});

test('epoch: nobody is chosen before the term ends that the owner may count on', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  const until = leaseUntil(group.state(A));
  group.away.add(A);
  group.pass(20);
  const [, next] = group.toldOf('own');
  assert.ok(next && next.at >= until, 'the next owner came after the term');
  assert.equal(next.node, B, 'and is the next in line that is there');
  assert.equal(next.effect.epoch, 3);
});

test('epoch: two that ask at one instant, where every vote counts: one of them owns it at once', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  for (const away of [A, B]) group.away.add(away);
  group.now += 15_000;
  for (const id of [C, D]) group.event(id, { kind: 'tick', wanted: group.wanted, chance: 0.5 });
  group.deliver();
  assert.deepEqual(group.owners(), [C]);
});

test('epoch: of two that ask at one instant the one with the newer copy owns it', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.away.add(C);
  group.write(A, ['x'], 1);
  group.deliver();
  group.away.delete(C);
  for (const away of [A, B]) group.away.add(away);
  group.now += 15_000;
  for (const id of [C, D]) group.event(id, { kind: 'tick', wanted: group.wanted, chance: 0.5 });
  group.deliver();
  assert.deepEqual(group.owners(), [D]);
  assert.deepEqual(group.keys(D), ['x']);
});

test('epoch: an owner that hears no majority stops by itself', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  for (const away of [B, C, D]) group.away.add(away);
  group.pass(7);
  assert.deepEqual(group.owners(), []);
});

test('epoch: an owner that returns is refused, owns no more and hands over what nobody has', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.away.add(A);
  group.write(A, ['late'], 9);
  group.letters.splice(0);
  group.pass(20);
  assert.deepEqual(group.owners(), [B]);
  group.away.delete(A);
  group.wanted = [B, C, D, E, A];
  group.pass(1);
  const [lost] = group.toldOf('lost');
  assert.equal(lost?.node, A);
  assert.deepEqual(
    lost.effect.unsent.map(({ body }) => body),
    ['late'],
  );
  const [answer] = group.toldOf('written');
  assert.deepEqual(answer?.effect, { kind: 'written', token: 9, isKept: false });
  assert.equal(group.state(A).promised, 3);
});

test('epoch: a seat that slept for a minute changes nothing when it wakes', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.away.add(C);
  group.pass(60);
  group.away.delete(C);
  group.event(C, { kind: 'tick', wanted: [C], chance: 0 });
  group.deliver();
  group.pass(3);
  assert.deepEqual(group.owners(), [A]);
  assert.equal(group.state(A).promised, 2);
});

test('epoch: who has less than a majority has is not chosen', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.away.add(B);
  group.write(A, ['x'], 1);
  group.deliver();
  group.away.add(A);
  group.away.delete(B);
  group.pass(20);
  const [, next] = group.toldOf('own');
  assert.notEqual(next?.node, B);
  assert.deepEqual(group.keys(next?.node as never), ['x']);
});
