import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize } from './canonical.ts';
import { hrefs } from './generators.test.ts';
import { shapeOf } from './shape.ts';

const examples: readonly (readonly [situation: string, path: string, shape: string])[] = [
  ['a number', '/page/12', '/page/*'],
  ['a number in a name', '/page12.html', '/page*.html'],
  ['a date', '/cal/2024-05-01/day', '/cal/*/day'],
  ['a date in segments', '/2024/05/01/post', '/*/*/*/post'],
  ['a time', '/at/12:30:00', '/at/*'],
  ['a UUID', '/u/550e8400-e29b-41d4-a716-446655440000/x', '/u/*/x'],
  ['a hex digest', '/o/d41d8cd98f00b204e9800998ecf8427e.png', '/o/*.png'],
  ['a short hex id', '/c/3ad77bb4', '/c/*'],
  ['a random id', '/watch?v=dQw4w9WgXcQ', '/watch?v=*'],
  ['a long token', `/t/${'abcdefgh'.repeat(5)}`, '/t/*'],
  ['numbers in the query', '/s?page=3&q=word', '/s?page=*&q=word'],
  ['words', '/about/our-history', '/about/our-history'],
  ['a chapter', '/book/introduction12', '/book/introduction*'],
];

for (const [situation, path, shape] of examples) {
  test(`shape of ${situation}: ${shape}`, () => {
    assert.equal(shapeOf(`http://h1.example:81${path}`), `http://h1.example:81${shape}`);
  });
}

test('shape: URLs that differ in their numbers only have one shape', () => {
  const number = fc.integer({ min: 0, max: 1e9 });
  fc.assert(
    fc.property(number, number, (a, b) => {
      const url = (n: number) => `http://h.example/cal/${n}/page${n}?next=${n}`;
      assert.equal(shapeOf(url(a)), shapeOf(url(b)));
    }),
  );
});

test('shape: no digit of a path is left, and a shape is its own shape', () => {
  fc.assert(
    fc.property(hrefs, (href) => {
      const url = canonicalize(href, 'http://h.example/a/b');
      if (url === undefined) return;
      const shape = shapeOf(url);
      assert.equal(shapeOf(shape), shape);
      assert.doesNotMatch(new URL(shape).pathname.replace(/%[0-9A-F]{2}/g, ''), /[0-9]/);
    }),
  );
});
