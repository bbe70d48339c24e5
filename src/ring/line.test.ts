/** Who stands in line for a place (line.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Peer } from './chord-message.ts';
import type { Position } from './id.ts';
import { lineFrom } from './line.ts';

const peer = (name: string): Peer => {
  return { id: name, place: name.padEnd(16, '0') as Position, at: `${name}:1` };
};
const at = (name: string) => name.padEnd(16, '0') as Position;
const lineOf = (place: string, me: string, before: string, list: string, isPart: boolean) =>
  lineFrom(at(place), {
    ...{ me: peer(me), before: before === '' ? undefined : peer(before), isPart },
    successors: [...list].map(peer),
  })?.map(({ id }) => id);

test('line: in a small ring every place has its line, all round', () => {
  assert.deepEqual(lineOf('31', '5', '3', '93', false), ['5', '9', '3']);
  assert.deepEqual(lineOf('a0', '5', '3', '93', false), ['3', '5', '9']);
  assert.deepEqual(
    lineOf('5', '5', '3', '93', false),
    ['5', '9', '3'],
    'who stands there is first',
  );
});

test('line: one that has just joined before us stands in it, though no list has it yet', () => {
  assert.deepEqual(lineOf('31', '5', '4', '93', false), ['4', '5', '9', '3']);
});

test('line: in a large ring only what lies between the one before and the last is known', () => {
  assert.deepEqual(lineOf('41', '5', '4', '678', true), ['5', '6', '7', '8']);
  assert.deepEqual(lineOf('65', '5', '4', '678', true), ['7', '8']);
  assert.equal(lineOf('3f', '5', '4', '678', true), undefined, 'perhaps somebody is before that');
  assert.equal(lineOf('90', '5', '4', '678', true), undefined);
});

test('line: a node that is alone is the whole of it, whoever was before', () => {
  assert.deepEqual(lineOf('31', '5', '4', '', false), ['5']);
  assert.deepEqual(lineOf('31', '5', '', '', false), ['5']);
});
