/**
 * Without a contact a crawl of public hosts stops at 1,000 pages (P6); our own machines need none.
 *
 * Nobody outside is asked: the test web is crawled in virtual time, and its addresses are shown to
 * the crawl as public ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Http } from '../../src/ports/http.ts';
import type { Resolver } from '../../src/ports/resolver.ts';
import { isAside, openWeb, type RequestLog } from '../../testweb/index.ts';
import { simulate, VirtualClock } from '../sim/index.ts';

const SIZE = { seed: 41, hosts: 60, pages: 1_400, skew: 0.2, bodyBytes: 500 } as const;
const web = openWeb({ ...SIZE, features: ['redirects', 'robots', 'errors'] });
const SCOPE = { scope: 'any', rate: 20 } as const;
const EVERY = web.truth({ scope: 'any' }).expectedFetches;

const outward = (address: string) => address.replace(/^127\./, '8.');
const inward = (address: string) => address.replace(/^8\./, '127.');

function asPublic({ http, resolver }: { http: Http; resolver: Resolver }) {
  const shown: Resolver = {
    ...resolver,
    async resolve(hostname, signal) {
      const found = await resolver.resolve(hostname, signal);
      return found.kind === 'address' ? { ...found, address: outward(found.address) } : found;
    },
  };
  const asked: Http = {
    ...http,
    async exchange(request, signal) {
      const at = { ...request, address: inward(request.address) };
      const outcome = await http.exchange(at, signal);
      if (outcome.kind !== 'answered') return outcome;
      return { ...outcome, remoteAddress: request.address };
    },
  };
  return { http: asked, resolver: shown };
}

function pagesIn(log: RequestLog): number {
  return [...log.requests()].filter((row) => !isAside(row.url)).length;
}

test('contact: public hosts without one are asked for 1,000 pages, exactly, and never more', async () => {
  assert.ok(EVERY > 1_200, `${EVERY} requests to make`);
  const clock = new VirtualClock();
  const first = await simulate({ web, clock, options: SCOPE, outside: asPublic });
  assert.equal(first.end, 'contact');
  assert.equal(pagesIn(first.log), 1_000);

  const { store } = first;
  const again = await simulate({ web, clock, store, options: SCOPE, outside: asPublic });
  assert.equal(again.end, 'contact');
  assert.equal(pagesIn(again.log), 0, 'a second run gets no second thousand');

  const contact = { ...SCOPE, contact: 'crawler@example.com' } as const;
  const rest = await simulate({ web, clock, store, options: contact, outside: asPublic });
  assert.equal(rest.end, 'done');
  assert.equal(pagesIn(rest.log), EVERY - 1_000, 'with a contact it goes on to the end');
});

test('contact: private addresses need none', async () => {
  const { end, log } = await simulate({ web, options: SCOPE });
  assert.equal(end, 'done');
  assert.equal(pagesIn(log), EVERY);
});

test('contact: a smaller limit of the person comes first', async () => {
  const options = { ...SCOPE, limit: 77 } as const;
  const { end, log } = await simulate({ web, options, outside: asPublic });
  assert.equal(end, 'pages');
  assert.equal(pagesIn(log), 77);
});
