/** Seats come and go, and an arc moves to who should own it (hand-over.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArcGroup, node } from './arc-group.testkit.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const [A, B, C, D, E] = FIVE.map(node) as [never, never, never, never, never];
const [J, K] = [node('j'), node('k')];

test('hand-over: a joiner owns the arc with everything in it, after the owner before has stopped', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x', 'y'], 1);
  group.wanted = [J, A, B, C, D];
  for (let n = 0; n < 20; n++) {
    group.pass(1);
    assert.ok(group.owners().length <= 1, 'never two at once');
  }
  assert.deepEqual(group.owners(), [J]);
  assert.deepEqual(group.keys(J), ['x', 'y']);
  const [, own] = group.toldOf('own');
  const [lost] = group.toldOf('lost');
  assert.ok(own && lost && lost.at <= own.at && lost.effect.unsent.length === 0);
  assert.deepEqual([...group.state(J).charter.seats].sort(), [A, B, C, D, J].sort());
  assert.deepEqual(group.keys(E), [], 'whoever has no seat any more keeps nothing');
});

test('hand-over: a joiner that dies before the switch costs nothing', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.wanted = [J, A, B, C, D];
  group.pass(2);
  group.away.add(J);
  group.wanted = [A, B, C, D, E];
  group.pass(20);
  assert.deepEqual(group.owners(), [A]);
});

test('hand-over: a blessing that is lost leads to an election, not to two owners', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x'], 1);
  group.wanted = [B, A, C, D, E];
  for (let n = 0; n < 30 && group.toldOf('lost').length === 0; n++) {
    group.now += 1_000;
    group.event(A, { kind: 'tick', wanted: group.wanted, chance: 0 });
    while (group.letters[0] !== undefined && group.letters[0].message.kind !== 'bless') {
      const { from, to, message } = group.letters.shift() as (typeof group.letters)[0];
      group.hear(from, to, message);
    }
    group.letters.splice(0);
  }
  assert.equal(group.toldOf('lost').length, 1, 'the owner has given its arc away');
  assert.deepEqual(group.owners(), []);
  group.pass(15);
  assert.equal(group.owners().length, 1);
  assert.deepEqual(group.keys(group.owners()[0] as never), ['x']);
});

test('hand-over: a silent seat is replaced, and never just taken away', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.away.add(D);
  group.away.add(E);
  group.wanted = [A, B, C];
  group.pass(30);
  assert.equal(group.state(A).charter.seats.length, 5, 'it may be us who are cut off');
  group.wanted = [A, B, C, J];
  group.pass(10);
  assert.equal(group.state(A).charter.seats.includes(J), true);
  assert.equal(group.state(A).charter.seats.length, 5);
});

test('hand-over: two that died are replaced in as many messages as it takes, not in ticks', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x', 'y'], 1);
  group.away.add(D);
  group.away.add(E);
  group.pass(10);
  group.wanted = [A, B, C, J, K];
  group.pass(2);
  assert.deepEqual([...group.state(A).charter.seats].sort(), [A, B, C, J, K].sort());
  assert.deepEqual(group.keys(K), ['x', 'y']);
  group.away.add(A);
  group.away.add(B);
  group.pass(20);
  assert.equal(group.owners().length, 1, 'so two more may die');
});

test('hand-over: in a small ring whoever leaves takes its seat along', () => {
  const group = new ArcGroup(['a', 'b', 'c']);
  group.pass(5);
  group.wanted = [A, B];
  group.leaving.add(C);
  group.pass(5);
  assert.deepEqual(group.state(A).charter.seats, [A, B]);
  assert.deepEqual(group.owners(), [A]);
});

test('hand-over: in a small ring nodes die and others join, one after the other: it goes on', () => {
  const group = new ArcGroup(['a', 'b', 'c']);
  group.pass(5);
  group.write(A, ['x'], 1);
  for (const [dead, fresh, seats] of [
    [C, J, [A, B, J]],
    [B, D, [A, J, D]],
    [J, E, [A, D, E]],
  ] as const) {
    group.away.add(dead);
    group.wanted = seats.filter((seat) => seat !== fresh);
    group.pass(15);
    group.wanted = [...seats];
    group.pass(15);
    assert.deepEqual([...group.state(A).charter.seats].sort(), [...seats].sort());
    assert.deepEqual(group.owners(), [A]);
    assert.deepEqual(group.keys(fresh), ['x']);
  }
});

test('hand-over: one is dead for good, another leaves: the dead one goes first, and no owner is lost', () => {
  for (const leaver of [A, B]) {
    const group = new ArcGroup(['a', 'b', 'c']);
    group.pass(5);
    group.write(A, ['x'], 1);
    group.pass(1);
    group.away.add(C);
    group.wanted = [A, B];
    group.pass(20);
    group.leaving.add(leaver);
    const left = leaver === A ? B : A;
    group.wanted = [left];
    for (let n = 0; n < 40; n++) {
      group.pass(1);
      assert.ok(group.owners().length <= 1, 'never two at once');
    }
    assert.deepEqual(group.owners(), [left]);
    assert.deepEqual(group.state(left).charter.seats, [left]);
    assert.deepEqual(group.keys(left), ['x']);
    assert.ok(!group.state(leaver).charter.seats.includes(leaver), 'it may go');
    group.away.delete(C);
    group.pass(20);
    assert.deepEqual(group.owners(), [left], 'whoever comes back with an old charter owns nothing');
  }
});

test('hand-over: two of five are dead, a third leaves: those who live can always agree', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x'], 1);
  group.away.add(D);
  group.away.add(E);
  group.wanted = [A, B, C];
  group.pass(20);
  group.leaving.add(C);
  group.wanted = [A, B];
  for (let n = 0; n < 20; n++) {
    group.pass(1);
    assert.deepEqual(group.owners(), [A], `after ${n} s`);
  }
  assert.ok(!group.state(A).charter.seats.includes(C), 'it may go');
  group.away.add(C);
  group.write(A, ['y'], 2);
  group.pass(10);
  assert.deepEqual(group.keys(B), ['x', 'y']);
});

test('hand-over: one of two leaves, the other is dead: its seat is not given up, and it stays', () => {
  const group = new ArcGroup(['a', 'b']);
  group.pass(5);
  group.away.add(B);
  group.leaving.add(A);
  group.wanted = [];
  group.pass(30);
  assert.deepEqual(group.state(A).charter.seats, [A, B]);
});
