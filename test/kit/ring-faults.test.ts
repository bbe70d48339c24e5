/** The plan of blows: what is asked of a ring is what is promised, and no less. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotsOf } from './ring-faults.ts';

test('blows: five minutes have one stop and one cut, and the stopped is back before the cut', () => {
  const slots = slotsOf(15);
  assert.equal(slots.length, 15);
  assert.equal(slots.filter((slot) => slot === 'kill').length, 12);
  assert.ok(slots.indexOf('cut') - slots.indexOf('stop') > 3);
  assert.equal(slots[slots.indexOf('cut') + 1], 'pass', 'nobody dies while it is cut');
});

test('blows: a short run has kills, and as much of the rest as there is room for', () => {
  assert.deepEqual(slotsOf(3), ['kill', 'kill', 'kill']);
  assert.deepEqual(slotsOf(6), ['kill', 'stop', 'kill', 'kill', 'kill', 'kill']);
  assert.deepEqual(slotsOf(7), ['kill', 'stop', 'kill', 'kill', 'kill', 'cut', 'pass']);
});
