/** What follows from steps waits for the disk, in order (ring-arcs-order.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArcCopies, CopyChange, SavedArc } from '../ports/arc-copies.ts';
import { InOrder } from './ring-arcs-order.ts';

const savedAt = (index: number): SavedArc => {
  const at = { epoch: 1, index };
  return { promised: 1, votedFor: undefined, at, charter: { at, seats: [] }, isChartered: true };
};
const entries = (...names: string[]): CopyChange => {
  return { kind: 'entries', bodies: names.map((name) => Buffer.from(name)) };
};

function disk() {
  const saves: { readonly index: number; readonly change: string; done: () => void }[] = [];
  const told: string[] = [];
  let now = savedAt(0);
  const copies = {
    save: (_arc: number, { at }: SavedArc, change?: CopyChange) => {
      const bodies = change?.kind === 'entries' ? change.bodies.map(String).join() : change?.kind;
      return new Promise<void>((done) => {
        saves.push({ index: at.index, change: bodies ?? '', done });
      });
    },
  } as unknown as ArcCopies;
  const order = new InOrder({
    ...{ arc: 1, copies, current: () => now, failed: (error: unknown) => told.push(`${error}`) },
  });
  const step = (index: number, change?: CopyChange) => {
    now = savedAt(index);
    const changes = change === undefined ? [] : [change];
    order.run({ saved: now, changes, after: () => told.push(`${index}`) });
  };
  const later = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { saves, told, order, step, later, moved: (index: number) => (now = savedAt(index)) };
}

test('in order: steps that come while one is saved are saved as one, and told in order', async () => {
  const { saves, told, order, step, later } = disk();
  step(1, entries('a'));
  step(2, entries('b'));
  step(3);
  order.run({ after: () => told.push('message') });
  step(4, entries('c', 'd'));
  assert.equal(told.length, 0, 'nothing leaves before it is durable');
  saves[0]?.done();
  await later();
  assert.equal(told.join(), '1');
  assert.deepEqual(
    saves.map(({ index, change }) => [index, change]),
    [
      [1, 'a'],
      [4, 'b,c,d'],
    ],
  );
  saves[1]?.done();
  await later();
  assert.equal(told.join(), '1,2,3,message,4');
  order.run({ after: () => told.push('at once') });
  assert.ok(told.includes('at once'), 'where nothing waits, nothing is waited for');
});

test('in order: entries and a bucket that is replaced keep their order', async () => {
  const { saves, step, later } = disk();
  step(1);
  step(2, entries('a'));
  step(3, { kind: 'replace', bucket: 0, buckets: 1, rows: [] });
  step(4, entries('b'));
  saves[0]?.done();
  await later();
  assert.deepEqual(
    saves.slice(1).map(({ index, change }) => [index, change]),
    [
      [2, 'a'],
      [3, 'replace'],
      [4, 'b'],
    ],
  );
});

test('in order: a write that somebody else saves is waited for, and its state is not undone', async () => {
  const { saves, told, order, step, later, moved } = disk();
  step(1);
  step(2);
  let isDurable = () => {};
  const wait = new Promise<void>((resolve) => {
    isDurable = resolve;
  });
  moved(3);
  order.run({ wait, after: () => told.push('3') });
  saves[0]?.done();
  await later();
  assert.equal(saves[1]?.index, 3, 'the write is on its way already: 2 would undo it');
  saves[1]?.done();
  await later();
  assert.equal(told.join(), '1');
  isDurable();
  await later();
  assert.equal(told.join(), '1,2,3');
});

test('in order: what follows from what could not be saved is not done', async () => {
  const { told, order, later } = disk();
  order.run({ wait: Promise.reject(new Error('no disk')), after: () => told.push('done') });
  await later();
  assert.deepEqual(told, ['Error: no disk']);
});
