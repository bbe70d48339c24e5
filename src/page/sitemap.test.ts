import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parseSitemap, SITEMAP_URLS_MAX } from './sitemap.ts';
import { inLocation, sitemapCandidates } from './sitemap-location.ts';

const HERE = 'https://www.example.com/maps/sitemap.xml';
const read = (text: string, options = {}) => parseSitemap(Buffer.from(text), HERE, options);
const locs = (text: string, options = {}) => read(text, options).urls.map((entry) => entry.loc);
const urlset = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`;

test('sitemaps.org: the sample of the protocol', () => {
  const map = read(
    urlset(`<url><loc>http://www.example.com/</loc><lastmod>2005-01-01</lastmod>
      <changefreq>monthly</changefreq><priority>0.8</priority></url>
      <url><loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc></url>`),
  );
  assert.equal(map.kind, 'urlset');
  assert.equal(map.flaw, undefined);
  assert.deepEqual(map.urls, [
    { loc: 'http://www.example.com/', lastmod: '2005-01-01', changefreq: 'monthly', priority: 0.8 },
    { loc: 'http://www.example.com/catalog?item=12&desc=vacation_hawaii' },
  ]);
});

test('sitemaps.org: an index names sitemaps, not pages', () => {
  const map = read(
    `<sitemapindex><sitemap><loc>http://www.example.com/a.xml.gz</loc><lastmod>2004-10-01</lastmod>
     </sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>`,
  );
  assert.deepEqual(map.sitemaps, [
    'http://www.example.com/a.xml.gz',
    'https://www.example.com/b.xml',
  ]);
  assert.equal(map.index[0]?.lastmod, '2004-10-01');
  assert.deepEqual([map.urls, map.kind], [[], 'index']);
});

test('extensions: images, films, news and translations go with their page', () => {
  const [entry] = read(
    urlset(`<url><loc>https://www.example.com/p</loc>
      <image:image><image:loc>/i.png</image:loc></image:image>
      <video:video><video:title>t</video:title><video:content_loc>/v.mp4</video:content_loc></video:video>
      <news:news><news:title>N &amp; M</news:title><news:publication_date>2024-01-01</news:publication_date></news:news>
      <xhtml:link rel="alternate" hreflang="de" href="/de"/><xhtml:link rel="alternate" hreflang="en"/>
      <lastmod>2024-02-02</lastmod></url>`),
  ).urls;
  assert.deepEqual(entry, {
    loc: 'https://www.example.com/p',
    lastmod: '2024-02-02',
    alternates: [{ href: 'https://www.example.com/de', hreflang: 'de' }],
    images: ['https://www.example.com/i.png'],
    videos: ['https://www.example.com/v.mp4'],
    news: { title: 'N & M', publishedAt: '2024-01-01' },
  });
});

test('feeds: entries of RSS and Atom are pages, the feed itself is not', () => {
  const rss = `<rss version="2.0"><channel><link>https://a.example/</link>
    <item><title>x</title><link>https://a.example/1</link><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate></item>
    <item><guid>https://a.example/2</guid></item><item><guid isPermaLink="false">https://a.example/3</guid></item>
    <item><guid>tag:4</guid></item></channel></rss>`;
  assert.deepEqual(read(rss).urls, [
    { loc: 'https://a.example/1', lastmod: 'Tue, 10 Jun 2003 04:00:00 GMT' },
    { loc: 'https://a.example/2' },
    { loc: 'https://a.example/3' },
  ]);
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/>
    <entry><link rel="edit" href="/e"/><link href="/1"/><published>2020-01-01</published><updated>2021-01-01</updated></entry></feed>`;
  assert.deepEqual(read(atom).urls, [{ loc: 'https://www.example.com/1', lastmod: '2021-01-01' }]);
});

test('entities: what a DOCTYPE declares is its text if that is plain, else nothing', () => {
  const doctype = `<!DOCTYPE urlset [<!ELEMENT urlset ANY><!ENTITY xxe SYSTEM "file:///etc/passwd">
    <!ENTITY site 'https://b.example'><!ENTITY twice "&site;&site;"><!ENTITY amp "&#38;#38;">]>`;
  const map = `${doctype}<urlset><url><loc>https://a.example/&xxe;</loc></url><url><loc>&xxe;</loc></url>
    <url><loc>&site;/1?a&amp;b</loc></url><url><loc>https://a.example/&twice;&copy;</loc></url></urlset>`;
  assert.deepEqual(
    read(map).urls.map(({ loc }) => loc),
    ['https://a.example/', 'https://b.example/1?a&b', 'https://a.example/&copy;'],
  );
});

test('text: lines may end as on any machine', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const map = read(['https://a.example/1', 'https://a.example/2', ''].join(end));
    assert.deepEqual(
      map.urls.map(({ loc }) => loc),
      ['https://a.example/1', 'https://a.example/2'],
    );
  }
});

test('text: a URL a line, and nothing else', () => {
  const map = read(
    '\ufeffhttps://a.example/1\r\n\r\n# no\nhttps://a.example/2  \nrelative\nftp://a/',
  );
  assert.deepEqual(map.urls, [{ loc: 'https://a.example/1' }, { loc: 'https://a.example/2' }]);
  assert.equal(map.kind, 'text');
});

test('addresses: relative ones are resolved, other schemes dropped', () => {
  const inner = ['/a', 'b', 'mailto:a@b', 'javascript:1', 'ftp://a/', 'http://[', '']
    .map((loc) => `<url><loc>${loc}</loc></url>`)
    .join('');
  assert.deepEqual(locs(urlset(inner)), [
    'https://www.example.com/a',
    'https://www.example.com/maps/b',
  ]);
});

test('broken: what stood before the break is kept, a cut address is not', () => {
  const whole = '<url><loc>https://a.example/1</loc></url>';
  assert.deepEqual(locs(`<urlset>${whole}<url><loc>https://a.example/2</lo`), [
    'https://a.example/1',
    'https://a.example/2',
  ]);
  assert.deepEqual(locs(`<urlset>${whole}<url><loc>https://a.example/2`), ['https://a.example/1']);
  assert.deepEqual(
    locs('<urlset><url><loc>https://a.example/1<url><loc>https://a.example/2</loc>'),
    ['https://a.example/1', 'https://a.example/2'],
  );
  assert.deepEqual(locs(`warning: x\n${urlset(whole)}`), ['https://a.example/1']);
});

test('not a sitemap: a page of HTML says so', () => {
  const map = read('<!doctype html><html><body><a href="/x">x</a><url><loc>/y</loc></url></html>');
  assert.deepEqual([map.urls, map.kind, map.flaw], [[], 'unknown', 'not-a-sitemap']);
});

test('gzip: by its first bytes; cut, damaged and swollen ones say so', () => {
  const text = urlset('<url><loc>https://a.example/1</loc></url>'.repeat(3));
  const packed = gzipSync(text);
  assert.equal(parseSitemap(packed, HERE).urls.length, 3);
  assert.equal(parseSitemap(gzipSync(packed), HERE).urls.length, 3);
  const damaged = Buffer.from(packed).fill(0xff, 20, 60);
  assert.deepEqual(
    [parseSitemap(damaged, HERE).urls, parseSitemap(damaged, HERE).flaw],
    [[], 'damaged-gzip'],
  );
  const swollen = gzipSync(urlset('<url><loc>https://a.example/1</loc></url>'.repeat(40_000)));
  const map = parseSitemap(swollen, HERE, { bytesMax: 100_000 });
  assert.equal(map.flaw, 'too-big');
  assert.ok(map.urls.length > 0 && map.urls.length < 40_000);
});

test('limit: 50,000 entries are kept and the rest is named', () => {
  const one = '<url><loc>https://a.example/1</loc></url>';
  assert.equal(read(urlset(one.repeat(SITEMAP_URLS_MAX))).flaw, undefined);
  const more = read(urlset(one.repeat(SITEMAP_URLS_MAX + 1)));
  assert.deepEqual([more.urls.length, more.flaw], [SITEMAP_URLS_MAX, 'too-many-urls']);
  assert.equal(read('https://a.example/1\n'.repeat(5), { urlsMax: 4 }).flaw, 'too-many-urls');
});

test('location rule: offered, not imposed', () => {
  const text = urlset(
    '<url><loc>https://www.example.com/maps/a</loc></url><url><loc>https://www.example.com/b</loc></url>',
  );
  assert.equal(locs(text).length, 2);
  assert.deepEqual(locs(text, { strictLocation: true }), ['https://www.example.com/maps/a']);
  assert.equal(inLocation(HERE, 'http://www.example.com/maps/a'), false);
});

test('candidates: what robots.txt names, else the usual places', () => {
  assert.deepEqual(sitemapCandidates('https://a.example', ['/s.xml', 'https://a.example/s.xml']), [
    'https://a.example/s.xml',
  ]);
  assert.deepEqual(sitemapCandidates('https://a.example', []), [
    'https://a.example/sitemap.xml',
    'https://a.example/sitemap.txt',
    'https://a.example/sitemap_index.xml',
  ]);
});

test('property: any bytes are survived, and every loc is an http URL', () => {
  const tag = fc.constantFrom(
    '<urlset>',
    '<url>',
    '</url>',
    '<loc>',
    '</loc>',
    '<sitemapindex>',
    '<sitemap>',
    '<rss>',
    '<item>',
    '<link>',
    '<feed>',
    '<entry>',
    '<link href="a"/>',
    '<image:image>',
    'http://a/',
    '\u001f\u008b',
  );
  const text = fc.array(fc.oneof(tag, fc.string()), { maxLength: 40 }).map((all) => all.join(''));
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    text.map((words) => Buffer.from(words, 'latin1')),
    text.map((words) => gzipSync(words)),
  );
  fc.assert(
    fc.property(body, fc.oneof(fc.constant(HERE), fc.string()), (bytes, url) => {
      const map = parseSitemap(bytes, url);
      for (const loc of [...map.urls.map((entry) => entry.loc), ...map.sitemaps]) {
        assert.match(new URL(loc).protocol, /^https?:$/);
      }
    }),
  );
});
