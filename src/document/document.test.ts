import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BUILT_IN } from './built-in.ts';
import { choosePlugin } from './choose.ts';
import { type DocumentPlugin, definePlugin } from './plugin.ts';
import { type ReadDocument, readDocument } from './read.ts';
import { bareUrls } from './text-tools.ts';
import { typeByName } from './type-by-name.ts';

const URL_OF = 'https://a.example/dir/doc';
const LIMITS = { linksMax: 1_000, textCharsMax: 100_000 };

function chosen(body: string | Uint8Array, mediaType: string, url = URL_OF): string | undefined {
  return choosePlugin(BUILT_IN, Buffer.from(body), { url, mediaType })?.name;
}

function read(body: string | Uint8Array, contentType: string, url = URL_OF): ReadDocument {
  const mediaType = contentType.split(';')[0] ?? '';
  const bytes = Buffer.from(body);
  const plugin = choosePlugin(BUILT_IN, bytes, { url, mediaType });
  assert.ok(plugin);
  const headers = { 'content-type': contentType };
  return readDocument(plugin, { url, mediaType, headers, body: bytes, ...LIMITS });
}

const hrefs = ({ links }: ReadDocument) => links.map(({ href }) => href);
const followed = ({ links }: ReadDocument) =>
  links.filter(({ follow }) => follow !== false).map(({ href }) => href);

const RSS = '<rss version="2.0"><channel><title>News</title><link>/</link>';

test('xml: a declared encoding holds, also where some bytes are none of its characters', () => {
  const xml = (label: string, bytes: string) =>
    Buffer.from(`<?xml version="1.0"${label}?><x><y>${bytes}</y></x>`, 'latin1');
  const text = (body: Buffer) => read(body, 'application/xml').text;
  assert.equal(text(xml(' encoding="EUC-KR"', '\xb0\xa1\xb0\xa1\xc9\xa1')), '가가\ufffd');
  assert.equal(text(xml('', 'caf\xe9')), 'café');
  const cut = `${Buffer.from('뉴스 한글').toString('latin1')}\xed\x95`;
  for (const label of [' encoding="UTF-8"', ''])
    assert.equal(text(xml(label, cut)), '뉴스 한글\ufffd');
  assert.equal(text(xml(' encoding="UTF-8"', 'na\xefve caf\xe9 \xfcber')), 'naïve café über');
});

test('choose: the type decides, the first bytes where it is silent or wrong', () => {
  const feed = `<?xml version="1.0"?><!-- x -->${RSS}`;
  const map = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  assert.deepEqual(
    [
      ...[chosen('%PDF-1.4', 'application/pdf'), chosen('%PDF-1.4', 'application/octet-stream')],
      ...[
        chosen('\n%PDF-1.4', 'text/plain'),
        chosen('words', 'text/plain'),
        chosen('', 'image/png'),
      ],
      ...[
        chosen(feed, 'text/xml'),
        chosen(feed, 'text/plain'),
        chosen(feed, ''),
        chosen(map, 'text/xml'),
      ],
      ...[
        chosen(gzipSync(map), 'application/octet-stream'),
        chosen('not gzip', 'application/gzip'),
      ],
      ...[
        chosen('{"a":1}', 'application/vnd.api+json'),
        chosen('{"a":1}', ''),
        chosen('<a/>', 'application/xml'),
      ],
      ...[
        chosen('x', 'text/markdown'),
        chosen('x', 'text/plain', 'https://a.example/README.md?x=1'),
      ],
      chosen('{"version":"https://jsonfeed.org/version/1.1","items":[]}', 'application/json'),
    ],
    [
      ...['pdf', 'pdf', 'pdf', 'text', undefined, 'feed', 'feed', 'feed', 'sitemap', 'sitemap'],
      ...['sitemap', 'json', 'json', 'xml', 'markdown', 'markdown', 'json-feed'],
    ],
  );
});

test('choose: a name counts where the type says nothing', () => {
  const stream = 'application/octet-stream';
  const names = [
    'https://a.example/x.pdf?v=1',
    'https://a.example/x.PDF',
    'https://a.example/x.exe',
  ];
  assert.deepEqual(
    names.map((url) => typeByName(stream, url)),
    ['application/pdf', 'application/pdf', stream],
  );
  assert.equal(typeByName('text/html', 'https://a.example/x.pdf'), 'text/html');
});

test('choose: a plugin of the user comes before what is built in', () => {
  const mine: DocumentPlugin = definePlugin({
    name: 'mine',
    types: ['text/plain'],
    read: () => ({}),
  });
  const all = [mine, ...BUILT_IN];
  const page = { url: URL_OF, mediaType: 'text/plain' };
  assert.equal(choosePlugin(all, Buffer.from('x'), page)?.name, 'mine');
});

test('read: a plugin that throws, waits or answers nonsense: a reason, and no links', () => {
  const page = { url: URL_OF, mediaType: 'x/y', headers: {}, body: Buffer.alloc(0), ...LIMITS };
  const of = (answer: () => unknown) =>
    readDocument({ name: 'odd', types: [], read: answer as DocumentPlugin['read'] }, page);
  const thrown = of(() => {
    throw new Error('broken\nhere');
  });
  assert.equal(thrown.trouble, 'odd: broken here');
  assert.match(of(() => Promise.resolve({})).trouble, /odd: .* promise/);
  assert.match(of(() => 7).trouble, /no document/);
  const loose = of(() => ({
    title: 7,
    links: [{ href: 'x' }, 'y', null],
    metadata: { a: {}, b: 1 },
  }));
  assert.deepEqual([loose.title, hrefs(loose), loose.metadata], ['', ['x'], { b: '1' }]);
  assert.throws(() => definePlugin({ name: '' } as DocumentPlugin), /has a name/);
});

test('feed: entries with their dates and titles; enclosures and hubs are not followed', () => {
  const item =
    '<item><title>One</title><link>one</link><pubDate>Tue, 10 Nov 2026 09:00:00 GMT</pubDate>' +
    '<enclosure url="one.mp3"/><description>&lt;p&gt;Words &lt;a href="two"&gt;here&lt;/a&gt;</description></item>';
  const found = read(
    `${RSS}<atom:link rel="hub" href="https://hub.example/"/>${item}</channel></rss>`,
    'application/rss+xml',
  );
  assert.equal(found.title, 'News');
  assert.deepEqual(followed(found), ['/', 'one', 'https://a.example/dir/two']);
  assert.deepEqual(hrefs(found).length, 5);
  const [entry] = found.links.filter(({ kind }) => kind === 'feed');
  assert.ok(entry);
  const one = found.links.find(({ href }) => href === 'one');
  assert.deepEqual([one?.text, one?.lastmod], ['One', 'Tue, 10 Nov 2026 09:00:00 GMT']);
  assert.match(found.text, /Words here/);
});

test('feed: relative links are resolved against xml:base, each inside the one around it', () => {
  const atom =
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/x/"><title>T</title>' +
    '<entry xml:base="y/"><link href="z"/><updated>no date</updated><content type="xhtml"><div><a href="../w">w</a></div></content></entry>' +
    '<entry><link rel="alternate" href="/q"/></entry></feed>';
  const { links } = read(atom, 'application/atom+xml');
  const urls = links.map(({ href, base }) => new URL(href, base).href);
  assert.deepEqual(urls, ['http://b.example/x/y/z', 'http://b.example/x/w', 'http://b.example/q']);
});

test('feed: an entry that is never closed ends where the next begins', () => {
  const found = read(
    `${RSS}<item><link>a</link><description>open <item><link>b</link>`,
    'text/xml',
  );
  assert.deepEqual(hrefs(found), ['/', 'a', 'b']);
});

test('json feed: items as pages, with their dates', () => {
  const body = {
    ...{
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      home_page_url: 'https://a.example/',
    },
    items: [
      {
        id: '1',
        url: '/one',
        title: 'One',
        date_modified: '2026-11-10',
        content_html: '<a href="/two">two</a>',
      },
    ],
  };
  const found = read(JSON.stringify(body), 'application/feed+json');
  assert.deepEqual(hrefs(found), ['https://a.example/', '/one', 'https://a.example/two']);
  assert.equal(found.links[1]?.lastmod, '2026-11-10');
});

test('json: whole URLs anywhere, relative ones under names that mean links; labels are their texts', () => {
  const body = {
    ...{ $schema: 'https://schema.example/s', count: 3, next: '/page/2' },
    data: [{ title: 'First', href: './1', image: 'https://a.example/1.png', note: '/no-link' }],
  };
  const found = read(JSON.stringify(body), 'application/json');
  assert.deepEqual(followed(found), ['/page/2', './1']);
  assert.equal(found.links.find(({ href }) => href === './1')?.text, 'First');
});

test('json-ld: the context names words, not pages; a base is heard', () => {
  const body =
    '{"@context":["https://schema.org",{"@base":"https://b.example/x/","name":"https://v.example/n"}],"@type":"Article","@id":"/me","headline":"Big news","sameAs":["https://c.example/"]}';
  const found = read(body, 'application/ld+json');
  assert.deepEqual(followed(found), ['/me', 'https://c.example/']);
  assert.deepEqual([found.title, found.metadata.type], ['Big news', 'Article']);
  assert.equal(found.links.find(({ href }) => href === '/me')?.base, 'https://b.example/x/');
});

test('json: a hundred thousand brackets deep, cut off, one a line, or not JSON at all', () => {
  const deep = `${'['.repeat(100_000)}"https://b.example/"${']'.repeat(100_000)}`;
  assert.deepEqual(hrefs(read(deep, 'application/json')), ['https://b.example/']);
  const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  assert.equal(read(objects, 'application/json').trouble, '');
  const cut = read('{"url":"https:\\/\\/b.example\\/x","list":[1,2', 'application/json');
  assert.deepEqual([hrefs(cut), cut.trouble], [['https://b.example/x'], 'json: not whole JSON']);
  const lines = '{"url":"https://b.example/1"}\n{"url":"https://b.example/2"}\n{"url":';
  assert.deepEqual(hrefs(read(lines, 'application/x-ndjson')), [
    'https://b.example/1',
    'https://b.example/2',
  ]);
});

test('xml: addresses in attributes and texts; entities are neither loaded nor unfolded', () => {
  const opml =
    '<opml><head><title>Subscriptions</title></head><body><outline text="A" xmlUrl="/a.xml" htmlUrl="https://b.example/"/></body></opml>';
  const found = read(opml, 'text/xml');
  assert.deepEqual(
    [found.title, new Set(hrefs(found))],
    ['Subscriptions', new Set(['https://b.example/', '/a.xml'])],
  );
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(99)}">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "&a${n};&a${n};">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&a20;&f;<y>https://b.example/</y></x>`;
  const held = read(bomb, 'application/xml');
  assert.deepEqual([hrefs(held), held.text], [['https://b.example/'], '']);
  const deep = read(`${'<a>'.repeat(100_000)}<b href="/x"/>`, 'application/xml');
  assert.deepEqual(hrefs(deep), ['/x']);
});

test('xml: a charset of the header, of the file, or a wrong one', () => {
  const body = (head: string) => Buffer.from(`${head}<x><title>gr\xfc\xdfe</title></x>`, 'latin1');
  const declared = '<?xml version="1.0" encoding="ISO-8859-1"?>';
  assert.equal(read(body(declared), 'text/xml').title, 'grüße');
  assert.equal(read(body(''), 'text/xml; charset=iso-8859-1').title, 'grüße');
  assert.equal(read(body(''), 'text/xml').title, 'grüße');
  assert.equal(read(body(''), 'text/xml; charset=utf-8').title, 'grüße');
  const wide = Buffer.from('\ufeff<x><title>grüße</title></x>', 'utf16le');
  assert.equal(read(wide, 'text/xml').title, 'grüße');
  assert.equal(
    read(Buffer.from('<x><title>grüße</title></x>').subarray(0, 30), 'text/xml').title,
    'grüße',
  );
});

test('sitemap met as a page: its entries with their dates; a gzip that is none gives a reason', () => {
  const map =
    '<urlset><url><loc>https://a.example/1</loc><lastmod>2026-11-01</lastmod></url></urlset>';
  const found = read(gzipSync(map), 'application/gzip');
  assert.deepEqual(found.links, [
    { href: 'https://a.example/1', kind: 'listed', lastmod: '2026-11-01' },
  ]);
  assert.match(read('not gzip', 'application/gzip').trouble, /not-a-sitemap/);
  assert.match(
    read(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'application/gzip').trouble,
    /sitemap: /,
  );
});

test('markdown: links in every spelling, the heading as title; pictures and code are not followed', () => {
  const text =
    '---\ntitle: "Front"\n---\n# The *title*\n[one](one.md "t") ![pic](p.png) [two][2] <https://c.example/>, https://d.example/x.\n' +
    '```\n[no](no.md)\n```\n<a href="html.md">h</a>\n[2]: <two.md>\n';
  const found = read(text, 'text/markdown');
  assert.deepEqual(
    [found.title, hrefs(found)],
    ['Front', ['one.md', 'two.md', 'html.md', 'https://c.example/', 'https://d.example/x']],
  );
  assert.equal(read('Under\n=====\nx', 'text/markdown').title, 'Under');
});

test('text: URLs that end in a thousand brackets cost what their length says', () => {
  const url = `http://a.example/(b)${')'.repeat(1_900)}`;
  const text = `${url} `.repeat(2_000);
  const started = performance.now();
  const [link] = bareUrls(text, 5_000);
  assert.equal(link?.href, 'http://a.example/(b)');
  assert.ok(performance.now() - started < 3_000, 'not the square of it');
});

test('text: written-out URLs without the sentence around them; its charset is found', () => {
  const text = 'See https://b.example/a_(b), (https://c.example/d) and <http://e.example/?q=1>.';
  assert.deepEqual(hrefs(read(text, 'text/plain')), [
    ...['https://b.example/a_(b)', 'https://c.example/d', 'http://e.example/?q=1'],
  ]);
  assert.equal(read(Buffer.from('gr\xfc\xdfe', 'latin1'), 'text/plain').text, 'grüße');
  assert.equal(read(Buffer.from('\ufeffhi', 'utf16le'), 'text/plain; charset=utf-8').text, 'hi');
  assert.equal(read('a\0b', 'text/plain').trouble, 'text: not text, although announced');
  assert.equal(read(`a\0b${' words'.repeat(100)}`, 'text/plain').text.slice(0, 9), 'a b words');
});
