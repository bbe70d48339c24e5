/** The plan of blows: what is asked of a ring is what is promised, and no less. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotsOf } from './ring-faults.ts';

test('blows: five minutes of kills have one stop, and the cut is when they are over', () => {
  const slots = slotsOf(15);
  assert.equal(slots.filter((slot) => slot === 'kill').length, 14);
  assert.equal(slots.indexOf('stop'), 3, 'it returns while others die');
  assert.deepEqual(slots.slice(15), ['cut', 'pass'], 'nobody dies while it is cut');
});

test('blows: a short run has kills, and the rest where there is room for it', () => {
  assert.deepEqual(slotsOf(3), ['kill', 'kill', 'kill']);
  assert.deepEqual(slotsOf(6), ['kill', 'stop', 'kill', 'kill', 'kill', 'kill', 'cut', 'pass']);
});
