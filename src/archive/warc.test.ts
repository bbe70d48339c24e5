/** Any answer becomes records that npm's warcio reads, with digests that hold. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankRecord, FLAGS, type UrlRecord } from '../record/index.ts';
import { type Capture, capturedAt } from './capture.ts';
import { blockOf, readWarc, sha256 } from './warc.testkit.ts';
import { type CaptureRecords, captureRecords } from './warc-capture.ts';
import { warcFileName, warcinfo } from './warc-file.ts';
import { warcMember } from './warc-record.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const URL = 'https://example.com/a?b=c';
const ASKED = { 'user-agent': 'Orbweaver/1.0', accept: '*/*' };

function record(more: Partial<UrlRecord> = {}): UrlRecord {
  const fetched = { state: 'indexed', httpStatus: 200, lastFetchedAt: NOW, wholeMs: 40 } as const;
  return { ...blankRecord(URL, NOW - 9_000), ...fetched, remoteAddress: '192.0.2.7', ...more };
}

function captureOf(body: Uint8Array, headers: Capture['headers'] = {}): Capture {
  const contentHash = createHash('sha256').update(body).digest();
  return { record: record({ contentHash, bodyBytes: body.length }), headers, asked: ASKED };
}

const membersOf = ({ records }: CaptureRecords) => records.map((one) => warcMember(one));

const names = fc.oneof(
  fc.constantFrom('content-encoding', 'transfer-encoding', 'content-length', 'set-cookie', 'etag'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((name) => name.toLowerCase()),
);
const values = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('gzip', 'chunked', '7', ''));
const headers = fc.dictionary(names, values, { maxKeys: 8, noNullPrototype: true });

test('warc: any header bytes and any body: every record is read back, digests and all', async () => {
  const bodies = fc.uint8Array({ minLength: 1, maxLength: 3_000 });
  await fc.assert(
    fc.asyncProperty(headers, bodies, fc.webUrl(), async (given, body, location) => {
      const capture = captureOf(body, { ...given, location });
      const members = membersOf(captureRecords(capture, body));
      const read = await readWarc(Buffer.concat(members));
      assert.deepEqual(
        read.map(({ type }) => type),
        ['request', 'response', 'metadata'],
      );
      const response = read[1];
      assert.ok(response);
      assert.deepEqual([response.url, response.status], [URL, 200]);
      assert.deepEqual(response.payload, Buffer.from(body));
      assert.equal(response.header('WARC-Payload-Digest'), sha256(body));
      assert.equal(response.httpHeaders.get('content-length'), String(body.length));
      assert.equal(response.httpHeaders.has('transfer-encoding'), false);
      assert.equal(response.httpHeaders.has('content-encoding'), false);
      for (const [i, member] of members.entries()) {
        const { head, block } = blockOf(member);
        assert.match(head, new RegExp(`\r\nContent-Length: ${block.length}\r\n`));
        assert.equal(read[i]?.header('WARC-Block-Digest'), sha256(block));
      }
    }),
    { numRuns: 150 },
  );
});

test('warc: a head tells what is in the record, and keeps what was said of the way', async () => {
  const body = Buffer.from('<h1>decoded</h1>');
  const given = {
    ...{ 'content-encoding': 'br', 'transfer-encoding': 'chunked', 'content-length': '9' },
    ...{
      'set-cookie': 'a=1\nb=2',
      'x-odd': 'caf\u00e9\r\nInjected: yes',
      'content-type': 'text/html',
    },
  };
  const made = captureRecords(captureOf(body, given), body);
  const { block } = blockOf(warcMember(made.main as NonNullable<typeof made.main>));
  assert.deepEqual(block.toString('latin1').split('\r\n'), [
    'HTTP/1.1 200 OK',
    'x-orig-content-encoding: br',
    'x-orig-transfer-encoding: chunked',
    'x-orig-content-length: 9',
    'set-cookie: a=1',
    'set-cookie: b=2',
    'x-odd: caf\u00e9',
    'x-odd: Injected: yes',
    'content-type: text/html',
    'content-length: 16',
    '',
    '<h1>decoded</h1>',
  ]);
});

test('warc: a request says what the crawl says, to the right host and path', async () => {
  const body = Buffer.from('x');
  const [request] = await readWarc(Buffer.concat(membersOf(captureRecords(captureOf(body), body))));
  const [member] = membersOf(captureRecords(captureOf(body), body));
  const { block } = blockOf(member as Buffer);
  assert.equal(
    block.toString(),
    'GET /a?b=c HTTP/1.1\r\nhost: example.com\r\nuser-agent: Orbweaver/1.0\r\naccept: */*\r\n\r\n',
  );
  assert.equal(request?.header('WARC-Date'), new Date(NOW - 40).toISOString());
  assert.equal(request?.header('WARC-IP-Address'), '192.0.2.7');
});

test('warc: a body that was written before becomes a revisit that names it', async () => {
  const body = Buffer.from('the same');
  const first = captureRecords(captureOf(body), body);
  const { id = '', date = 0 } = first.main ?? {};
  const archived = { uri: 'https://example.com/first', date, id };
  const again = captureRecords(captureOf(body), undefined, archived);
  assert.equal(again.kind, 'repeated');
  const revisit = (await readWarc(Buffer.concat(membersOf(again))))[1];
  assert.equal(revisit?.type, 'revisit');
  assert.equal(revisit?.header('WARC-Refers-To'), id);
  assert.equal(revisit?.header('WARC-Refers-To-Target-URI'), 'https://example.com/first');
  assert.equal(revisit?.header('WARC-Refers-To-Date'), new Date(date).toISOString());
  assert.equal(revisit?.header('WARC-Payload-Digest'), sha256(body));
  assert.match(revisit?.header('WARC-Profile') ?? '', /identical-payload-digest$/);
  assert.equal(revisit?.payload.length, 0);
});

test('warc: a redirect and an error have a head of their own, and none of an earlier answer', async () => {
  const stale = { 'content-type': 'text/html', 'x-old': 'yes' };
  const moved = { httpStatus: 301, redirectTo: 'https://example.com/new' };
  for (const more of [moved, { httpStatus: 404, state: 'dead' as const }]) {
    const capture = { record: record(more), headers: stale, asked: ASKED };
    const made = captureRecords(capture, undefined);
    assert.equal(made.kind, 'head');
    const response = (await readWarc(Buffer.concat(membersOf(made))))[1];
    assert.equal(response?.status, more.httpStatus);
    assert.equal(response?.httpHeaders.has('x-old'), false);
    assert.equal(
      response?.httpHeaders.get('location') ?? '',
      more === moved ? moved.redirectTo : '',
    );
    assert.equal(response?.header('WARC-Truncated'), 'unspecified');
  }
});

test('warc: an empty page is whole, with its own headers', async () => {
  const capture = { record: record(), headers: { 'x-own': 'yes' }, asked: ASKED };
  const response = (
    await readWarc(Buffer.concat(membersOf(captureRecords(capture, undefined))))
  )[1];
  assert.equal(response?.header('WARC-Truncated'), '');
  assert.equal(response?.httpHeaders.get('x-own'), 'yes');
});

test('warc: a body that is not there is only mentioned, with the reason', async () => {
  const hash = Buffer.alloc(32, 7);
  const unread = { flags: FLAGS.truncated, reason: 'its type is not among --types' };
  const cases = [
    [{ contentHash: hash, flags: FLAGS.near_duplicate }, /nearly repeats another page/],
    [{ contentHash: hash, flags: FLAGS.noarchive }, /asks not to be archived/],
    [{ contentHash: hash, flags: FLAGS.usage_refused }, /says no to this use/],
    [{ contentHash: hash }, /could not be read/],
    [unread, /only the head/],
  ] as const;
  for (const [more, why] of cases) {
    const capture = { record: record(more), asked: ASKED, originalUrl: 'https://example.com/o' };
    const made = captureRecords(capture, undefined);
    assert.equal(made.kind, 'absent');
    const read = await readWarc(Buffer.concat(membersOf(made)));
    assert.deepEqual(
      read.map(({ type, url }) => [type, url]),
      [['metadata', URL]],
    );
    assert.match(String(read[0]?.payload), why);
    assert.match(String(read[0]?.payload), /nearDuplicateOf: https:\/\/example\.com\/o/);
  }
});

test('warc: a page that asks not to be archived is not, even where its body is at hand', () => {
  const body = Buffer.from('secret');
  const capture = captureOf(body);
  const flagged = { ...capture, record: { ...capture.record, flags: FLAGS.noarchive } };
  const archived = { uri: URL, date: NOW, id: '<urn:uuid:x>' };
  for (const made of [captureRecords(flagged, body), captureRecords(flagged, body, archived)]) {
    assert.equal(made.kind, 'absent');
    assert.ok(!Buffer.concat(made.records.flatMap(({ block }) => block)).includes('secret'));
  }
});

test('warc: a URL that was never answered leaves nothing', () => {
  const queued = { record: blankRecord(URL, NOW), asked: ASKED };
  assert.deepEqual(captureRecords(queued, undefined), { kind: 'nothing', records: [] });
});

test('warc: ids follow from what is told, and differ between records', () => {
  const body = Buffer.from('x');
  const ids = () => captureRecords(captureOf(body), body).records.map(({ id }) => id);
  assert.deepEqual(ids(), ids());
  assert.equal(new Set(ids()).size, 3);
  for (const id of ids())
    assert.match(id, /^<urn:uuid:[0-9a-f-]{13}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
});

test('warc: the instant is that of the answer, not of a later try that failed', () => {
  const failed = { state: 'retrying', contentHash: Buffer.alloc(32, 1) } as const;
  const later = record({ ...failed, lastChangedAt: NOW - 5_000, lastFetchedAt: NOW });
  assert.equal(capturedAt(later), NOW - 5_000 - 40);
  assert.equal(capturedAt(record()), NOW - 40);
});

test('warcinfo: it is first, says who and how, and a file is named as tools expect', async () => {
  const series = {
    ...{ prefix: 'orb', begunAt: NOW, machine: 'my host/1', software: 'Orbweaver/1.0' },
    ...{ userAgent: 'UA', seeds: Array.from({ length: 12 }, (_, i) => `https://s${i}.example/`) },
  };
  const name = warcFileName(series, 3);
  assert.equal(name, 'orb-20260131120000-00003-my-host-1.warc.gz');
  const [info] = await readWarc(warcMember(warcinfo(series, name)));
  assert.equal(info?.type, 'warcinfo');
  assert.equal(info?.header('WARC-Filename'), name);
  assert.match(String(info?.payload), /http-header-user-agent: UA\r\n/);
  assert.match(String(info?.payload), /s9\.example\/ and 2 more/);
});
