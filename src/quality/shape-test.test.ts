import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathOf } from '../url/index.ts';
import { familiesOf } from './families.ts';
import { shapeTest } from './shape-test.ts';

test('shape: each way to write one means what it says', () => {
  const cases: [string, string, boolean][] = [
    ['/wiki/Article-*', '/wiki/Article-77', true],
    ['/wiki/Article-*', '/wiki/Article-77/talk', false],
    ['/wiki/**', '/wiki/a/b/c?d', true],
    ['/tree/~', '/tree/a/b/a/b/a/', true],
    ['/shop?', '/shop?a=1&b=2', true],
    ['/shop?', '/shopping?a=1', false],
    ['/list/*?visit=*', '/list/3?visit=ab12', true],
    ['?visit=', '/any/where?a=1&visit=9', true],
    ['?visit=', '/any?revisit=9', false],
  ];
  for (const [shape, path, holds] of cases) {
    assert.equal(shapeTest(shape).test(path), holds, `${shape} and ${path}`);
  }
});

test('shape: what the detector names a family by, an operator can allow it by', () => {
  const segment = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  const query = fc.array(fc.tuple(segment, segment), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), query, (path, pairs) => {
      const tail = pairs.map(([name, value]) => `${name}=${value}`).join('&');
      const url = `http://h.example/${path.join('/')}${tail === '' ? '' : `?${tail}`}`;
      for (const key of familiesOf(url)) {
        if (key === undefined || key === '/') continue;
        assert.ok(shapeTest(key).test(pathOf(url)), `${key} and ${url}`);
      }
    }),
  );
});

test('shape: any text makes a test', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (shape, path) => void shapeTest(shape).test(path)),
  );
});
