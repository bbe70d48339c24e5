import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from './nearest.ts';

test('edit distance: insertions, deletions, changes and swaps of neighbours count one each', () => {
  assert.equal(editDistance('depth', 'depth'), 0);
  assert.equal(editDistance('dpeth', 'depth'), 1);
  assert.equal(editDistance('dept', 'depth'), 1);
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
});

test('nearest: a slip finds its name, nonsense finds none', () => {
  const known = ['depth', 'delay', 'concurrency', 'user-agent'];
  assert.equal(nearest('dpeth', known), 'depth');
  assert.equal(nearest('conc', known), 'concurrency');
  assert.equal(nearest('USERAGENT', known), 'user-agent');
  assert.equal(nearest('zzzzzz', known), undefined);
  assert.equal(nearest('', known), undefined);
});

test('nearest: a name of a million letters is answered at once', () => {
  assert.equal(nearest('x'.repeat(1_000_000), ['depth']), undefined);
});
