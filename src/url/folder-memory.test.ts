import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize } from './canonical.ts';
import { ownCopy } from './folder-memory.ts';
import { linkResolver } from './resolver.ts';

const hrefs = fc.oneof(
  fc.webPath(),
  fc.constantFrom('#top', '?q=1', '', 'a.html', '../b', '/c?x#y', './d', '//h.example/e', 'ü.html'),
  fc.string(),
);

test('folder memory: pages of one folder in any order: each gets its own answers', () => {
  const pages = fc.constantFrom('one.html', 'two.html?p=2', '', 'one.html#part', 'sub/three.html');
  const visits = fc.array(fc.tuple(pages, fc.array(hrefs, { maxLength: 8 })), { maxLength: 8 });
  fc.assert(
    fc.property(visits, (visited) => {
      for (const [page, links] of visited) {
        const base = `https://memory.example/folder/${page}`;
        const resolve = linkResolver(base);
        for (const href of links) assert.equal(resolve(href), canonicalize(href, base), href);
      }
    }),
  );
});

test('folder memory: more folders and links than it keeps: the answers stay right', () => {
  for (let folder = 0; folder < 1_200; folder++) {
    const resolve = linkResolver(`https://many.example/${folder}/index.html`);
    for (const href of ['a', '../b', '#c', `d${folder}`]) {
      const expected = canonicalize(href, `https://many.example/${folder}/index.html`);
      assert.equal(resolve(href), expected);
    }
  }
});

test('own copy: any text stays what it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => ownCopy(text) === text));
});
