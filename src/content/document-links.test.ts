import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTrace } from '../record/index.ts';
import { digest, type RawPage, unreadDigest } from './digest.ts';
import { mayBeDocument } from './document-links.ts';

function page(body: string, contentType: string, more: Partial<RawPage> = {}): RawPage {
  const headers = { 'content-type': contentType, ...more.headers };
  const limits = { decodedBytesMax: 1_000_000, agent: 'Orbweaver' };
  const url = 'https://a.example/dir/x';
  return { url, kind: 'page', body: Buffer.from(body), ...limits, ...more, headers };
}

const FEED =
  '<rss><channel><link>/</link><item><enclosure url="/a.mp3"/><link>/one</link><pubDate>Sun, 01 Nov 2026 00:00:00 GMT</pubDate></item>' +
  '<item><link>/two</link><pubDate>soon</pubDate></item></channel></rss>';

test('document: the dates of a feed stay with their links when others are not followed (T3)', () => {
  const made = digest(page(FEED, 'application/rss+xml'));
  assert.deepEqual(made.links, [
    'https://a.example/',
    'https://a.example/one',
    'https://a.example/two',
  ]);
  assert.deepEqual([...made.lastmods], [0, Date.UTC(2026, 10, 1), 0]);
  const named = decodeTrace(made.trace).links.find(({ rel }) => rel === 'enclosure');
  assert.equal(named?.target, 'https://a.example/a.mp3');
});

test('document: X-Robots-Tag counts for what is not HTML (R3)', () => {
  const headers = { 'x-robots-tag': 'orbweaver: nofollow, noarchive' };
  const { directives } = digest(page('{"url":"/x"}', 'application/json', { headers }));
  assert.deepEqual(
    [directives.nofollow, directives.noarchive, directives.noindex],
    [true, true, false],
  );
});

test('document: a written-out URL counts for less than a link with a text', () => {
  const made = digest(page('[described well](/a) https://b.example/', 'text/markdown'));
  const [link = 0, bare = 0] = made.contexts;
  assert.ok(link > bare && bare > 0, `${link} and ${bare}`);
});

test('document: HTML stays with HTML, unless the bytes say feed', () => {
  const html = page('<!doctype html><title>T</title><a href=/x>x</a>', 'text/html');
  assert.equal(mayBeDocument(html), false);
  const feed = page(`<?xml version="1.0"?>${FEED}`, 'text/html');
  assert.equal(mayBeDocument(feed), true);
  assert.equal(digest(feed).links.length, 3);
  const xhtml = page(
    '<?xml version="1.0"?><html><a href="/x">x</a></html>',
    'application/xhtml+xml',
  );
  assert.equal(mayBeDocument(xhtml), false);
  assert.equal(mayBeDocument({ ...feed, kind: 'sitemap' }), false);
});

test('document: an index of sitemaps met as a page: what it names are sitemaps, itself included', () => {
  const xml =
    '<sitemapindex><sitemap><loc>https://a.example/dir/x</loc></sitemap><sitemap><loc>https://a.example/s2.xml</loc></sitemap></sitemapindex>';
  const made = digest(page(xml, 'application/xml'));
  assert.deepEqual([made.links.length, made.sitemaps], [2, 2]);
});

test('document: two texts that say the same have one fingerprint, in whatever kind of file', () => {
  const words = Array.from({ length: 100 }, (_, n) => `word${n % 37} and${n}`).join(' ');
  const [plain, data] = [
    digest(page(words, 'text/plain')),
    digest(page(JSON.stringify({ text: words }), 'application/json')),
  ];
  assert.notEqual(plain.simhash, 0n);
  assert.equal(plain.simhash, data.simhash);
});

test('document: one that could not be read keeps its bytes and its hash, with the reason', () => {
  const made = unreadDigest(page('words', 'text/plain'), 'text: not done in 10 s');
  assert.deepEqual([made.bodyBytes, made.trouble, made.links], [5, 'text: not done in 10 s', []]);
  assert.equal(made.contentHash.length, 32);
});
