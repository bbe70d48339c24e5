/** Copies (replica.ts): how they come to be like the owner's, and stay so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArcGroup, node } from './arc-group.testkit.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const [A, B, C] = FIVE.map(node) as [never, never, never];
const KEYS = [...'pqrstuvwxyz'];

test('replica: one that was away for longer than the log is kept gets rows', () => {
  const group = new ArcGroup(FIVE, { tailMax: { entries: 3, bytes: 1_000 } });
  group.pass(5);
  group.away.add(C);
  for (const key of KEYS) {
    group.write(A, [key], 1);
    group.deliver();
  }
  group.pass(3);
  group.away.delete(C);
  group.pass(4);
  assert.deepEqual(group.keys(C), KEYS);
  assert.equal(group.state(A).owning?.followers.get(C)?.isWhole, true);
});

test('replica: entries that come twice or out of order are applied once, in order', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x', 'y'], 1);
  const both = group.letters.find(({ to }) => to === B)?.message;
  group.letters.splice(0);
  assert.ok(both?.kind === 'append');
  const x = { ...both, entries: both.entries.slice(0, 1) };
  const y = { ...both, entries: both.entries.slice(1), after: both.after + 1 };
  for (const message of [y, x, y, x, both]) group.hear(A, B, message);
  assert.deepEqual(group.keys(B), ['x', 'y']);
  assert.deepEqual(group.state(B).at, group.state(A).at);
});

test('replica: a copy that is not what it should be is found and mended', () => {
  const group = new ArcGroup(FIVE, { checkEveryMs: 10_000 });
  group.pass(5);
  group.write(A, KEYS, 1);
  group.pass(1);
  group.rows.get(B)?.delete('q');
  group.rows.get(B)?.set('nonsense', { epoch: 1, index: 1 });
  group.pass(20);
  assert.deepEqual(group.keys(B), KEYS);
});

test('replica: an append of a lower epoch changes nothing and is refused', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['stale'], 1);
  const stale = group.letters.find(({ to }) => to === B);
  group.letters.splice(0);
  group.away.add(A);
  group.pass(20);
  assert.ok(stale);
  group.hear(stale.from, stale.to, stale.message);
  assert.deepEqual(group.letters.at(-1)?.message, { kind: 'refuse', epoch: 3 });
  assert.deepEqual(group.keys(B), []);
});

test('replica: in an epoch that has an owner nobody else is believed, neither rows nor entries', () => {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x'], 1);
  const append = group.letters.find(({ to }) => to === B)?.message;
  group.letters.splice(0);
  assert.ok(append?.kind === 'append');
  group.hear(C, B, append);
  assert.deepEqual([group.keys(B), group.letters], [[], []]);
  const { epoch, charter } = append;
  const about = { epoch, anchor: 1, isCheck: false, charter };
  group.hear(C, B, { kind: 'sums', sums: [1, 1], ...about });
  group.hear(C, B, { kind: 'rows', epoch, anchor: 1, bucket: 0, of: 2, rows: [['x', {}]] });
  assert.deepEqual([group.keys(B), group.letters], [[], []]);
});

/** B is compared, its copy being like A's; what comes of it is found only later. */
function compared(isCheck: boolean) {
  const group = new ArcGroup(FIVE);
  group.pass(5);
  group.write(A, ['x'], 1);
  group.pass(2);
  const { at, remade, promised: epoch, charter } = group.state(B);
  const about = { kind: 'compared', from: A, epoch, charter, isCheck, at, remade } as const;
  return { group, found: { ...about, anchor: at.index, differing: [], of: 2 } };
}

test('replica: a copy that was dropped while it was compared is not taken for whole', () => {
  const { group, found } = compared(false);
  group.hear(A, B, { kind: 'dismiss', epoch: found.epoch });
  assert.deepEqual(group.keys(B), []);
  group.event(B, found);
  assert.deepEqual(group.state(B).at, { epoch: 0, index: 0 });
});

test('replica: a copy that went on while it was compared is so only if it was whole', () => {
  for (const isCheck of [true, false]) {
    const { group, found } = compared(isCheck);
    group.write(A, ['y'], 2);
    group.deliver();
    group.event(B, { ...found, differing: [1] });
    const isWanted = group.letters.some(({ message }) => message.kind === 'want');
    assert.equal(isWanted, isCheck);
  }
});
