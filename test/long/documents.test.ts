/**
 * Documents that are not HTML, crawled by the command line (X2, R3): what is behind them is found,
 * what they say and are called is known, copies of a text are copies, and those that cannot be read
 * are kept with the reason.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLAGS } from '../../src/record/index.ts';
import { judgeQuarters } from '../../testweb/index.ts';
import { asked, openWebFor, orb, recordsOf, scratch } from '../kit/index.ts';

const FAST = ['--scope', 'any', '--allow-private', '--rate', 'max'];

test('documents: every page behind them is found, nothing that they only mention is asked for', async (t) => {
  const quarters = { documents: {} };
  const web = await openWebFor(t, { seed: 31, hosts: 1, pages: 2, features: 'plain', quarters });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, ...web.flags, ...FAST];
  const end = await orb(t, ['crawl', web.start, ...flags]);
  assert.equal(end.code, 0, end.stderr);

  const [place] = judgeQuarters(web.web, web.server.log);
  assert.deepEqual(place?.missed, []);
  assert.deepEqual(
    [...asked(web)].filter((url) => url.includes('/never/')),
    [],
  );

  const { urls } = await recordsOf(t, dir);
  const at = (path: string) => [...urls.values()].find(({ url }) => url.endsWith(path));
  const titles = ['/report.pdf', '/rss.xml', '/atom.xml', '/feed.json', '/list.json', '/readme.md'];
  assert.deepEqual(
    titles.map((path) => at(path)?.title),
    [
      'The report',
      'RSS of the host',
      'Atom of the host',
      'JSON Feed of the host',
      'A list',
      'Read me',
    ],
  );
  const isCopy = (path: string) => ((at(path)?.flags ?? 0) & FLAGS.near_duplicate) !== 0;
  assert.equal(
    isCopy('/report.pdf') !== isCopy('/report-again.pdf'),
    true,
    'one repeats the other',
  );
  assert.equal((at('/closed.pdf')?.flags ?? 0) & FLAGS.nofollow, FLAGS.nofollow);
  const reasons = ['/locked.pdf', '/cut.pdf', '/nul.txt', '/deep.json'].map(
    (path) => at(path)?.reason,
  );
  assert.deepEqual(reasons, [
    'pdf: encrypted with a password',
    'pdf: it is broken or cut off: what was found is kept',
    'text: not text, although announced',
    '',
  ]);
  const why = await orb(t, ['why', at('/report.pdf')?.url ?? '', '--dir', dir]);
  assert.match(why.stdout, /The report/);
  assert.match(why.stdout, /pages 1/);
});

test('documents: a plugin named on the command line reads its own kind', async (t) => {
  const web = await openWebFor(t, {
    seed: 32,
    hosts: 1,
    pages: 2,
    features: 'plain',
    quarters: { documents: {} },
  });
  const folder = await scratch(t);
  const home = join(folder, 'node_modules', 'orbweaver-plugin-notes');
  await mkdir(home, { recursive: true });
  await writeFile(
    join(home, 'package.json'),
    '{ "name": "orbweaver-plugin-notes", "main": "index.mjs" }',
  );
  await writeFile(
    join(home, 'index.mjs'),
    `export default { name: 'notes', types: ['text/markdown'], read: () => ({ title: 'By a plugin' }) };`,
  );
  const dir = join(folder, 'crawl');
  const flags = ['--dir', dir, ...web.flags, ...FAST];
  const end = await orb(t, ['crawl', web.start, '--plugin', home, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  const { urls } = await recordsOf(t, dir);
  const note = [...urls.values()].find(({ url }) => url.endsWith('/readme.md'));
  assert.equal(note?.title, 'By a plugin');
  const missing = await orb(t, [
    'crawl',
    web.start,
    '--plugin',
    'no-such-package',
    '--dir',
    `${dir}-2`,
    '-o',
    `${dir}.jsonl`,
  ]);
  assert.equal(missing.code, 4);
  assert.match(missing.stderr, /no plugin no-such-package .*E_PLUGIN/);
  assert.equal(existsSync(`${dir}-2`), false, 'said before the folder is made');
  assert.equal(existsSync(`${dir}.jsonl`), false, 'nor the output');
  // Nor is an old crawl thrown away for one that cannot begin.
  const again = ['crawl', web.start, '--fresh', '--plugin', './no.js', ...flags];
  assert.equal((await orb(t, again)).code, 4);
  assert.equal((await recordsOf(t, dir)).urls.size, urls.size);
});
