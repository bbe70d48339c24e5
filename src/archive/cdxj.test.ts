/** Keys and lines of the index beside those of npm's warcio. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { getSurt } from 'warcio';
import { canonicalize } from '../url/index.ts';
import { cdxjLine } from './cdxj.ts';
import { surtOf } from './surt.ts';
import { ZipNum } from './zipnum.ts';

test('surt: a host is turned round, the rest is made uniform', () => {
  const keys = [
    ['http://www.example.com/', 'com,example)/'],
    ['https://www2.example.com/A/B/', 'com,example)/a/b'],
    ['http://example.com:8080/?b=2&a=1&a', 'com,example:8080)/?a&a=1&b=2'],
    ['http://example.com/a//b', 'com,example)/a/b'],
    ['http://127.0.0.1:81/x', '1,0,0,127:81)/x'],
    ['http://[2001:db8::1]/a', '[2001:db8::1])/a'],
  ] as const;
  for (const [url, key] of keys) assert.equal(surtOf(url), key);
});

test('surt: it is the key of warcio, but for slashes that pywb takes away', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (given) => {
      const url = canonicalize(given);
      fc.pre(url !== undefined);
      const [host = '', path = ''] = getSurt(url).split(/(?<=^[^)]*\))/);
      const [place = '', query] = path.split(/\?(.*)/s);
      const bare = place.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
      assert.equal(surtOf(url), `${host}${bare}${query ? `?${query}` : ''}`);
    }),
  );
});

test('cdxj: a line says where the record is', () => {
  const place = { filename: 'a.warc.gz', offset: 12, length: 34 };
  const given = { url: 'http://e.example/', date: Date.UTC(2026, 0, 31, 12), status: 200, place };
  assert.equal(
    cdxjLine({ ...given, mime: 'text/html', digest: 'sha256:00' }),
    'example,e)/ 20260131120000 {"url":"http://e.example/","mime":"text/html","status":"200",' +
      '"digest":"sha256:00","length":"34","offset":"12","filename":"a.warc.gz"}',
  );
});

test('zipnum: each line of the small index finds its block, and all blocks all lines', () => {
  const lines = Array.from({ length: 7_001 }, (_, i) => `k${String(i).padStart(5, '0')} 2026 {}`);
  const index = new ZipNum();
  const blocks = lines.flatMap((line) => index.add(line) ?? []);
  const { block, summary } = index.end();
  const bytes = Buffer.concat([...blocks, ...(block ? [block] : [])]);
  const [meta = '', ...rows] = summary.trimEnd().split('\n');
  assert.match(meta, /^!meta 0 \{"format": "cdxj-gzip-1\.0"/);
  const found = rows.flatMap((row) => {
    const at = row.indexOf(' {');
    const { offset, length } = JSON.parse(row.slice(at + 1));
    const text = gunzipSync(bytes.subarray(offset, offset + length)).toString();
    assert.ok(text.startsWith(row.slice(0, at)), 'a block begins with its key');
    return text.trimEnd().split('\n');
  });
  assert.deepEqual(found, lines);
  assert.deepEqual(new ZipNum().end().block, undefined);
});
