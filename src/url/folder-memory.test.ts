import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize } from './canonical.ts';
import { hrefResolver, ownCopy } from './folder-memory.ts';
import { linkResolver } from './resolver.ts';

const hrefs = fc.oneof(
  fc.webPath(),
  fc.constantFrom('#top', '?q=1', '', 'a.html', '../b', '/c?x#y', './d', '//h.example/e', 'ü.html'),
  fc.constantFrom(' #top', '\t?q', 'https:?q=1', 'https:', 'https:a', 'h\nttps:?x', '\\x', 'x:y'),
  fc.constantFrom(
    'a#b',
    'a&#35;c',
    'a&b#c',
    '/p?a&amp;b#c',
    'https:#x',
    'd#',
    'e##f',
    'f #g',
    'f ',
  ),
  fc.constantFrom('/', '/r', '/\\x', '/&#47;h/x', '//', '//h.example/x', '/\t/h.example/x'),
  fc.constantFrom('http:/x', 'http://h.example/x', 'https:///h.example', 'http:\\\\x', 'http://'),
  fc.constantFrom('http://h.example:80', 'http://h.example:8080/x', 'http://h.example:0443/'),
  fc.string(),
);

/** Resolves each href of a page where it stands among others. */
function resolveAll(base: string, links: readonly string[]): (string | undefined)[] {
  const bytes = Buffer.from(links.join('"'));
  const textOf = (from: number, to: number) => bytes.toString('utf8', from, to);
  const resolve = hrefResolver(base, bytes, textOf, linkResolver(base));
  let from = 0;
  return links.map((href) => {
    const to = from + Buffer.byteLength(href);
    const url = resolve(from, to);
    from = to + 1;
    return url;
  });
}

test('folder memory: pages of sites and folders in any order: each gets its own answers', () => {
  const sites = fc.constantFrom('http://a.example', 'https://a.example', 'http://b.example:8080');
  const files = fc.constantFrom('one.html', 'two.html?p=2', '', 'one.html#part', 'sub/three.html');
  const folders = fc.constantFrom('/', '/folder/');
  const pages = fc.tuple(sites, folders, files).map((parts) => parts.join(''));
  const visits = fc.array(fc.tuple(pages, fc.array(hrefs, { maxLength: 8 })), { maxLength: 8 });
  fc.assert(
    fc.property(visits, (visited) => {
      for (const [base, links] of visited) {
        const expected = links.map((href) => canonicalize(href, base));
        assert.deepEqual(resolveAll(base, links), expected);
      }
    }),
  );
});

test('folder memory: more folders and links than it keeps: the answers stay right', () => {
  for (let folder = 0; folder < 12_000; folder++) {
    const base = `https://many.example/${folder}/index.html`;
    const links = ['a', '../b', '#c', `d${folder}`, 'e', 'f', 'g', 'h', 'i', 'j'];
    const expected = links.map((href) => canonicalize(href, base));
    assert.deepEqual(resolveAll(base, links), expected);
  }
});

test('own copy: any text stays what it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => ownCopy(text) === text));
});
