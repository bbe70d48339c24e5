import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { digest } from '../content/index.ts';
import { BUILT_IN } from './built-in.ts';
import { onePage, pdfWithTable } from './pdf/pdf.testkit.ts';
import { definePlugin } from './plugin.ts';
import { typeByName } from './type-by-name.ts';
import { unwrapped } from './unwrap.ts';

const MB = 1024 * 1024;

function read(name: string, contentType: string, body: Uint8Array, decodedBytesMax = 30 * MB) {
  const url = `https://a.example/${name}`;
  const limits = { decodedBytesMax, agent: 'Orbweaver' };
  const headers = { 'content-type': contentType };
  const made = digest({ url, kind: 'page', body, headers, ...limits, markdown: {} });
  return { links: made.links, trouble: made.trouble, markdown: made.markdown };
}

test('gz: a gzipped document is asked for by its name; archives and other binaries are not', () => {
  const typeOf = (name: string, type = 'application/gzip') => typeByName(type, `https://a/${name}`);
  assert.deepEqual(
    ['s.xml.gz', 'a.pdf.gz?v=1', 'n.TXT.GZ', 'f.atom.gz'].map((name) => typeOf(name)),
    ['application/xml', 'application/pdf', 'text/plain', 'application/atom+xml'],
  );
  assert.equal(typeOf('s.xml.gz', 'application/x-gzip'), 'application/xml');
  assert.equal(typeOf('s.xml.gz', 'application/octet-stream'), 'application/xml');
  for (const name of ['code.tar.gz', 'dump.sql.gz', 'x.gz', 'data.tgz', 'photo.xml']) {
    assert.equal(typeOf(name), 'application/gzip', name);
  }
  assert.equal(typeOf('disk.img.gz', 'application/octet-stream'), 'application/octet-stream');
});

test('gz: text, PDF, feed and sitemap are read as what is inside', () => {
  const text = read('n.txt.gz', 'application/gzip', gzipSync('see https://b.example/x'));
  assert.deepEqual(text.links, ['https://b.example/x']);
  assert.equal(text.markdown, '```\nsee https://b.example/x\n```\n');
  const file = pdfWithTable(onePage('BT /F1 12 Tf 72 700 Td (at https://c.example/) Tj ET'));
  for (const type of ['application/x-gzip', 'application/octet-stream', 'application/pdf', '']) {
    assert.deepEqual(read('a.pdf.gz', type, gzipSync(file)).links, ['https://c.example/'], type);
  }
  const rss = gzipSync('<rss><channel><item><link>/one</link></item></channel></rss>');
  assert.deepEqual(read('feed.xml.gz', 'application/gzip', rss).links, ['https://a.example/one']);
  const map = gzipSync('<urlset><url><loc>https://a.example/1</loc></url></urlset>');
  assert.deepEqual(read('s.xml.gz', 'application/gzip', map).links, ['https://a.example/1']);
});

test('gz: one that is none is read as what it is; one that is damaged gives a reason', () => {
  const plain = read('n.txt.gz', 'text/plain', Buffer.from('https://b.example/'));
  assert.deepEqual([plain.links, plain.trouble], [['https://b.example/'], '']);
  const damaged = gzipSync('https://b.example/ '.repeat(99)).fill(0xff, 14, 30);
  assert.match(read('n.txt.gz', 'text/plain', damaged).trouble, /gzip|not text/);
  const binary = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7) & 255)));
  const made = read('s.xml.gz', 'application/gzip', binary);
  assert.deepEqual([made.trouble, made.markdown], ['xml: not XML, although announced', '']);
});

test('gz: a bomb gives its beginning and a reason, in bounded memory', () => {
  const bomb = gzipSync(
    Buffer.concat([Buffer.from('https://b.example/ '), Buffer.alloc(64 * MB, 97)]),
  );
  assert.ok(bomb.length < 100_000);
  const made = read('n.txt.gz', 'application/gzip', bomb, 2 * MB);
  assert.deepEqual(made.links, ['https://b.example/']);
  assert.match(made.trouble, /^gzip: too large/);
});

test('gz: a plugin of the user that reads gzip is given it as it is', () => {
  const own = definePlugin({ name: 'own', types: ['application/gzip'], read: () => ({}) });
  const body = gzipSync('words');
  const page = { url: 'https://a.example/n.txt.gz', mediaType: 'application/gzip' };
  const made = unwrapped([own, ...BUILT_IN], body, page, MB);
  assert.deepEqual([made.plugin, made.page.body], [own, body]);
});
