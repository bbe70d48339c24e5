/**
 * A second pass over a web that has not changed (H1, T4): the server's own log says how little
 * was sent, the folder how little was written. And a pass over a web that has gone on by years:
 * the report tells what the web knows to have changed, vanished and moved (B7).
 */
import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { LEAVING_FROM_MS, type Web } from '../../testweb/index.ts';
import { openWebFor, orb, pageRequests, recordsOf, scratch } from '../kit/index.ts';

const WEB = { seed: 31, features: 'plain', bodyBytes: 3_000 } as const;
const FAST = ['--allow-private', '--rate', 'max'];

test('second pass: an unchanged page is a 304, or is known by its hash, and nothing is written', async (t) => {
  const site = await openWebFor(t, { ...WEB, hosts: 10, pages: 600 });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, ...site.flags, ...FAST];
  const first = await orb(t, ['crawl', site.start, '--scope', 'any', ...flags]);
  assert.equal(first.code, 0, first.stderr);
  const before = await recordsOf(t, dir);
  const bodies = await sizesIn(join(dir, 'bodies'));

  site.server.reset();
  const second = await orb(t, ['recrawl', '--all', ...flags]);
  assert.equal(second.code, 0, second.stderr);
  const after = await recordsOf(t, dir);
  const still = [...before.urls.values()].filter(({ httpStatus }) => httpStatus === 200);
  assert.ok(still.length > 500, `${still.length} pages are a test`);
  const statuses = new Map(pageRequests(site).map(({ url, status }) => [url, status]));
  const marked = still.filter(({ etag, lastModified }) => etag !== '' || lastModified !== '');
  const unmarked = still.filter((page) => !marked.includes(page));
  const same = marked.filter(({ url }) => statuses.get(url) === 304).length;
  t.diagnostic(`${same} of ${marked.length} with validators are 304, ${unmarked.length} have none`);
  assert.ok(same >= 0.95 * marked.length, `${same} of ${marked.length}`);
  for (const { url } of unmarked) assert.equal(statuses.get(url), 200, url);
  for (const page of still) {
    const now = after.urls.get(page.url)!;
    assert.equal(now.changes, page.changes, `${page.url} has not changed`);
    assert.equal(now.lastChangedAt, page.lastChangedAt, page.url);
    assert.ok(now.visits > page.visits && now.lastFetchedAt > page.lastFetchedAt, page.url);
  }
  assert.deepEqual(await sizesIn(join(dir, 'bodies')), bodies, 'no body was written');
});

test('second pass: years later, the report tells what has changed, gone and moved, and hardly more', async (t) => {
  const quarters = { changing: { hosts: 1, pages: 120 } };
  const site = await openWebFor(t, { ...WEB, hosts: 1, pages: 2, quarters });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, ...site.flags, ...FAST];
  const first = await orb(t, ['crawl', site.start, '--scope', 'any', ...flags]);
  assert.equal(first.code, 0, first.stderr);
  const since = Date.now();
  site.server.advance(LATER_MS - since);
  const second = await orb(t, ['recrawl', '--all', ...flags]);
  assert.equal(second.code, 0, second.stderr);
  const at = ['--since', new Date(since).toISOString(), '--max-rows', '0'];
  const report = await orb(t, ['changes', '--dir', dir, '--json', ...at]);
  assert.equal(report.code, 0, report.stderr);

  const told = new Map<string, string>();
  for (const line of report.stdout.trim().split('\n')) {
    const { url, change } = JSON.parse(line) as { url: string; change: string };
    if (!new URL(url).pathname.startsWith('/moved/')) told.set(url, change);
  }
  const expected = new Map<string, string>();
  for (const url of site.web.urlsIn('changing')) {
    const change = changeOf(site.web, url, since);
    if (change !== undefined) expected.set(url, change);
  }
  const kinds = [...expected.values()].sort();
  t.diagnostic(
    [...new Set(kinds)].map((k) => `${k} ${kinds.filter((o) => o === k).length}`).join(),
  );
  // Two fingerprints of 64 bits tell a new sentence from a clock nearly always.
  const missed = [...expected].filter(([url, change]) => told.get(url) !== change);
  const extra = [...told].filter(([url]) => !expected.has(url));
  t.diagnostic(`${missed.length} missed, ${extra.length} told for nothing`);
  assert.ok(missed.length <= expected.size / 20 && extra.length <= expected.size / 20);
  assert.ok(missed.every(([, change]) => change === 'changed'));
  assert.ok(extra.every(([, change]) => change === 'changed'));
});

/** By then every page that leaves has left. */
const LATER_MS = LEAVING_FROM_MS + 366 * 86_400_000;

function changeOf(web: Web, url: string, thenMs: number): string | undefined {
  const [then, later] = [web.stateAt(url, thenMs), web.stateAt(url, LATER_MS)];
  if (then === undefined || later === undefined) return undefined;
  if (later.endsAtMs <= LATER_MS) return later.movedTo === undefined ? 'gone' : 'moved';
  return then.version === later.version ? undefined : 'changed';
}

async function sizesIn(folder: string): Promise<[string, number][]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).size]));
}
