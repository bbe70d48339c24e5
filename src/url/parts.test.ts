import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize } from './canonical.ts';
import { hrefs } from './generators.test.ts';
import { hostnameOf, hostOf, originOf, pathOf } from './parts.ts';

test('parts: an IPv6 host keeps its brackets and loses its port', () => {
  assert.equal(hostOf('http://[::1]:81/a'), '[::1]:81');
  assert.equal(hostnameOf('http://[::1]:81/a'), '[::1]');
  assert.equal(hostnameOf('https://[::1]/a'), '[::1]');
});

test('parts: slicing a canonical URL gives what the parser says', () => {
  fc.assert(
    fc.property(hrefs, (href) => {
      const url = canonicalize(href, 'https://www.h.example:81/a/b');
      if (url === undefined) return;
      const parsed = new URL(url);
      assert.deepEqual(
        [hostOf(url), hostnameOf(url), originOf(url), pathOf(url)],
        [parsed.host, parsed.hostname, parsed.origin, parsed.pathname + parsed.search],
      );
    }),
    { numRuns: 2_000 },
  );
});
