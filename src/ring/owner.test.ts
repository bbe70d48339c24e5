/** An owner's writes (owner.ts): when they may be relied on, by mode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArcGroup, node } from './arc-group.testkit.ts';
import type { Awaited } from './arc-state.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const [A, B, C, D, E] = FIVE.map(node) as [never, never, never, never, never];

function groupIn(awaits: Awaited, away: readonly never[]): ArcGroup {
  const group = new ArcGroup(FIVE, { awaits });
  group.pass(5);
  for (const one of away) group.away.add(one);
  group.write(A, ['x'], 7);
  group.deliver();
  return group;
}

const isWritten = (group: ArcGroup) => group.toldOf('written').some(({ effect }) => effect.isKept);

test('owner: an admission may be relied on when K nodes have it, and not before', () => {
  assert.equal(isWritten(groupIn('admissions', [B, C])), true, 'K − 1 of the others');
  assert.equal(isWritten(groupIn('admissions', [B, C, D])), false, 'one fewer');
});

test('owner: where nothing is awaited it relies on itself alone, where everything is, on all', () => {
  assert.equal(isWritten(groupIn('nothing', [B, C, D, E])), true);
  assert.equal(isWritten(groupIn('everything', [B])), false);
  assert.equal(isWritten(groupIn('everything', [])), true);
});

test('owner: a write of somebody who owns nothing is not kept', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(B, ['x'], 3);
  assert.deepEqual(group.told.at(-1)?.effect, { kind: 'written', token: 3, isKept: false });
});

test('owner: that a URL is known already is said only when the others know it, too', () => {
  const group = groupIn('admissions', [B, C, D]);
  group.write(A, [], 8);
  assert.equal(isWritten(group), false);
  group.away.clear();
  group.pass(1);
  assert.deepEqual(
    group.toldOf('written').map(({ effect }) => effect.token),
    [7, 8],
  );
});

test('owner: progress goes out with the next tick, before any later admission', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['progress'], 0, false);
  group.deliver();
  assert.deepEqual(group.keys(B), []);
  group.write(A, ['x'], 1);
  group.deliver();
  assert.deepEqual(group.keys(B), ['progress', 'x']);
});
