/**
 * Generators of URLs as pages have them, with everything in it that canonical forms change:
 * pieces are joined blindly, so that most are nearly right.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalizeByParser } from './canonical.ts';
import { cleanAbsolute, cleanPathEnd } from './clean.ts';

const pieces = (
  'a b.html x y 1 . .. ... / / // ../ ./ ? ? & & = # : ; @ % %% %2 %41 %2e %2E %2f %2F %25 %341 ' +
  '%C3%A9 é + ! $ \' ( ) * , ~ _ - | [ ] ^ ` { } < > " \\ http https: http:// https:// httpd ' +
  'h.example www. WWW.H.Example xn--bcher-kva.de xn--a 127.1 1.2.3.4 0x7f [::1] :80 :443 :8080 ' +
  ';jsessionid=1 sid=1 utm_source=x PHPSESSID=2 (S(4hqa0555fwsecu455xqckv45)) mailto: a=1 b=2'
).split(' ');

const piece = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\t', '\n', '\0', '\x7f', '\ud800', '\u200b') },
);

const joined = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(''));

/** References of every kind, absolute and relative. */
export const hrefs = fc
  .tuple(fc.constantFrom('', '', 'http://h.example/', 'https://', '/', '../', '?', '//'), joined)
  .map(([start, rest]) => start + rest);

/** Bases, most of them good. */
export const bases = fc.oneof(
  fc.constantFrom('http://h.example/', 'https://www.h.example:81/a/b/c.html?q=1&b=2#f'),
  joined.map((rest) => `http://h.example/${rest}`),
  joined.map((rest) => `http://www.h.example/x/y/z/${rest}`),
  hrefs,
);

test('generated references: many are URLs, and both the quick and the long way are taken', () => {
  const sample = fc.sample(hrefs, { numRuns: 2_000, seed: 1 });
  const urls = sample.filter(
    (href) => canonicalizeByParser(href, 'http://h.example/') !== undefined,
  );
  const quick = urls.filter((href) => cleanAbsolute(href) ?? cleanPathEnd(href, 0, true) >= 0);
  assert.ok(urls.length > 1_000, `${urls.length} URLs`);
  assert.ok(quick.length > 200 && quick.length < urls.length - 200, `${quick.length} quick`);
});
