/**
 * What a site asks for its pages is done (R3, R5): a small site on loopback that says each of
 * the directives and preferences, crawled by the command line, and asked afterwards.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { orb, scratch } from '../kit/index.ts';

type Page = readonly [headers: OutgoingHttpHeaders, html: string];

const HTML = { 'content-type': 'text/html' };
const tag = (value: string | string[]): OutgoingHttpHeaders => ({ ...HTML, 'x-robots-tag': value });
const FAR = 'Fri, 31 Dec 2100 23:00:00 GMT';

const ROBOTS = `User-agent: *
Disallow: /closed/
Content-Usage: /closed/ train-ai=y
Content-Usage: /books/ train-ai=n, search=y
`;

const SITE: Readonly<Record<string, Page>> = {
  '/robots.txt': [{ 'content-type': 'text/plain' }, ROBOTS],
  '/': [
    HTML,
    ['noindex', 'meta', 'none', 'noarchive', 'expired', 'later', 'signal', 'books/1', 'pdf', 'ugc']
      .map((name) => `<a href="/${name}">${name}</a>`)
      .join(''),
  ],
  '/noindex': [tag(['otherbot: none', 'orbweaver: noindex']), '<a href="/from-noindex">a</a>'],
  '/meta': [HTML, '<meta name=orbweaver content=nofollow><a href="/from-meta">a</a>'],
  '/none': [tag('none'), '<a href="/from-none">a</a>'],
  '/noarchive': [tag('noarchive'), 'not to be kept'],
  '/expired': [tag('unavailable_after: 25 Jun 2010 15:00:00 PST'), 'old'],
  '/later': [tag(`unavailable_after: ${FAR}`), 'not yet old'],
  '/signal': [{ ...HTML, 'content-signal': 'ai-train=no, search=yes' }, 'for readers'],
  '/books/1': [HTML, 'a book <a href="/from-book">a</a>'],
  '/pdf': [{ 'content-type': 'application/pdf', 'x-robots-tag': 'noindex' }, '%PDF-1.7'],
  '/ugc': [HTML, '<a rel=ugc href="/from-ugc">a</a>'],
  '/from-noindex': [HTML, 'followed'],
  '/from-book': [HTML, 'followed'],
};

interface Row {
  readonly url: string;
  readonly state: string;
  readonly reason?: string;
  readonly flags?: readonly string[];
  readonly usage?: string;
  readonly unavailableAfter?: string;
}

async function crawled(t: TestContext, ...flags: string[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const [headers, body] = SITE[path] ?? [undefined, ''];
    response.writeHead(headers === undefined ? 404 : 200, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const start = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = join(await scratch(t), 'crawl');
  const fast = ['--allow-private', '--rate', 'max', '--dir', dir];
  const end = await orb(t, ['crawl', `${start}/`, ...fast, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  const pages = await orb(t, ['pages', '--dir', dir, '--json']);
  const rows = pages.stdout.trimEnd().split('\n');
  const byPath = new Map<string, Row>(
    rows.map((line) => JSON.parse(line)).map((row: Row) => [row.url.slice(start.length), row]),
  );
  const why = async (path: string) =>
    (await orb(t, ['why', start + path, '--dir', dir])).stdout.replaceAll(start, '');
  return { asked, byPath, why };
}

test('directives: a site that says each of them finds each obeyed and recorded', async (t) => {
  const { asked, byPath, why } = await crawled(t);
  const flags = (path: string) => byPath.get(path)?.flags ?? [];
  assert.deepEqual(flags('/noindex'), ['noindex']);
  assert.deepEqual(flags('/meta'), ['nofollow']);
  assert.deepEqual(flags('/none'), ['noindex', 'nofollow']);
  assert.deepEqual(flags('/noarchive'), ['noarchive']);
  assert.deepEqual(flags('/expired'), ['noindex']);
  assert.deepEqual(flags('/later'), []);
  assert.deepEqual(flags('/pdf'), ['noindex'], 'headers count for what is not HTML');
  assert.equal(byPath.get('/later')?.unavailableAfter, new Date(FAR).toISOString());
  assert.ok(asked.includes('/from-noindex'), 'noindex alone hides no links');
  for (const path of ['/from-meta', '/from-none', '/from-ugc']) {
    assert.ok(!asked.includes(path), `${path} is not followed`);
  }
  assert.match(await why('/noarchive'), /noarchive/);
});

test('usage: recorded without a purpose, and nothing is held back', async (t) => {
  const { byPath } = await crawled(t);
  assert.equal(byPath.get('/books/1')?.usage, 'ai-train=no, search=yes');
  assert.equal(byPath.get('/signal')?.usage, 'ai-train=no, search=yes');
  assert.equal(byPath.get('/')?.usage, undefined);
  for (const path of ['/books/1', '/signal']) assert.equal(byPath.get(path)?.state, 'indexed');
});

test('usage: a no of robots.txt is not asked for, a no of a header is not kept', async (t) => {
  const { asked, byPath, why } = await crawled(t, '--purpose', 'search,train-ai');
  assert.ok(!asked.includes('/books/1'));
  assert.ok(!asked.includes('/from-book'));
  const book = byPath.get('/books/1');
  assert.equal(book?.state, 'skipped');
  assert.match(book?.reason ?? '', /^robots\.txt line 4 \(Content-Usage: .*\) says no to ai-train/);
  const signal = byPath.get('/signal');
  assert.deepEqual([signal?.state, signal?.flags], ['indexed', ['usage_refused']]);
  assert.match(signal?.reason ?? '', /^the content-signal header says no to ai-train/);
  assert.match(await why('/books/1'), /forbidden[\s\S]*says no to ai-train/);
  assert.match(
    await why('/signal'),
    /this crawl is for search and ai-train, so its text is not kept/,
  );
});
