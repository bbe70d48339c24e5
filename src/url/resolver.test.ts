import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize, canonicalizeByParser } from './canonical.ts';
import { bases, hrefs } from './generators.test.ts';
import { linkResolver } from './resolver.ts';

const PAGE = 'http://h.example:8080/a/b/c.html?z=1&y=2#top';

const examples: readonly (readonly [href: string, url: string])[] = [
  ['', 'http://h.example:8080/a/b/c.html?y=2&z=1'],
  ['#x:y', 'http://h.example:8080/a/b/c.html?y=2&z=1'],
  ['?q', 'http://h.example:8080/a/b/c.html?q'],
  ['?', 'http://h.example:8080/a/b/c.html'],
  ['d.html', 'http://h.example:8080/a/b/d.html'],
  ['d.html#e', 'http://h.example:8080/a/b/d.html'],
  ['httpd.html?b&a', 'http://h.example:8080/a/b/httpd.html?a&b'],
  ['./', 'http://h.example:8080/a/b/'],
  ['../x/y.html', 'http://h.example:8080/a/x/y.html'],
  ['../../../../x', 'http://h.example:8080/x'],
  ['..', 'http://h.example:8080/a/'],
  ['/x/y', 'http://h.example:8080/x/y'],
  ['//i.example/x', 'http://i.example/x'],
  ['http://h.example:8080//x?utm_id=1', 'http://h.example:8080//x'],
  ['https://i.example/x#y', 'https://i.example/x'],
];

for (const [href, url] of examples) {
  test(`link ${href === '' ? 'of no text' : href} on a page: ${url}`, () => {
    assert.equal(linkResolver(PAGE)(href), url);
    assert.equal(canonicalizeByParser(href, PAGE), url);
  });
}

test('resolver: going up starts where the page is, not where its canonical form is', () => {
  const page = 'http://h.example/x/(S(4hqa0555fwsecu455xqckv45))/f.html';
  assert.equal(linkResolver(page)('../y'), 'http://h.example/x/y');
  assert.equal(linkResolver(page)('y'), 'http://h.example/x/y');
});

test('resolver: gives what the parser gives, for any link on any page', () => {
  const page = fc.array(hrefs, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(bases, page, fc.boolean(), (base, links, stripWww) => {
      const options = { stripWww };
      const resolve = linkResolver(base, options);
      for (const href of [...links, ...links]) {
        const expected = canonicalizeByParser(href, base, options);
        assert.equal(resolve(href), expected, `${JSON.stringify(href)} at ${base}`);
        assert.equal(canonicalize(href, base, options), expected);
      }
    }),
    { numRuns: 3_000 },
  );
});

test('resolver: pages of addresses, odd ports and odd paths resolve as by the parser', () => {
  const sites = ['http://127.0.1.3:8080', 'http://[::1]', 'http://0x7f.1', 'http://h.example:80'];
  const paths = ['/', '/a/b.html', '/a/../b', '/x?b=1&a=2', '/x?a=1#y', '//', '/(S(1))/x', '/%7e'];
  for (const base of sites.flatMap((site) => paths.map((path) => `${site}${path}`))) {
    const resolve = linkResolver(base);
    for (const href of ['#', '#x', '', 'y.html', '../y', '?q', '/z', '#']) {
      assert.equal(resolve(href), canonicalizeByParser(href, base), `${href} at ${base}`);
    }
  }
});

test('resolver: a page of a hundred thousand odd links is answered right to the end', () => {
  const resolve = linkResolver(PAGE);
  for (let at = 0; at < 100_000; at += 1) {
    if (resolve(`é${at}`)?.endsWith(`/%C3%A9${at}`) !== true) assert.fail(`link ${at}`);
  }
  assert.equal(resolve('é0'), 'http://h.example:8080/a/b/%C3%A90');
});
