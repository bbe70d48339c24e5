/** An exchange becomes records that hold what was sent, and pass the strict check. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Exchanged, exchangeMember, exchangeRecords, type Known } from './exchange.ts';
import { storedMember } from './gzip-member.ts';
import { MemberStream } from './member-stream.ts';
import { sentHead } from './sent-head.ts';
import { readWarc, sha256 } from './warc.testkit.ts';
import { checkWarc } from './warc-check.testkit.ts';
import { fieldOf, httpMessageIn, targetOf } from './warc-read.ts';

const NOW = Date.UTC(2026, 0, 31, 12) + 0.25;
const HEAD = 'HTTP/1.1 200 Fine\r\nX-B: \xe9\r\nContent-Type: text/html\r\nx-a:1\r\n\r\n';

type Change = Partial<Omit<Exchanged, 'answer'>> & {
  readonly answer?: Partial<Exchanged['answer']>;
};

function exchanged({ answer, ...more }: Change = {}): Exchanged {
  return {
    url: 'http://example.com/a?b',
    asked: { 'user-agent': 'Orb/1' },
    body: Buffer.from('<p>hello'),
    about: { title: 'A\ntitle', depth: '0' },
    ...more,
    answer: {
      ...{ kind: 'answered', status: 200, headers: { 'content-type': 'text/html' }, head: HEAD },
      ...{ remoteAddress: '192.0.2.1', httpVersion: '1.1' },
      timing: { startedAt: NOW, firstByteMs: 3.5, wholeMs: 7.4 },
      ...answer,
    },
  };
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function fileOf(given: Exchanged, known?: Known): Buffer {
  const { records } = exchangeRecords(given, hashOf(given.body), known);
  return Buffer.concat(records.map((record) => exchangeMember(record, given)));
}

function only(file: Buffer, type: string) {
  const { records, problems } = checkWarc(file);
  assert.deepEqual(problems, []);
  const [record, ...more] = records.filter((one) => one.type === type);
  assert.ok(record !== undefined && more.length === 0, `one ${type}`);
  const field = (name: string) => fieldOf(record.fields, name);
  return { record, field, block: record.block.toString('latin1') };
}

test('exchange: head and body stand there byte for byte, with request and metadata', () => {
  const file = fileOf(exchanged());
  assert.deepEqual(
    checkWarc(file).records.map(({ type }) => type),
    ['request', 'response', 'metadata'],
  );
  const response = only(file, 'response');
  assert.equal(response.block, `${HEAD}<p>hello`);
  assert.equal(response.field('WARC-Payload-Digest'), sha256(Buffer.from('<p>hello')));
  assert.equal(response.field('WARC-IP-Address'), '192.0.2.1');
  assert.equal(response.field('WARC-Protocol'), 'http/1.1');
  assert.equal(response.field('WARC-Date'), '2026-01-31T12:00:00.000Z');
  const request = only(file, 'request');
  assert.match(request.block, /^GET \/a\?b HTTP\/1\.1\r\nhost: example\.com\r\n/);
  assert.equal(request.field('WARC-Concurrent-To'), response.field('WARC-Record-ID'));
  const { block } = only(file, 'metadata');
  assert.match(block, /fetchTimeMs: 7\r\nfirstByteMs: 4\r\ntitle: A title\r\ndepth: 0\r\n/);
});

test('exchange: chunks are undone, the field that told of them is kept under another name', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: br\r\n\r\n';
  const headers = { 'transfer-encoding': 'chunked', 'content-encoding': 'br' };
  const body = brotliCompressSync('x'.repeat(5_000));
  const { block } = only(fileOf(exchanged({ body, answer: { head, headers } })), 'response');
  const lines = [
    ...['HTTP/1.1 200 OK', 'X-Orig-Transfer-Encoding: chunked', 'Content-Encoding: br'],
    ...[`Content-Length: ${body.length}`, '', body.toString('latin1')],
  ];
  assert.equal(block, lines.join('\r\n'));
});

test('exchange: a body that was cut says so, and its length is that of what is there', () => {
  const reasons = { 'body-limit': 'length', 'time-limit': 'time', 'length-mismatch': 'disconnect' };
  for (const [truncated, named] of Object.entries(reasons)) {
    const answer = {
      truncated: truncated as 'body-limit',
      head: 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n',
      headers: { 'content-length': '99' },
    };
    const { field, block } = only(fileOf(exchanged({ answer })), 'response');
    assert.equal(field('WARC-Truncated'), named);
    assert.match(block, /X-Orig-Content-Length: 99\r\nContent-Length: 8\r\n\r\n<p>hello$/);
  }
});

test('exchange: a head that no strict reader takes, and one of HTTP/2, is written anew', () => {
  const headers = { 'x-a': '1', 'set-cookie': 'a=1\nb=2' };
  const anew = 'HTTP/1.1 404 Not Found\r\nx-a: 1\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n\r\n';
  const odd = [
    'HTTP/1.1 404 Not Found\nX-A: 1\n\n',
    'HTTP/1.1 404 Not Found\r\nX-A: 1\r\n folded\r\n\r\n',
    'HTTP/1.1 404 Not Found\r\nno field\r\n\r\n',
    'HTTP/7 404 Not Found\r\nX-A: 1\r\n\r\n',
    'HTTP/1.1 404\r\nX-A: 1\r\n\r\n',
    undefined,
  ];
  for (const head of odd) {
    const { head: _, ...answer } = exchanged({ answer: { status: 404, headers } }).answer;
    const sent = sentHead({ ...answer, ...(head !== undefined && { head }) }, undefined);
    assert.equal(sent.toString('latin1'), anew, String(head));
  }
});

test('exchange: a payload that is there already becomes a revisit that names it', () => {
  const first = { uri: 'http://example.com/1', date: NOW - 9_000.25, id: '<urn:uuid:1>' };
  const { field, block } = only(fileOf(exchanged(), { repeats: first }), 'revisit');
  assert.match(field('WARC-Profile') ?? '', /identical-payload-digest$/);
  assert.equal(field('WARC-Refers-To'), first.id);
  assert.equal(field('WARC-Refers-To-Target-URI'), first.uri);
  assert.equal(field('WARC-Refers-To-Date'), '2026-01-31T11:59:51.000Z');
  assert.equal(field('WARC-Payload-Digest'), sha256(Buffer.from('<p>hello')));
  assert.equal(block, HEAD, 'a head and no body');
});

test('exchange: 304 is a revisit of the last answer, an answer over TLS names its cipher', () => {
  const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256' };
  const head = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\nETag: "e"\r\n\r\n';
  const answer = { status: 304, tls, head, headers: { 'content-length': '500', etag: '"e"' } };
  const given = exchanged({ answer, body: Buffer.alloc(0), before: NOW - 86_400_000.25 });
  const { field, block } = only(fileOf(given), 'revisit');
  assert.match(field('WARC-Profile') ?? '', /server-not-modified$/);
  assert.equal(field('WARC-Refers-To-Date'), '2026-01-30T12:00:00.000Z');
  assert.equal(field('WARC-Cipher-Suite'), tls.cipher);
  assert.equal(block, head);
});

test('exchange: a page that asks to be left out is only mentioned, and why', () => {
  const file = fileOf(exchanged({ withheld: 'the page asks not to be archived' }));
  assert.equal(checkWarc(file).records.length, 1);
  const { block, field } = only(file, 'metadata');
  assert.match(block, /body: not kept: the page asks not to be archived/);
  assert.equal(field('WARC-Concurrent-To'), undefined);
  assert.doesNotMatch(gunzipSync(file).toString(), /hello/);
});

test('exchange: metadata says who named the page and where it leads to, as Heritrix does', () => {
  const links = [
    { target: 'http://example.com/a?b=1&c=2', kind: 'a' },
    { target: 'http://example.com/frame', kind: 'iframe' },
    { target: 'http://x.test/', kind: 'odd kind' },
  ];
  const outlinks = { links, redirectTo: '' };
  const via = 'http://example.com/from';
  const { block } = only(fileOf(exchanged({ outlinks }), { via }), 'metadata');
  assert.ok(block.startsWith('via: http://example.com/from\r\nstatus: 200\r\n'), block);
  assert.deepEqual(
    block.split('\r\n').filter((line) => line.startsWith('outlink')),
    [
      'outlink: http://example.com/a?b=1&c=2 L a/@href',
      'outlink: http://example.com/frame E iframe/@src',
      'outlink: http://x.test/ L odd-kind',
    ],
  );
  const moved = exchanged({ outlinks: { redirectTo: 'http://example.com/new' } });
  assert.match(
    only(fileOf(moved), 'metadata').block,
    /\r\noutlink: http:\/\/example\.com\/new R Location:\r\n$/,
  );
  const kept = only(fileOf(exchanged({ outlinks, withheld: 'it asks' })), 'metadata').block;
  assert.doesNotMatch(kept, /outlink/, 'the links are a part of what must not be kept');
});

test('exchange: a body that was cut and is there already says that it was cut', () => {
  const repeats = { uri: 'http://example.com/1', date: NOW, id: '<urn:uuid:1>' };
  const given = exchanged({ answer: { truncated: 'time-limit' } });
  assert.equal(only(fileOf(given, { repeats }), 'revisit').field('WARC-Truncated'), 'time');
});

test('exchange: a picture of the page is a resource beside the answer', async () => {
  const picture = Buffer.from('PNG'.repeat(2_000));
  const file = fileOf(exchanged({ picture }));
  const { field, record } = only(file, 'resource');
  assert.deepEqual(record.block, picture);
  assert.equal(field('Content-Type'), 'image/png');
  assert.equal(field('WARC-Target-URI'), 'urn:view:http://example.com/a?b');
  assert.equal(field('WARC-Concurrent-To'), only(file, 'response').field('WARC-Record-ID'));
  assert.equal((await readWarc(file)).length, 4);
  assert.equal(checkWarc(file).records.at(-1)?.type, 'metadata', 'which ends an exchange');
});

test('exchange: through a proxy there is no address to name', () => {
  const file = fileOf(exchanged({ answer: { remoteAddress: 'proxy.test:8080' } }));
  assert.equal(only(file, 'response').field('WARC-IP-Address'), undefined);
});

const bytes = fc.string({ unit: 'binary', maxLength: 60 });

test('exchange: whatever a server sends, all records pass the strict check and warcio reads them', async () => {
  const headers = fc.dictionary(bytes, bytes, { maxKeys: 5, noNullPrototype: true });
  const heads = fc.oneof(
    fc.constant(HEAD),
    bytes,
    bytes.map((text) => `HTTP/1.1 200 ${text}\r\n\r\n`),
  );
  const large = fc.nat(140_000).map((bytes) => Buffer.alloc(bytes, 'abc'));
  const bodies = fc.oneof(fc.uint8Array({ maxLength: 200 }), large);
  const cases = fc.asyncProperty(
    heads,
    headers,
    bodies,
    fc.webUrl(),
    async (head, fields, body, url) => {
      const file = fileOf(
        exchanged({ url, body: Buffer.from(body), answer: { head, headers: fields } }),
      );
      const { records, problems } = checkWarc(file);
      assert.deepEqual(problems, []);
      const [, response] = records;
      assert.ok(response);
      assert.equal(targetOf(response), url);
      assert.ok(httpMessageIn(response)?.body.equals(body), 'the body as we read it');
      const theirs = await readWarc(file);
      assert.deepEqual(
        theirs.map(({ type }) => type),
        ['request', 'response', 'metadata'],
      );
      assert.ok(theirs[1]?.payload.equals(body), 'the body as warcio reads it');
    },
  );
  await fc.assert(cases, { numRuns: 60 });
});

test('members: read in pieces of any size they are the same, and a cut one is never told', () => {
  const file = Buffer.concat([fileOf(exchanged()), storedMember([Buffer.alloc(200_000, 'x')])]);
  const cases = fc.property(
    fc.integer({ min: 1, max: 9_000 }),
    fc.nat(file.length),
    (size, cut) => {
      const stream = new MemberStream();
      const ends: number[] = [];
      for (let at = 0; at < cut; at += size) {
        for (const member of stream.feed(file.subarray(at, Math.min(cut, at + size)))) {
          ends.push(member.at + member.length);
          assert.deepEqual(gunzipSync(member.raw), member.bytes);
        }
      }
      for (const member of stream.last()) ends.push(member.at + member.length);
      assert.deepEqual(
        ends,
        WHOLE.filter((end) => end <= cut),
      );
      assert.equal(stream.fault === undefined, cut === 0 || WHOLE.includes(cut));
    },
  );
  const WHOLE = [...new MemberStream().feed(file)].map(({ at, length }) => at + length);
  assert.equal(WHOLE.at(-1), file.length);
  fc.assert(cases, { numRuns: 60 });
});
