import assert from 'node:assert/strict';
import { it } from 'node:test';
import { halvesOf } from '../../url/index.ts';
import { assignArcs, withParts } from './assign.ts';

const names = (count: number) => Array.from({ length: count }, (_, i) => `node-${i}`);

function ownerOf(shares: Map<string, number[]>): Map<number, string> {
  return new Map([...shares].flatMap(([name, arcs]) => arcs.map((arc) => [arc, name] as const)));
}

it('any number of members: every arc once, and fair shares', () => {
  for (const count of [1, 2, 3, 7, 63, 64, 100]) {
    const shares = assignArcs(names(count), 64);
    const all = [...shares.values()].flat().sort((a, b) => a - b);
    assert.deepEqual(
      all,
      Array.from({ length: 64 }, (_, arc) => arc),
    );
    const most = Math.max(...[...shares.values()].map((arcs) => arcs.length));
    assert.ok(most <= Math.ceil(64 / count), `${count} members: one has ${most}`);
  }
});

it('one member more: the others give up their arcs to it, and few to each other', () => {
  for (let count = 1; count < 10; count++) {
    const [before, after] = [count, count + 1].map((n) => ownerOf(assignArcs(names(n), 64)));
    const moved = [...(after ?? [])].filter(([arc, name]) => before?.get(arc) !== name);
    const between = moved.filter(([, name]) => name !== `node-${count}`);
    assert.ok(between.length <= 8, `${count}: ${between.length} moved between the others`);
  }
});

it('parts: every one once, the first half with its whole, the second elsewhere if it can be', () => {
  for (const count of [1, 2, 5]) {
    const owners = ownerOf(withParts(assignArcs(names(count), 64)));
    assert.equal(owners.size, 64 * 7);
    for (const [arc, owner] of owners) {
      const [first = arc, second = arc] = halvesOf(arc);
      assert.equal(owners.get(first), owner);
      if (second !== arc) assert.equal(owners.get(second) === owner, count === 1);
    }
  }
});

it('no members: nobody has anything', () => {
  assert.equal(assignArcs([], 64).size, 0);
});
