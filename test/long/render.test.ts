/**
 * Pages that show nothing without scripts (J1, J2): apps with client-side routes and lists that
 * grow, among ordinary pages. The web's own log says what the browser's requests were like.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFolder } from '../../src/compose.ts';
import { FLAGS, type UrlRecord } from '../../src/record/index.ts';
import { gaps, judgeQuarters } from '../../testweb/index.ts';
import { browserPath, openWebFor, orb, recordsOf, scaled, scratch } from '../kit/index.ts';

const DELAY_MS = 25;
const APPS = scaled({ hosts: 6, pages: 2 }, { hosts: 18, pages: 20 });
const ORDINARY = scaled({ hosts: 12, pages: 150 }, { hosts: 40, pages: 2_000 });

test('render auto: script-only pages and what is behind them, politely; few others', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  const options = { seed: 61, ...ORDINARY, bodyBytes: 3_000, features: 'plain' } as const;
  const web = await openWebFor(t, { ...options, quarters: { app: APPS } });
  const dir = join(await scratch(t), 'crawl');
  const pace = ['--delay', `${DELAY_MS}ms`, '--ip-rate', '1000', '--render-pages', '4'];
  const flags = [
    '--scope',
    'any',
    '--allow-private',
    '--render',
    'auto',
    '--chromium',
    chromium,
    ...pace,
  ];
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...flags]);
  assert.equal(end.code, 0, end.stderr);

  const missed = judgeQuarters(web.web, web.server.log).flatMap((place) => place.missed);
  assert.deepEqual(missed, [], 'every page behind the apps was asked for');

  const { urls } = await recordsOf(t, dir);
  const pages = [...urls.values()].filter(
    ({ state, kind }) => state === 'indexed' && kind === 'page',
  );
  const isScripted = ({ url }: UrlRecord) => web.web.labelOf(url)?.scripted === true;
  const isRendered = ({ flags: set }: UrlRecord) => (set & FLAGS.rendered) !== 0;
  const scripted = pages.filter(isScripted);
  const found = scripted.filter(isRendered);
  assert.equal(scripted.length, APPS.hosts * (APPS.pages + 2));
  t.diagnostic(`${found.length} of ${scripted.length} script-only pages were rendered`);
  assert.ok(found.length >= 0.95 * scripted.length, `${found.length} of ${scripted.length}`);
  const ordinary = pages.filter((page) => !isScripted(page));
  const forNothing = ordinary.filter(isRendered);
  t.diagnostic(`${forNothing.length} of ${ordinary.length} ordinary pages, for nothing`);
  assert.ok(forNothing.length <= 0.02 * ordinary.length, `${forNothing.length}`);
  for (const { title, url } of found) assert.notEqual(title, '', url);

  const rows = [...web.server.log.requests()];
  const isData = (url: string) => new URL(url).pathname.startsWith('/data/');
  assert.ok(rows.filter((row) => isData(row.url)).length >= scripted.length, 'data was asked for');
  const bundles = rows.filter((row) => row.url.endsWith('/app.js')).length;
  assert.equal(bundles, APPS.hosts, 'a bundle is asked for once');
  assert.deepEqual(
    rows.filter((row) => row.url.includes('/data/private/')).map((row) => row.url),
    [],
  );
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= DELAY_MS, `${gap.of}: ${gap.smallestMs} ms`);
  }
});

test('render never: the same pages stay as they are, and no browser is started', async (t) => {
  const web = await openWebFor(t, {
    ...{ seed: 61, hosts: 1, pages: 2, features: 'plain' },
    quarters: { app: { hosts: 1, pages: 2 } },
  });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--scope', 'any', '--allow-private', '--rate', 'max', '--render', 'never'];
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  const rows = [...web.server.log.requests()].map((row) => new URL(row.url).pathname);
  assert.ok(!rows.includes('/app.js') && !rows.includes('/feed'), rows.join(' '));
});

test('no browser: the crawl goes on, says once what is missing, and flags the pages', async (t) => {
  const web = await openWebFor(t, {
    ...{ seed: 61, hosts: 1, pages: 2, features: 'plain' },
    quarters: { app: { hosts: 3, pages: 2 } },
  });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--scope', 'any', '--allow-private', '--rate', 'max'];
  const nowhere = ['--render', 'auto', '--chromium', join(dir, 'no-such-browser')];
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...flags, ...nowhere]);
  assert.equal(end.code, 0, end.stderr);
  assert.equal(end.stderr.split('not rendered').length, 2, end.stderr);
  assert.match(end.stderr, /no-such-browser cannot be run\. Name another with --chromium PATH/);
  const { urls } = await recordsOf(t, dir);
  const flagged = [...urls.values()].filter(({ flags: set }) => (set & FLAGS.script_only) !== 0);
  assert.equal(flagged.length, 3, 'the three roots, behind which nothing is found');
  assert.match(flagged[0]?.reason ?? '', /little without its scripts/);
});

test('screenshot, export, why: each body under its own key; archives hold what was sent', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  const options = { seed: 61, hosts: 1, pages: 2, features: 'plain' } as const;
  const web = await openWebFor(t, { ...options, quarters: { app: { hosts: 1, pages: 1 } } });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--allow-private', '--rate', 'max', '--screenshot', '--render', 'auto'];
  const root = web.web.urlsIn('app')[0] ?? '';
  const end = await orb(t, [
    'crawl',
    root,
    '--dir',
    dir,
    ...web.flags,
    ...flags,
    '--chromium',
    chromium,
  ]);
  assert.equal(end.code, 0, end.stderr);
  const { answers, close } = await readFolder(dir);
  t.after(close);
  const read = Buffer.from((await answers.body(root)) ?? []).toString();
  const sent = Buffer.from((await answers.body(root, 'sent')) ?? []).toString();
  const picture = Buffer.from((await answers.body(root, 'screenshot')) ?? []);
  assert.match(read, /href="\/feed"/);
  assert.match(sent, /<div id="root"><\/div>/);
  assert.equal(picture.toString('latin1', 1, 4), 'PNG');
  const { story, record } = await answers.why(root);
  assert.match(story.join(' '), /they were run in a browser.*as it was sent.*a picture of it/);
  assert.ok(((record?.flags ?? 0) & FLAGS.rendered) !== 0);
  for await (const capture of answers.captures({})) {
    if (capture.record.url !== root) continue;
    assert.equal(Buffer.from(capture.record.contentHash).toString('hex'), sha256(sent));
  }
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

test('render always: links of a page in windows-1251 still ask in it (H5)', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  const asked: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    asked.push(url);
    if (url !== '/') return answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' });
    const script = `document.querySelector('a').href = '/?q=' + '\xef'`;
    answer.end(Buffer.from(`<body><a>\xef</a><script>${script}</script>`, 'latin1'));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  const start = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const dir = join(await scratch(t), 'crawl');
  const flags = [
    '--allow-private',
    '--delay',
    '25ms',
    '--render',
    'always',
    '--chromium',
    chromium,
  ];
  const end = await orb(t, ['crawl', start, '--dir', dir, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  assert.ok(asked.includes('/?q=%EF'), `asked for ${asked.join(' ')}`);
  assert.ok(!asked.some((url) => url.includes('%D0')), `asked for ${asked.join(' ')}`);
});
