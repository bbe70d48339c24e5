/**
 * Hosts that say 'found' and mean 'not found' (C3), hosts that say one thing three hundred times
 * (C4), and honest hosts that look like either: large templates, one page and no more.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLAGS, HOST_FLAGS, type HostRecord, type UrlRecord } from '../../src/record/index.ts';
import { judge, judgeQuarters, SOFT_404_ENDS_MS } from '../../testweb/index.ts';
import { openWebFor, orb, type Records, recordsOf, scratch } from '../kit/index.ts';

const QUOTA = 1_000;
const QUARTERS = {
  ...{ 'soft-404': { pages: 40 }, 'soft-404-echo': { pages: 40 }, farm: { hosts: 2, pages: 500 } },
  ...{ template: { hosts: 3, pages: 200 }, single: { hosts: 2 } },
};
const PACE = ['--delay', '1ms', '--ip-rate', '1000', '--host-quota-per-day', String(QUOTA)];

test('soft 404s and farms: flagged with reasons, a tenth of the budget; honest hosts keep theirs', async (t) => {
  const features = ['errors', 'redirects'] as const;
  const size = { hosts: 12, pages: 300, bodyBytes: 4_000 };
  const web = await openWebFor(t, { seed: 29, ...size, features, quarters: QUARTERS });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--scope', 'any', '--allow-private', ...PACE, '--patience', '1s'];
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...flags]);
  assert.equal(end.code, 6, `the farms’ budget is used up today: ${end.stderr}`);

  const records = await recordsOf(t, dir);
  const places = judgeQuarters(web.web, web.server.log);
  assert.deepEqual(namesWith(records, HOST_FLAGS.soft_404), hostsOf(places, /^soft-404/));
  assert.deepEqual(namesWith(records, HOST_FLAGS.content_farm), hostsOf(places, /^farm/));

  for (const { host, kind, farm, missed } of places) {
    if (kind === 'farm') assert.ok(farm <= 0.11 * QUOTA, `${host}: ${farm} pages of a farm`);
    else assert.deepEqual(missed, [], `${host} lost honest pages`);
  }
  const { missing } = judge(web.web, web.server.log, web.web.truth({ scope: 'any' }));
  assert.deepEqual(missing, []);

  const wrong = [...records.urls.values()].filter((one) => isSoft(one) && !isMissing(one));
  assert.deepEqual(wrong.slice(0, 5).map(urlOf), [], `${wrong.length} pages that are there`);
  const soft = [...records.urls.values()].filter(isMissing);
  const fetched = soft.filter(({ state }) => state === 'indexed');
  const called = fetched.filter(isSoft);
  t.diagnostic(`${called.length} of ${fetched.length} soft 404s are flagged`);
  assert.ok(called.length >= 0.95 * fetched.length, `${called.length} of ${fetched.length}`);

  function isMissing({ url }: UrlRecord): boolean {
    return web.web.labelOf(url)?.role === 'missing';
  }
});

test('soft 404s: a host that has learned to say 404 is flagged no more', async (t) => {
  const quarters = { 'soft-404-recovers': { pages: 40 } };
  const web = await openWebFor(t, { seed: 30, hosts: 1, pages: 2, features: 'plain', quarters });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, ...web.flags, '--allow-private', '--rate', 'max'];
  const first = await orb(t, ['crawl', web.start, '--scope', 'any', ...flags]);
  assert.equal(first.code, 0, first.stderr);
  const before = await recordsOf(t, dir);
  assert.equal(namesWith(before, HOST_FLAGS.soft_404).length, 1);
  web.server.advance(SOFT_404_ENDS_MS - Date.now());
  const second = await orb(t, ['recrawl', '--all', ...flags]);
  assert.equal(second.code, 0, second.stderr);
  const after = await recordsOf(t, dir);
  assert.deepEqual(namesWith(after, HOST_FLAGS.soft_404), []);
  const soft = [...before.urls.values()].filter(isSoft);
  const alive = soft.filter(({ url }) => after.urls.get(url)?.state !== 'dead');
  assert.ok(soft.length > 200, `${soft.length} soft 404s are a test`);
  assert.deepEqual(alive.map(urlOf), [], 'they are known to be gone');
  assert.deepEqual([...after.urls.values()].filter(isSoft).map(urlOf), [], 'and pretend no more');
});

const urlOf = ({ url }: UrlRecord): string => url;
const isSoft = ({ flags }: UrlRecord): boolean => (flags & FLAGS.soft_404) !== 0;
const nameOf = ({ host }: HostRecord): string => host.split(':')[0]!;

function namesWith({ hosts }: Records, flag: number): string[] {
  return [...hosts.values()]
    .filter(({ flags }) => (flags & flag) !== 0)
    .map(nameOf)
    .sort();
}

function hostsOf(places: readonly { host: string; kind: string }[], kind: RegExp): string[] {
  return places
    .filter((place) => kind.test(place.kind))
    .map(({ host }) => host)
    .sort();
}
