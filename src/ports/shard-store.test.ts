import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankRecord, NO_BYTES, urlKeyOf, type Waiting } from '../record/index.ts';
import { addTotals, NO_TOTALS, NOTHING } from './shard-store.ts';

const NO_EFFECTS = { fresh: [], shelved: [], unshelved: [], forgotten: [], erased: [] };

function waiting(path: string, more: Partial<Waiting> = {}): Waiting {
  const url = `https://example.com/${path}`;
  return {
    ...{
      key: urlKeyOf(url),
      url,
      kind: 'page',
      rank: 1,
      priority: 0,
      depth: 1,
      hops: 0,
      outside: 0,
    },
    ...{ parent: NO_BYTES, fails: 0, again: false },
    ...more,
  };
}

test('totals: what is new waits; parked URLs are counted in, out and through a move', () => {
  const admitted = [waiting('a'), waiting('b'), waiting('c', { priority: 0.5 }), waiting('d')];
  const taken = {
    ...NOTHING,
    admitted: admitted.map((one) => ({ waiting: one, maybeKnown: true })),
  };
  const first = addTotals(NO_TOTALS, taken, {
    ...NO_EFFECTS,
    fresh: [true, true, true, false],
  });
  assert.deepEqual([first.known, first.waiting, first.parked], [3, 3, 2]);

  const moved = [{ from: waiting('a'), to: waiting('a', { priority: 0.3 }) }];
  const second = addTotals(first, { ...NOTHING, moved }, NO_EFFECTS);
  assert.equal(second.parked, 1);

  const settled = [{ waiting: waiting('b'), record: blankRecord('https://example.com/b', 0) }];
  const third = addTotals(
    second,
    { ...NOTHING, settled, change: { waiting: -1, fetched: 1 } },
    NO_EFFECTS,
  );
  assert.deepEqual([third.parked, third.waiting, third.fetched], [0, 2, 1]);

  const due = { at: 1, key: urlKeyOf('https://example.com/b') };
  const again = { due, waiting: waiting('b', { again: true }) };
  assert.equal(
    addTotals(third, { ...NOTHING, requeued: [again] }, NO_EFFECTS).parked,
    0,
    'comes again',
  );
});
