import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decodeTrace } from '../record/index.ts';
import { digest, type RawPage } from './digest.ts';

function page(body: string | Uint8Array, more: Partial<RawPage> = {}): RawPage {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const limits = { decodedBytesMax: 1_000_000, agent: 'Orbweaver' };
  return { url: 'https://a.example/dir/', kind: 'page', body: bytes, headers, ...limits, ...more };
}

test('digest: links, title, hash and trace of one page', () => {
  const html =
    '<title>T</title><a href="x?utm_source=y">Word <b>two</b></a><a rel=nofollow href=/no>n</a>';
  const made = digest(page(html));
  assert.equal(made.title, 'T');
  assert.deepEqual(made.links, ['https://a.example/dir/x']);
  assert.deepEqual(Buffer.from(made.contentHash), createHash('sha256').update(html).digest());
  const { headers, links } = decodeTrace(made.trace);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.deepEqual(
    links.map((link) => [link.target, link.text, link.rel]),
    [
      ['https://a.example/dir/x', 'Word two', ''],
      ['https://a.example/no', 'n', 'nofollow'],
    ],
  );
});

test('digest: a link that is repeated is followed once, with a vote for each time it is meant', () => {
  const told = 'A long and telling description';
  const text = 'words of a running text, '.repeat(40);
  const said = ['x#part', 'y', 'x'].map((href) => `${text}<a href="${href}">${told}</a>`).join('');
  const html = `<nav><a href=x>${told}</a></nav><p>${said}${text}<a href=y rel=nofollow>n</a></p>`;
  const made = digest(page(html));
  assert.deepEqual(made.links, ['https://a.example/dir/x', 'https://a.example/dir/y']);
  assert.deepEqual([[...made.votes], made.named], [[2, 0], 4]);
  assert.ok((made.contexts[0] as number) < (made.contexts[1] as number), 'of the menu, the first');
  assert.equal(decodeTrace(made.trace).links.length, 5);
});

test('digest: a link that is only followed where it stands second has that place', () => {
  const made = digest(page('<a rel=nofollow href=x>no</a><p>words</p><a href=x>yes</a>'));
  assert.deepEqual([made.links, made.named], [['https://a.example/dir/x'], 1]);
});

test('digest: what the page and its headers say to our name is heard (R3)', () => {
  const meta = '<meta name=orbweaver content="nofollow"><meta name=otherbot content=noindex>';
  const headers = { 'content-type': 'text/html', 'x-robots-tag': 'noarchive' };
  const { noindex, nofollow, noarchive } = digest(page(meta, { headers })).directives;
  assert.deepEqual(
    { noindex, nofollow, noarchive },
    { noindex: false, nofollow: true, noarchive: true },
  );
});

test('digest: an encoded body is hashed and read as it was before', () => {
  const html = '<a href=y>y</a>';
  const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
  const made = digest(page(gzipSync(html), { headers }));
  assert.equal(Buffer.from(made.body).toString(), html);
  assert.deepEqual(made.links, ['https://a.example/dir/y']);
});

test('digest: a bomb is cut at the limit, and says so', () => {
  const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
  const made = digest(page(gzipSync(Buffer.alloc(5_000_000)), { headers }));
  assert.equal(made.isTruncated, true);
  assert.ok(made.bodyBytes <= 1_000_000);
});

test('digest: a sitemap names sitemaps first, then pages; what is no sitemap names none', () => {
  const xml = '<sitemapindex><sitemap><loc>https://a.example/s2.xml</loc></sitemap></sitemapindex>';
  const made = digest(page(xml, { kind: 'sitemap', headers: {} }));
  assert.deepEqual([made.links, made.sitemaps], [['https://a.example/s2.xml'], 1]);
  assert.deepEqual(digest(page('\u0000\u0001', { kind: 'sitemap' })).links, []);
});

test('digest: a body of another type has no links, and no type at all is looked at', () => {
  const html = '<!doctype html><a href=z>z</a>';
  assert.deepEqual(digest(page(html, { headers: { 'content-type': 'image/png' } })).links, []);
  assert.deepEqual(digest(page(html, { headers: {} })).links, ['https://a.example/dir/z']);
});

test('digest: a rendered page is in UTF-8, and its links still ask in the charset it was sent in', () => {
  const html = '<a href="/?q=п">п</a>';
  const utf8 = { headers: { 'content-type': 'text/html; charset=utf-8' } };
  const links = (more: object) => digest(page(html, { ...utf8, ...more })).links;
  assert.deepEqual(links({ queryCharset: 'windows-1251' }), ['https://a.example/?q=%EF']);
  assert.deepEqual(links({}), ['https://a.example/?q=%D0%BF']);
});

test('digest: of a host of low quality the first 200 links of a page are kept, and it says so (X1)', () => {
  const html = Array.from({ length: 300 }, (_, n) => `<a href="/${n}">link ${n}</a>`).join('<p>');
  const [poor, fair] = [digest(page(html, { linksMax: 200 })), digest(page(html))];
  assert.deepEqual([poor.links.length, poor.linksDropped], [200, true]);
  assert.equal(poor.links[199], 'https://a.example/199');
  assert.deepEqual([fair.links.length, fair.linksDropped], [300, false]);
});
