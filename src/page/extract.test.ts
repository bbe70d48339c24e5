import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractHtml, type HtmlPage } from './extract.ts';

const URL_OF_PAGE = 'http://example.test/dir/page.html';

function page(html: string): HtmlPage {
  return extractHtml(Buffer.from(html), { url: URL_OF_PAGE });
}

function urls(html: string): string[] {
  return page(html).links.map((link) => link.url.replace('http://example.test', ''));
}

test('links: each kind is found, in document order, with text, rel and position', () => {
  const found = page(`<link rel="Next foo" href=n><link rel=stylesheet href=css>
    <a href=a rel="nofollow UGC">An <b>anch</b>or</a><area href=r><iframe src=f></iframe>`);
  const base = 'http://example.test/dir/';
  assert.deepEqual(found.links, [
    { url: `${base}n`, text: '', rel: ['next', 'foo'], kind: 'link', position: 0 },
    { url: `${base}a`, text: 'An anchor', rel: ['nofollow', 'ugc'], kind: 'a', position: 1 },
    { url: `${base}r`, text: '', rel: [], kind: 'area', position: 2 },
    { url: `${base}f`, text: '', rel: [], kind: 'iframe', position: 3 },
  ]);
});

test('links: a base below a link still moves it, and only the first base counts', () => {
  assert.deepEqual(urls('<a href=x>x</a><base target=t><base href=/b/><base href=/c/>'), ['/b/x']);
});

test('links: what scripts, styles, comments and templates say are no links', () => {
  const quiet = ['<script><a href=1></script>', '<style><a href=2></style>', '<!--<a href=3>-->'];
  quiet.push('<template><a href=4></a></template>', '<textarea><a href=5></textarea>');
  quiet.push('<script><!--<script></script><a href=6>--></script>', '<xmp><a href=7></xmp>');
  for (const html of quiet) assert.deepEqual(urls(`${html}<a href=0>`), ['/dir/0'], html);
});

test('links: comments end where browsers end them', () => {
  for (const comment of ['<!-->', '<!--->', '<!-- --!>', '<!-- a-->', '<!x>', '<?x>', '</ x>']) {
    assert.deepEqual(urls(`${comment}<a href=0>`), ['/dir/0'], comment);
  }
});

test('links: a > in quotes does not end a tag, the first of two hrefs wins', () => {
  assert.deepEqual(urls('<a title="a>b" href=x href=y>'), ['/dir/x']);
  assert.deepEqual(urls(`<p title='<a href=no>'><a href='x'>`), ['/dir/x']);
});

test('links: a tag that the input cuts off does not exist', () => {
  for (const cut of ['<a href=y', '<a href="y>z</a>', '<a href=y title']) {
    assert.deepEqual(urls(`<a href=x></a>${cut}`), ['/dir/x'], cut);
  }
});

test('links: in SVG an anchor is one, its title is not the page’s', () => {
  const found = page('<svg><title>icon</title><a xlink:href=x>go</a></svg><title>Page</title>');
  assert.equal(found.title, 'Page');
  assert.deepEqual(
    found.links.map((link) => link.text),
    ['go'],
  );
});

test('links: noscript’s links count, its words, base and refresh do not', () => {
  const found = page(
    `<noscript><base href=/no/><meta http-equiv=refresh content="0;url=no">
     Enable it <a href=x>x</a></noscript> Words`,
  );
  assert.deepEqual(
    found.links.map((link) => link.url),
    ['http://example.test/dir/x'],
  );
  assert.equal(found.text, 'Words');
  assert.equal(found.refresh, undefined);
});

test('links: frames are links of a frameset, and of nothing else', () => {
  assert.deepEqual(urls('<frameset><frame src=x><a href=y></frameset>'), ['/dir/x']);
  assert.deepEqual(urls('<body>Text<frameset><frame src=x>'), []);
});

test('text: words are whole across inline tags and apart at all others', () => {
  assert.equal(
    page('<b>W</b>ord<p>two</p>three<br>four<a>five</a>s').text,
    'Word two three four fives',
  );
  assert.equal(page('java.<wbr>lang &lt;x&gt;&nbsp;y\r\n\tz').text, 'java.lang <x>\u00a0y z');
});

test('text: title, language, canonical and robots are the page’s own', () => {
  const found = page(`<html lang=de><title> A &amp;
    B </title><title>C</title><link rel=canonical href=/c><meta name=Robots content=noindex>
    <meta name=SomeBot content="nofollow, noarchive"><meta name=description content="index of">`);
  assert.equal(found.title, 'A & B');
  assert.equal(found.lang, 'de');
  assert.equal(found.canonical, 'http://example.test/c');
  assert.deepEqual(found.robots, [
    { name: 'robots', content: 'noindex' },
    { name: 'somebot', content: 'nofollow, noarchive' },
  ]);
});

test('text: a page in another encoding has the same words and links, but for their queries', () => {
  const html = '<title>Grüße</title><a href="/straße?q=%C3%BC">Äpfel</a>';
  const latin = extractHtml(Buffer.from(html, 'latin1'), { url: URL_OF_PAGE });
  const wide = extractHtml(Buffer.from(`\ufeff${html}`, 'utf16le'), { url: URL_OF_PAGE });
  const utf8 = page(html);
  assert.equal(utf8.text, 'Grüße Äpfel');
  assert.deepEqual([latin.charset, wide.charset], ['windows-1252', 'UTF-16LE']);
  assert.deepEqual([latin.text, latin.links], [utf8.text, utf8.links]);
  assert.deepEqual([wide.text, wide.links], [utf8.text, utf8.links]);
});

test('links: a query is asked in the encoding of its page, also where others asked before', () => {
  const html = '<a href="/п?q=п"></a><a href="?a&#61;1&amp;q=&#1087;"></a><a href="?q=q#п"></a>';
  const found = (charset: string, bytes: Uint8Array) =>
    extractHtml(bytes, { url: URL_OF_PAGE, contentType: `text/html;charset=${charset}` }).links.map(
      ({ url }) => url.replace(/^http:..[^/]+/, ''),
    );
  assert.deepEqual(
    extractHtml(Buffer.from('<base href="/x?q=\xef"><a href="#t">', 'latin1'), {
      url: URL_OF_PAGE,
      contentType: 'text/html;charset=windows-1251',
    }).links.map(({ url }) => url.split('?')[1]),
    ['q=%EF'],
  );
  const cyrillic = Buffer.from(html.replaceAll('п', '\xef'), 'latin1');
  const path = new URL(URL_OF_PAGE).pathname;
  const asked = (q: string) => [`/%D0%BF?q=${q}`, `${path}?a=1&q=${q}`, `${path}?q=q`];
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(found('windows-1251', cyrillic), asked('%EF'));
    assert.deepEqual(found('utf-8', Buffer.from(html)), asked('%D0%BF'));
    assert.deepEqual(found('utf-16le', Buffer.from(html, 'utf16le')), asked('%D0%BF'));
  }
});

test('text: an anchor text is cut at 200 characters and never inside a character', () => {
  const [link] = page(`<a href=x>${'é'.repeat(199)}😀more</a>`).links;
  assert.equal(link?.text, 'é'.repeat(199));
});
