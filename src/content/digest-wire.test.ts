/** A digest comes from a parser as it would have been made here, or is refused (K3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { brokenDigest, type Digest, digest, type RawPage } from './digest.ts';
import { type DigestHead, digestFrom, digestParts } from './digest-wire.ts';

function pageOf(html: string, more: Partial<RawPage> = {}): RawPage {
  return {
    ...{ url: 'https://h.example/a/b', kind: 'page', body: Buffer.from(html) },
    ...{ headers: { 'content-type': 'text/html' }, decodedBytesMax: 1_000_000, agent: 'Orb' },
    ...more,
  };
}

/** As over a line: the head as JSON, the parts one behind the other. */
function sent(made: Digest, page: RawPage): { head: DigestHead; bytes: Buffer } {
  const { head, parts } = digestParts(made, page.headers['content-encoding']);
  return { head: JSON.parse(JSON.stringify(head)), bytes: Buffer.concat(parts) };
}

/** Bytes as hex, whatever view holds them. */
function plain(made: Digest | string): unknown {
  if (typeof made === 'string') return made;
  const fields = Object.entries(made).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ]);
  return Object.fromEntries(fields);
}

function same(page: RawPage): void {
  const made = digest(page);
  const { head, bytes } = sent(made, page);
  assert.deepEqual(plain(digestFrom(head, bytes, page)), plain(made));
}

const HTML = '<title>Grüße</title><meta name=robots content="noarchive"><a href=/x>to x</a> words';

test('digest on the line: a page as it was sent, under gzip, empty and cut off: the same', () => {
  same(pageOf(HTML));
  same(pageOf('', {}));
  same(pageOf(HTML, { decodedBytesMax: 20 }));
  const gzip = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
  same(pageOf('', { headers: gzip, body: gzipSync(HTML) }));
  same(pageOf('', { headers: gzip, body: Buffer.from('no gzip at all') }));
  same(pageOf(HTML, { markdown: {} }));
  same(pageOf(HTML, { linksMax: 0 }));
});

test('digest on the line: a sitemap keeps the times of its links', () => {
  const urls = ['2020-01-01', '', '2021-05-05'].map(
    (day, nth) =>
      `<url><loc>https://h.example/${nth}</loc>${day && `<lastmod>${day}</lastmod>`}</url>`,
  );
  const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
  const page = pageOf(xml, { kind: 'sitemap', headers: { 'content-type': 'application/xml' } });
  assert.equal(digest(page).lastmods.length, 3);
  same(page);
});

test('digest on the line: pages of any links and words: the same as here', () => {
  const link = fc.tuple(fc.webUrl({ withQueryParameters: true }), fc.string());
  fc.assert(
    fc.property(fc.array(link, { maxLength: 20 }), fc.string(), (links, words) => {
      const anchors = links.map(([href, text]) => `<a href="${href}">${text}</a>`);
      same(pageOf(`<title>${words}</title>${anchors.join('')}`));
    }),
    { numRuns: 50 },
  );
});

test('digest on the line: one that broke its parser comes as such', () => {
  const page = pageOf(HTML);
  const { head, bytes } = sent(brokenDigest('it broke'), page);
  const made = digestFrom(head, bytes, page);
  assert.ok(typeof made !== 'string');
  assert.deepEqual([made.trouble, made.links.length, made.bodyBytes], ['it broke', 0, 0]);
});

test('digest on the line: what does not hang together is refused, with the reason', () => {
  const gzip = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
  const page = pageOf('', { headers: gzip, body: gzipSync(HTML) });
  const good = sent(digest(page), page);
  const wrong = (change: Partial<DigestHead>, bytes = good.bytes) =>
    String(digestFrom({ ...good.head, ...change }, bytes, page));
  assert.match(wrong({ content_hash: 'ab'.repeat(32) }), /hash/);
  assert.match(wrong({ content_hash: '' }), /hash/);
  assert.match(wrong({ body_bytes: 3 }), /not as long/);
  assert.match(wrong({ as_sent: true }), /not as long|hash/);
  assert.match(wrong({ sitemaps: 9 }), /sitemaps/);
  assert.match(wrong({}, good.bytes.subarray(1)), /parts/);
  assert.match(wrong({ parts: [0, 0, 0, 0, 0, good.bytes.length] }), /not as long/);
  assert.match(wrong({ parts: [good.bytes.length] }), /parts/);
  for (const named of [0, 2]) assert.match(wrong({ named }), /not as many links/);
  const [body = 0, trace = 0, links = 0, contexts = 0, votes = 0, times = 0] = good.head.parts;
  const ends = [votes, times];
  assert.match(wrong({ parts: [body, trace, links - 1, contexts + 1, ...ends] }), /context/);
  assert.match(wrong({ parts: [body, trace, links - 1, contexts, votes + 1, times] }), /votes/);
  assert.match(wrong({ parts: [body, trace - 1, links + 1, contexts, ...ends] }), /canonical/);
  const smaller = { ...page, decodedBytesMax: 10 };
  assert.match(String(digestFrom(good.head, good.bytes, smaller)), /more than 10/);
});

test('digest on the line: a trace that nobody could read later is refused', () => {
  const page = pageOf(HTML);
  const made = digest(page);
  const orders = ['[1]', '[-1]', '[0.5]', '["length"]', '{}', '"0"'];
  for (const trace of [
    ...['', 'x', '{"headers":{}', 'null\u0001\u0001', '[1\u0001', '{}\u0001http://a/'],
    ...['{"rels":null}\u0001\u0001', '{"kinds":7}\u0001\u0001', '{"headers":[]}\u0001\u0001'],
    ...orders.map((order) => `{"order":${order}}\u0001http://a/\u0001x`),
  ]) {
    const { head, bytes } = sent({ ...made, trace: Buffer.from(trace) }, page);
    assert.match(String(digestFrom(head, bytes, page)), /trace/, JSON.stringify(trace));
  }
});

test('digest on the line: a link that is not in its canonical form is refused', () => {
  const page = pageOf(`${HTML}<a href=/y>to y</a>`);
  const made = digest(page);
  for (const link of [
    'http://h.example',
    'HTTP://h.example/',
    'ftp://h/',
    'http://h/ü',
    'http://[/',
    '',
  ]) {
    const { head, bytes } = sent(
      {
        ...made,
        links: [link, 'http://h/'],
        contexts: Buffer.of(1, 1),
        votes: Buffer.of(),
        named: 2,
      },
      page,
    );
    assert.match(String(digestFrom(head, bytes, page)), /canonical/, link);
  }
});
