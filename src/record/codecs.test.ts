/** Rows of every kind give back what was written, and damaged or newer ones are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  blankHost,
  blankRecord,
  decodeHost,
  decodeRobots,
  decodeTrace,
  decodeUrlRecord,
  encodeHost,
  encodeRobots,
  encodeTrace,
  encodeUrlRecord,
  FLAGS,
  flagNames,
  HOST_CLASSES,
  type HostRecord,
  KINDS,
  quantised,
  URL_STATES,
  type UrlRecord,
} from './index.ts';

const PLAIN = { noNullPrototype: true } as const;
const text = fc.string({ unit: 'binary' });
const bytes = fc.uint8Array({ maxLength: 40 }).map((b) => Buffer.from(b));
const instant = fc.integer({ min: 0, max: 4e12 });
const count = fc.maxSafeNat();
const priority = fc.double({ min: 0, max: 1, noNaN: true }).map(quantised);

const print = fc.bigInt(0n, 2n ** 64n - 1n);

const urlRecords: fc.Arbitrary<UrlRecord> = fc.record(
  {
    ...{ url: text, kind: fc.constantFrom(...KINDS), state: fc.constantFrom(...URL_STATES) },
    ...{ reason: text, httpStatus: fc.nat(999), flags: fc.nat(4095), priority, depth: fc.nat() },
    ...{ hops: fc.nat(99), outside: fc.nat(99), parent: bytes, firstSeenAt: instant },
    ...{ lastFetchedAt: instant, lastChangedAt: instant, nextCrawlAt: instant, intervalMs: count },
    ...{ failCount: fc.nat(), contentHash: bytes, simhash: print, pairs: print },
    ...{ original: bytes, visits: fc.nat(), changes: fc.nat(), usage: text },
    ...{ rateShape: fc.nat().map((n) => n / 1_000), rateMs: count },
    ...{ unavailableAfter: instant },
    ...{ contentType: text, bodyBytes: count, etag: text, lastModified: text, redirectTo: text },
    ...{ title: text, remoteAddress: text, firstByteMs: fc.nat(), wholeMs: fc.nat() },
    job: fc.nat(),
    region: fc.oneof(fc.constant(''), text),
  },
  PLAIN,
);

const hostRecords: fc.Arbitrary<HostRecord> = fc.record(
  {
    ...{ host: text, lastFetchAt: fc.double({ min: 0, max: 4e12, noNaN: true }) },
    ...{ turnAt: fc.double({ min: 0, max: 4e12, noNaN: true }), crawlDelayMs: fc.nat() },
    ...{ backoff: fc.integer({ min: 256, max: 65_536 }).map((n) => n / 256), latencyMs: fc.nat() },
    ...{ errors: fc.nat(), errorsSince: instant, downs: fc.nat(), address: text },
    ...{ quotaDay: fc.nat(), fetchedToday: fc.nat(), newToday: fc.nat(), fetched: count },
    ...{ failed: count, bytes: count, authority: priority, flags: fc.nat() },
    ...{ quality: priority, inDomains: fc.nat(), hostClass: fc.constantFrom(...HOST_CLASSES) },
    ...{ changeMs: count, watchedMs: count },
  },
  PLAIN,
);

test('url record: comes back as it was written, and so does its row', () => {
  fc.assert(
    fc.property(urlRecords, (record) => {
      const row = encodeUrlRecord(record);
      assert.deepEqual(decodeUrlRecord(row), record);
      assert.deepEqual(encodeUrlRecord(decodeUrlRecord(row)), row);
    }),
  );
});

/** A row of a URL that was just named, as it was written before there were regions. */
const OLD_ROW =
  '0200000000000000000080a094a58d1d00000000000000000000000000000000000000000000000000000000' +
  '0000000011687474703a2f2f682e6578616d706c652f00000000000000';

test('url record: a row of before there were regions is read, and written, as it was', () => {
  const record = blankRecord('http://h.example/', 1e12);
  assert.equal(encodeUrlRecord(record).toString('hex'), OLD_ROW);
  assert.equal(encodeUrlRecord({ ...record, job: 7 }).toString('hex'), `${OLD_ROW}07`);
  for (const [row, job] of [
    [OLD_ROW, 0],
    [`${OLD_ROW}07`, 7],
  ] as const) {
    const read = decodeUrlRecord(Buffer.from(row, 'hex'));
    assert.deepEqual(
      [read.url, read.firstSeenAt, read.job, read.region],
      [record.url, 1e12, job, ''],
    );
  }
});

test('host record: comes back as it was written, its turn to the fraction of a millisecond', () => {
  fc.assert(
    fc.property(hostRecords, (record) => assert.deepEqual(decodeHost(encodeHost(record)), record)),
  );
});

test('host record: a pause is never shortened by being written', () => {
  const record = { ...blankHost('h.example'), crawlDelayMs: 1_000.2 };
  assert.ok(decodeHost(encodeHost(record)).crawlDelayMs >= 1_000.2);
});

test('host record: instants that are none are refused, not written', () => {
  const host = blankHost('h.example');
  for (const broken of [{ crawlDelayMs: Infinity }, { latencyMs: Number.NaN }, { errors: -1 }]) {
    assert.throws(() => encodeHost({ ...host, ...broken }), /a varint is whole/);
    assert.deepEqual(decodeHost(encodeHost(host)), host, 'and the next row is whole');
  }
});

const robots = fc.record(
  {
    ...{ origin: text, fetchedAt: instant, expiresAt: instant, status: fc.nat(999) },
    ...{ body: bytes, tries: fc.nat(9), problem: text },
  },
  PLAIN,
);

test('robots records: come back as they were written, in their order', () => {
  fc.assert(
    fc.property(fc.array(robots, { maxLength: 4 }), (records) =>
      assert.deepEqual(decodeRobots(encodeRobots(records)), records),
    ),
  );
});

test('rows: one that was cut anywhere, or has another version, is refused', () => {
  const rows = [
    [encodeUrlRecord(blankRecord('http://h.example/', 1e12)), decodeUrlRecord, 3],
    [encodeUrlRecord({ ...blankRecord('http://h.example/', 1), region: 'eu' }), decodeUrlRecord, 3],
    [encodeHost(blankHost('h.example')), decodeHost, 2],
  ] as const;
  for (const [row, decode, newest] of rows) {
    for (let length = 0; length < row.length; length++) {
      assert.throws(() => decode(row.subarray(0, length)), RangeError);
    }
    const newer = Buffer.from(row);
    newer[0] = 9;
    assert.throws(() => decode(newer), { message: new RegExp(`of version 9, not ${newest}`) });
  }
});

const line = fc.string({ unit: 'grapheme' }).map((s) => s.replaceAll('\n', ' '));
const links = fc.array(
  fc.record(
    { target: fc.webUrl(), text: line, rel: line, kind: fc.constantFrom('a', 'area') },
    PLAIN,
  ),
);

test('trace: headers and links come back in their order', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
      links,
      (headers, found) => {
        const columns = {
          targets: found.map((link) => link.target),
          texts: found.map((link) => link.text).join('\n'),
          rels: { ...found.map((link) => link.rel) },
          kinds: { ...found.map((link) => link.kind) },
        };
        const back = decodeTrace(encodeTrace(headers, columns));
        assert.deepEqual(back.links, found);
        assert.deepEqual(back.headers, JSON.parse(JSON.stringify(headers)));
      },
    ),
  );
});

test('trace: links that share targets come back each with its own, and targets are written once', () => {
  const target = `http://h.test/${'long'.repeat(20)}`;
  const columns = {
    targets: [target, 'http://h.test/b'],
    order: [0, 1, 0, 0],
    ...{ texts: 'one\ntwo\nthree\nfour', rels: { 2: 'tag' }, kinds: { 3: 'area' } },
  };
  const block = encodeTrace({}, columns);
  assert.deepEqual(
    decodeTrace(block).links.map((link) => Object.values(link)),
    [
      [target, 'one', '', 'a'],
      ['http://h.test/b', 'two', '', 'a'],
      [target, 'three', 'tag', 'a'],
      [target, 'four', '', 'area'],
    ],
  );
  assert.equal(Buffer.from(block).toString().split(target).length, 2);
  const once = { targets: ['http://h.test/a'], order: [0], texts: 'a', rels: {}, kinds: {} };
  assert.ok(!Buffer.from(encodeTrace({}, once)).includes('order'));
});

test('flags: every bit has a name of its own', () => {
  const all = Object.values(FLAGS).reduce((sum, bit) => sum | bit, 0);
  assert.deepEqual(flagNames(all), Object.keys(FLAGS));
  assert.equal(new Set(Object.values(FLAGS)).size, Object.keys(FLAGS).length);
  assert.deepEqual(flagNames(0), []);
});
