/**
 * Traps among honest hosts (Q1): ten sites without an end, of five kinds, each with pages that
 * are nearly the same and with pages of random text; and an encyclopaedia that is none.
 *
 * Each trap must be cut off within its allowance, no honest page may be lost, the hosts of traps
 * included, and the crawl ends by itself. No limit of depth helps here.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOST_FLAGS, type HostRecord } from '../../src/record/index.ts';
import { judge, judgeQuarters, type Quarters } from '../../testweb/index.ts';
import { openWebFor, orb, pageRequests, recordsOf, scaled, scratch } from '../kit/index.ts';

const ALLOWANCE = 2_000;
const TRAPS: Quarters = {
  ...{ calendar: {}, 'calendar-filler': {}, session: {}, 'session-path-filler': {} },
  ...{
    facets: {},
    'facets-filler': {},
    loop: {},
    'loop-filler': {},
    pager: {},
    'pager-filler': {},
  },
};
const SIZE = scaled({ hosts: 60, pages: 1_200 }, { hosts: 500, pages: 25_000 });
const ARTICLES = scaled(2_000, 50_000);
const PACE = ['--allow-private', '--rate', 'max', '--backoff', '200ms'];
const FLAGS = ['--scope', 'any', '--depth', '10000', ...PACE];

test(`traps: 10 among ${SIZE.hosts} honest hosts are cut off, and no honest page is lost`, async (t) => {
  const quarters = { ...TRAPS, encyclopaedia: { pages: ARTICLES } };
  const features = ['redirects', 'robots', 'errors', 'copies', 'sitemaps'] as const;
  const web = await openWebFor(t, { seed: 23, ...SIZE, bodyBytes: 4_000, features, quarters });
  const places = web.web.specials.map(({ quarter }) => [...quarter!.paths()].length);
  const truth = web.web.truth({ scope: 'any' });
  const honest = places.reduce((sum, pages) => sum + pages, truth.expectedFetches);
  const most = Math.floor(1.05 * honest + Object.keys(TRAPS).length * ALLOWANCE);
  const dir = join(await scratch(t), 'crawl');
  // A crawl that falls for a trap ends at the limit, and fails below.
  const flags = [...web.flags, ...FLAGS, '--limit', String(most + 1)];
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  const fetches = pageRequests(web).length;
  t.diagnostic(`${fetches} fetches for ${honest} honest pages`);

  const found = judgeQuarters(web.web, web.server.log);
  for (const { host, trap, expected, missed } of found) {
    t.diagnostic(`${host}: ${trap} trap pages, ${expected - missed.length} of ${expected} honest`);
  }
  for (const { host, trap, missed } of found) {
    assert.ok(trap <= ALLOWANCE, `${host}: ${trap} trap pages were fetched`);
    assert.deepEqual(missed.slice(0, 5), [], `${host} lost ${missed.length} honest pages`);
  }
  const { missing } = judge(web.web, web.server.log, truth);
  assert.deepEqual(missing.slice(0, 5), [], `${missing.length} pages of honest hosts were lost`);
  assert.ok(fetches <= most, `${fetches} fetches for ${honest} honest pages`);

  const { hosts } = await recordsOf(t, dir);
  const flagged = [...hosts.values()].filter(isTrap).map(nameOf).sort();
  const traps = found.filter(({ kind }) => kind !== 'encyclopaedia').map(({ host }) => host);
  assert.deepEqual(flagged, traps.sort(), 'these hosts hold traps, and no other');
});

const isTrap = ({ flags }: HostRecord): boolean => (flags & HOST_FLAGS.trap) !== 0;
const nameOf = ({ host }: HostRecord): string => host.split(':')[0]!;
