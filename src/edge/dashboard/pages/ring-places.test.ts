/** Where things stand on the circle, and who is called what. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { angleOf, COLOURS, Colours, namesOf, pointAt, spreadAngles } from './ring-places.ts';

const place = (first: string) => first.padEnd(16, '0');

test('ring places: zero is at the top, and the first digit goes round like a clock', () => {
  assert.deepEqual(pointAt(angleOf(place('0')), 10), { x: 0, y: -10 });
  assert.deepEqual(pointAt(angleOf(place('4')), 10), { x: 10, y: -0 });
  assert.deepEqual(pointAt(angleOf(place('8')), 10), { x: 0, y: 10 });
  assert.deepEqual(pointAt(angleOf(place('c')), 10), { x: -10, y: 0 });
  assert.ok(angleOf('f'.repeat(16)) < 2 * Math.PI);
});

test('ring names: four digits, and more where two nodes begin alike', () => {
  assert.equal(namesOf([place('ab12'), place('ab13')])(place('ab13')), 'ab13');
  assert.equal(namesOf([place('ab12f0'), place('ab12f1')])(place('ab12f1')), 'ab12f1');
  assert.equal(namesOf([place('1'), place('1')])(place('1')), '1000');
});

test('ring labels: none is left on another while there is room, and their order stays', () => {
  const angles = fc.array(fc.double({ min: 0, max: 6.28, noNaN: true }), { maxLength: 20 });
  fc.assert(
    fc.property(angles, (given) => {
      const sorted = given.sort((a, b) => a - b);
      const spread = spreadAngles(sorted);
      assert.equal(spread.length, sorted.length);
      for (let i = 1; i < spread.length; i++) {
        assert.ok((spread[i] as number) - (spread[i - 1] as number) > 0.04);
      }
    }),
  );
});

test('ring colours: a node keeps its own while others come and go, and all are used', () => {
  const colours = new Colours();
  const places = Array.from({ length: COLOURS }, (_, i) => place(i.toString(16)));
  const first = places.map((one) => colours.of(one));
  assert.equal(new Set(first).size, COLOURS);
  colours.keep(new Set(places.slice(1)));
  assert.equal(colours.of(place('ff')), first[0]);
  assert.deepEqual(
    places.slice(1).map((one) => colours.of(one)),
    first.slice(1),
  );
});
