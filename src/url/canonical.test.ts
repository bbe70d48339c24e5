import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize, canonicalizeByParser } from './canonical.ts';
import { bases, hrefs } from './generators.test.ts';
import { linkResolver } from './resolver.ts';

const examples: readonly (readonly [situation: string, href: string, canonical: string])[] = [
  ['scheme and host in capitals', 'HTTP://Example.COM/Path', 'http://example.com/Path'],
  ['an international host', 'https://bücher.de/', 'https://xn--bcher-kva.de/'],
  ['the default port', 'http://h.example:80/', 'http://h.example/'],
  ['the other scheme’s port', 'http://h.example:443/', 'http://h.example:443/'],
  ['a fragment', 'http://h.example/a#b', 'http://h.example/a'],
  ['dot segments', 'http://h.example/a/./b/../c', 'http://h.example/a/c'],
  ['no path', 'http://h.example', 'http://h.example/'],
  ['no path but a query', 'http://h.example?a=1', 'http://h.example/?a=1'],
  ['userinfo', 'http://me:secret@h.example/', 'http://h.example/'],
  ['escaped unreserved characters', 'http://h.example/%7e%41%2D', 'http://h.example/~A-'],
  ['escaped reserved characters', 'http://h.example/a%2fb%3f', 'http://h.example/a%2Fb%3F'],
  ['characters that need an escape', 'http://h.example/a|b?[c]', 'http://h.example/a%7Cb?%5Bc%5D'],
  ['a stray percent sign', 'http://h.example/100%', 'http://h.example/100%25'],
  ['an escape that an escape completes', 'http://h.example/%%341', 'http://h.example/A'],
  ['a dot segment made by decoding', 'http://h.example/a/%%32e./b', 'http://h.example/b'],
  ['parameters out of order', 'http://h.example/?b=1&a=2', 'http://h.example/?a=2&b=1'],
  ['a name that begins another', 'http://h.example/?a-b=1&a=2', 'http://h.example/?a=2&a-b=1'],
  ['a repeated name', 'http://h.example/?b=2&a=9&b=1', 'http://h.example/?a=9&b=2&b=1'],
  ['a final question mark', 'http://h.example/a?', 'http://h.example/a'],
  ['empty parameters', 'http://h.example/a?&x=1&&', 'http://h.example/a?x=1'],
  ['campaign parameters', 'http://h.example/?utm_source=x&UTM_y=1&fbclid=z', 'http://h.example/'],
  ['a session in the query', 'http://h.example/?PHPSESSID=1&a=2&sid=3', 'http://h.example/?a=2'],
  ['a session name alone', 'http://h.example/?sid', 'http://h.example/?sid'],
  ['names that only end like one', 'http://h.example/?newsid=1', 'http://h.example/?newsid=1'],
  ['a session in the path', 'http://h.example/a;jsessionid=1F?b=2', 'http://h.example/a?b=2'],
  ['other path parameters', 'http://h.example/a;v=1;JSESSIONID=2;w', 'http://h.example/a;v=1;w'],
  ['a session behind a dot segment', 'http://h.example/a/..;sid=1/b', 'http://h.example/b'],
  [
    'a cookieless session segment',
    'http://h.example/x/(S(4hqa0555fwsecu455xqckv45))/a.aspx',
    'http://h.example/x/a.aspx',
  ],
  ['an IPv4 address in another base', 'http://0x7f.1/', 'http://127.0.0.1/'],
  ['an IPv6 address', 'http://[2001:DB8:0::1]:8080/a', 'http://[2001:db8::1]:8080/a'],
  ['a final dot of the host', 'http://h.example./a', 'http://h.example./a'],
  ['white space around and inside', ' http://h.exa\nmple/\ta ', 'http://h.example/a'],
];

for (const [situation, href, canonical] of examples) {
  test(`canonical form, ${situation}: ${canonical}`, () => {
    assert.equal(canonicalize(href), canonical);
    assert.equal(canonicalize(canonical), canonical);
    assert.equal(canonicalizeByParser(href), canonical);
  });
}

test('canonical form: only http and https survive', () => {
  const others = ['mailto:a@b.example', 'javascript:void(0)', 'ftp://h.example/', 'data:,x'];
  for (const href of [...others, 'tel:1', 'ws://h.example/', 'file:///a', 'java\nscript:x', '']) {
    assert.equal(canonicalize(href), undefined, href);
    assert.equal(canonicalize(`${href}:x`), undefined, href);
  }
});

test('canonical form: what may differ stays apart', () => {
  const queries = ['?a=b+c', '?a=b%20c', '?a', '?a=', '?a=b&a=c', '?a=c&a=b', '?a=%26b', '?a&b'];
  const paths = ['a', 'a/', 'A', 'a//', 'a%2F', 'a%3F', 'a%252F', 'index.html', 'a;b', '%2B', '+'];
  const urls = ['', ...queries, ...paths].map((rest) => `http://h.example/${rest}`);
  urls.push('https://h.example/', 'http://www.h.example/', 'http://h.example:81/');
  assert.equal(new Set(urls.map((url) => canonicalize(url))).size, urls.length);
});

test('canonical form: a base that is no URL is no base', () => {
  assert.equal(canonicalize('http://h.example/a b', 'nonsense'), 'http://h.example/a%20b');
  assert.equal(canonicalize('a', 'nonsense'), undefined);
  assert.equal(canonicalize('a', ''), undefined);
});

test('stripWww: takes www. off real domains, and is off unless asked for', () => {
  const strip = (url: string) => canonicalize(url, undefined, { stripWww: true });
  assert.equal(canonicalize('http://www.h.example/'), 'http://www.h.example/');
  assert.equal(strip('http://www.h.example/'), 'http://h.example/');
  assert.equal(strip('http://www.www.h.example:81/a'), 'http://h.example:81/a');
  assert.equal(strip('http://www.com/'), 'http://www.com/');
  assert.equal(
    linkResolver('http://www.h.example/a', { stripWww: true })('b'),
    'http://h.example/b',
  );
});

test('canonicalize: no text throws, and every answer is a fixed point', () => {
  fc.assert(
    fc.property(hrefs, bases, fc.boolean(), (href, base, stripWww) => {
      const url = canonicalize(href, base, { stripWww });
      if (url === undefined) return;
      assert.equal(canonicalize(url, undefined, { stripWww }), url);
      assert.equal(canonicalizeByParser(url, base, { stripWww }), url);
      assert.match(url, /^https?:\/\/[^/?#@]+\/[^#\s]*$/);
    }),
    { numRuns: 5_000 },
  );
});

test('canonicalize: arbitrary bytes and strings neither throw nor escape the scheme rule', () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((raw) => Buffer.from(raw).toString('latin1'));
  const text = fc.oneof(bytes, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), (href, base) => {
      for (const start of ['', 'http://h.example/', 'http://', '?', '%', ';sid=']) {
        const url = canonicalize(start + href, base);
        assert.ok(url === undefined || canonicalize(url) === url, JSON.stringify(start + href));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('canonicalize: ten times the text takes about ten times as long', () => {
  const pieces = [
    '%',
    '%41',
    '%%34',
    '/..',
    '/.',
    ';sid=1',
    '/(S(',
    'a',
    '&a',
    '&utm_a=1',
    '../',
    '"',
  ];
  for (const piece of pieces) {
    for (const start of ['http://h.example/', 'http://h.example/?', 'http://']) {
      const time = (count: number) => elapsedMs(start + piece.repeat(count));
      const small = time(5_000);
      let large = time(50_000);
      // A busy machine may take the core away in between: the best of three counts.
      for (let i = 0; i < 2 && large >= 60 * small + 200; i++)
        large = Math.min(large, time(50_000));
      assert.ok(large < 60 * small + 200, `${start}${piece}: ${small} ms, then ${large} ms`);
    }
  }
});

function elapsedMs(href: string): number {
  const from = performance.now();
  canonicalize(href);
  linkResolver(href)('../a');
  return performance.now() - from;
}
