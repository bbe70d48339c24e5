import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalLinks, parseLinkHeader } from './link-header.ts';

test('RFC 8288, 3.5: the examples', () => {
  assert.deepEqual(
    parseLinkHeader(
      '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"',
    ),
    [
      {
        href: 'http://example.com/TheBook/chapter2',
        rel: ['previous'],
        params: { title: 'previous chapter' },
      },
    ],
  );
  assert.deepEqual(parseLinkHeader('</>; rel="http://example.net/foo"'), [
    { href: '/', rel: ['http://example.net/foo'], params: {} },
  ]);
  assert.deepEqual(parseLinkHeader('</terms>; rel="copyright"; anchor="#foo"'), [
    { href: '/terms', rel: ['copyright'], params: { anchor: '#foo' } },
  ]);
  const german = parseLinkHeader(
    `</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, ` +
      `</TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel`,
  );
  assert.deepEqual(
    german.map((link) => [link.href, link.rel, link.params.title]),
    [
      ['/TheBook/chapter2', ['previous'], 'letztes Kapitel'],
      ['/TheBook/chapter4', ['next'], 'nächstes Kapitel'],
    ],
  );
  assert.deepEqual(parseLinkHeader('<http://a.example/>; rel="start http://b.example/r"')[0]?.rel, [
    'start',
    'http://b.example/r',
  ]);
});

test('parameters: the first of a name counts, quotes hide commas', () => {
  const [link, next] = parseLinkHeader(
    '<a>;rel=x;rel=y;title="b, <c>; rel=z";crossorigin, <d> ; rel = n',
  );
  assert.deepEqual(link, {
    href: 'a',
    rel: ['x'],
    params: { title: 'b, <c>; rel=z', crossorigin: '' },
  });
  assert.deepEqual(next, { href: 'd', rel: ['n'], params: {} });
});

test('canonical: about the page itself, resolved', () => {
  const header = '</a>; rel=canonical, </b>; rel=canonical; anchor="/x", </c>; rel=next';
  assert.deepEqual(canonicalLinks(header, 'https://h.example/p'), ['https://h.example/a']);
});

test('property: any text is survived', () => {
  const sign = fc.constantFrom(
    '<',
    '>',
    ';',
    ',',
    '"',
    '\\',
    '=',
    'rel',
    ' ',
    'a',
    "title*=UTF-8''%",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(sign, fc.string()), { maxLength: 40 }), (parts) => {
      for (const link of parseLinkHeader(parts.join(''))) assert.ok(link.rel.length > 0);
      canonicalLinks(parts.join(''), 'https://h.example/');
    }),
  );
});
