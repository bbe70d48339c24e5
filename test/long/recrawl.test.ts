/**
 * The commands of coming back, on real sockets: a crawl that never ends is told to ask for a page
 * again (T4), ends when it is told to, and what it did is a report (B7).
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWebFor, orb, pageRequests, scratch, startOrb, waitForRequests } from '../kit/index.ts';

const WEB = { seed: 61, hosts: 3, pages: 60, features: 'plain' as const, bodyBytes: 2_000 };
const FAST = ['--allow-private', '--rate', 'max'];

test('keep fresh: told to ask again while it runs, stopped by a signal, reported afterwards', async (t) => {
  const site = await openWebFor(t, WEB);
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, ...site.flags, ...FAST];
  const crawl = startOrb(t, ['crawl', site.start, '--scope', 'any', '--keep-fresh', ...flags]);
  const robots = site.web.hosts.length;
  assert.ok(await waitForRequests(site, WEB.pages + robots, () => crawl.isOver), crawl.stderr);

  const told = await orb(t, ['recrawl', site.start, '--dir', dir]);
  assert.equal(told.code, 0, told.stderr);
  assert.equal(told.stdout, '1 page is due now; the crawl that runs asks next.\n');
  assert.ok(await waitForRequests(site, WEB.pages + robots + 1, () => crawl.isOver));
  assert.deepEqual(
    pageRequests(site)
      .slice(WEB.pages)
      .map(({ url }) => url),
    [site.start],
  );
  const status = await orb(t, ['status', '--dir', dir, '--json']);
  const { judged, isRunning } = JSON.parse(status.stdout);
  assert.equal(isRunning, true, 'nothing is left to do, and it goes on');
  assert.ok(judged.lagMs >= 0);
  crawl.kill('SIGINT');
  assert.equal((await crawl.ended).code, 130);

  const changes = await orb(t, ['changes', '--since', '1h', '--dir', dir, '--json']);
  const rows = changes.stdout.trimEnd().split('\n');
  assert.equal(rows.length, WEB.pages);
  assert.ok(rows.every((row) => JSON.parse(row).change === 'new'));
  const none = await orb(t, ['changes', '--since', '2100-01-01', '--dir', dir]);
  assert.deepEqual([none.code, none.stdout], [0, '']);

  const asked = pageRequests(site).length;
  const again = await orb(t, ['crawl', '--scope', 'any', ...flags]);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(pageRequests(site).length, asked, 'nothing is due');
  const host = new URL(site.start).host;
  const later = await orb(t, ['recrawl', host, '--later', '--dir', dir, '--json']);
  const due = JSON.parse(later.stdout).asked;
  assert.ok(due > 0 && due <= WEB.pages);
  await orb(t, ['crawl', '--scope', 'any', ...flags]);
  assert.equal(pageRequests(site).length, asked + due, 'the next crawl asks for what is due');
});

test('changes: two folders of one web are the same, and an unknown folder is named', async (t) => {
  const site = await openWebFor(t, { ...WEB, seed: 62 });
  const folder = await scratch(t);
  const dirs = [join(folder, 'one'), join(folder, 'two')] as const;
  for (const dir of dirs) {
    const flags = ['--dir', dir, ...site.flags, ...FAST];
    assert.equal((await orb(t, ['crawl', site.start, '--scope', 'any', ...flags])).code, 0);
  }
  const same = await orb(t, ['changes', '--dir', dirs[1], '--against', dirs[0], '--json']);
  assert.deepEqual([same.code, same.stdout], [0, ''], same.stderr);
  const missing = await orb(t, ['changes', '--dir', dirs[1], '--against', join(folder, 'three')]);
  assert.notEqual(missing.code, 0);
  assert.match(missing.stderr, /three/);
});
