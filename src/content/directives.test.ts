import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import { blankRecord, FLAGS, flagNames, NO_BYTES, type UrlRecord } from '../record/index.ts';
import { NO_USAGE, parseUsage } from '../robots/index.ts';
import { digest } from './digest.ts';
import {
  directedRecord,
  directivesOf,
  keepsBody,
  NO_DIRECTIVES,
  type Sayings,
} from './directives.ts';

const NOW = Date.UTC(2026, 5, 1);
const AGENT = 'Orbweaver';
const RECORD: UrlRecord = {
  ...blankRecord('https://a.example/x', NOW),
  ...{ state: 'indexed', httpStatus: 200, nextCrawlAt: NOW + 7 * DAY_MS },
  contentHash: Buffer.alloc(32, 1),
};

function said(headers: Record<string, string>, more: Partial<Sayings> = {}): UrlRecord {
  const directives = directivesOf(headers, [], AGENT);
  const page = { headers, directives };
  return directedRecord(RECORD, { page, robots: NO_USAGE, purposes: [], now: NOW, ...more });
}

test('directives: each leaves its flag, and none leaves two', () => {
  const cases = [
    ['noindex', ['noindex']],
    ['nofollow', ['nofollow']],
    ['none', ['noindex', 'nofollow']],
    ['noarchive', ['noarchive']],
    ['orbweaver: noarchive, otherbot: noindex', ['noarchive']],
    ['otherbot: none\nnofollow', ['nofollow']],
    ['all', []],
  ] as const;
  for (const [tag, flags] of cases) {
    assert.deepEqual(flagNames(said({ 'x-robots-tag': tag }).flags), flags, tag);
  }
});

test('directives: what a page no longer says is forgotten, what is no directive stays', () => {
  const before = { ...RECORD, flags: FLAGS.noindex | FLAGS.noarchive | FLAGS.truncated };
  const page = { headers: {}, directives: NO_DIRECTIVES };
  const after = directedRecord(before, { page, robots: NO_USAGE, purposes: [], now: NOW });
  assert.deepEqual(flagNames(after.flags), ['truncated']);
});

test('directives: noarchive says in the record that the text is not kept', () => {
  const record = said({ 'x-robots-tag': 'noarchive' });
  assert.equal(record.reason, 'noarchive: its text is not kept');
  assert.equal(keepsBody(record), false);
  assert.equal(keepsBody(said({ 'x-robots-tag': 'noindex' })), true);
});

test('directives: an answer without a text has none that could be kept', () => {
  const gone = { ...RECORD, contentHash: NO_BYTES, reason: 'the server answered 404' };
  const headers = { 'x-robots-tag': 'noarchive' };
  const page = { headers, directives: directivesOf(headers, [], AGENT) };
  const record = directedRecord(gone, { page, robots: NO_USAGE, purposes: [], now: NOW });
  assert.equal(record.reason, 'the server answered 404');
});

test('unavailable_after: noted; the next visit counts only if it comes before', () => {
  const after = (date: string) => said({ 'x-robots-tag': `unavailable_after: ${date}` });
  const later = after('2026-08-01');
  assert.equal(later.unavailableAfter, Date.UTC(2026, 7, 1));
  assert.deepEqual([later.nextCrawlAt, later.flags], [RECORD.nextCrawlAt, 0]);
  assert.equal(after('2026-06-03').nextCrawlAt, 0, 'the visit would come too late');
  const past = after('2026-05-31');
  assert.deepEqual([past.nextCrawlAt, flagNames(past.flags)], [0, ['noindex']]);
  assert.equal(after('1 Jan 1950').unavailableAfter, 1, 'before 1970 is said all the same');
});

test('unavailable_after: 304 keeps what was said, and time goes on', () => {
  const known = {
    ...RECORD,
    unavailableAfter: NOW - 1,
    usage: 'search=no',
    flags: FLAGS.noarchive,
  };
  const sayings = { page: undefined, robots: NO_USAGE, purposes: [], now: NOW };
  const record = directedRecord(known, sayings);
  assert.deepEqual(flagNames(record.flags), ['noindex', 'noarchive']);
  assert.deepEqual([record.usage, record.nextCrawlAt], ['search=no', 0]);
});

test('usage: robots.txt, both headers and noai add up in the record', () => {
  const robots = parseUsage('content-usage', 'search=y, train-ai=y', 'robots.txt line 2 (…)');
  const headers = { 'content-signal': 'ai-input=no', 'x-robots-tag': 'noai' };
  assert.equal(said(headers, { robots }).usage, 'ai-input=no, ai-train=no, search=yes');
  assert.equal(said({}).usage, '');
});

test('usage: without a purpose all is kept; with one that is refused nothing is', () => {
  const headers = { 'content-usage': 'train-ai=n, search=y' };
  assert.equal(keepsBody(said(headers)), true);
  assert.equal(keepsBody(said(headers, { purposes: ['search'] })), true);
  const refused = said(headers, { purposes: ['search', 'ai-train'] });
  assert.equal(keepsBody(refused), false);
  assert.deepEqual(flagNames(refused.flags), ['usage_refused']);
  assert.equal(
    refused.reason,
    'the content-usage header says no to ai-train, which this crawl is for: its text is not kept',
  );
});

test('any type: headers count on images, sitemaps, broken parsers and bare headers alike', () => {
  const limits = { decodedBytesMax: 1_000_000, agent: AGENT };
  const body = Buffer.from('%PDF-1.7');
  for (const [kind, type] of [
    ['page', 'application/pdf'],
    ['page', 'image/png'],
    ['sitemap', 'application/xml'],
    ['page', 'text/html'],
  ] as const) {
    const headers = { 'content-type': type, 'x-robots-tag': 'none, noarchive' };
    const { directives } = digest({ url: 'https://a.example/f', kind, body, headers, ...limits });
    const { noindex, nofollow, noarchive } = directives;
    assert.deepEqual([noindex, nofollow, noarchive], [true, true, true], type);
  }
});

test('links: nofollow, ugc and sponsored are recorded and not followed', () => {
  const html = ['nofollow', 'UGC', 'noopener Sponsored', 'author', 'nofollower']
    .map((rel, i) => `<a rel="${rel}" href="/${i}">x</a>`)
    .join('');
  const headers = { 'content-type': 'text/html' };
  const page = {
    url: 'https://a.example/',
    kind: 'page',
    body: Buffer.from(html),
    headers,
  } as const;
  const made = digest({ ...page, decodedBytesMax: 1_000_000, agent: AGENT });
  assert.deepEqual(made.links, ['https://a.example/3', 'https://a.example/4']);
  const trace = Buffer.from(made.trace).toString();
  for (let i = 0; i < 5; i++) assert.match(trace, new RegExp(`https://a.example/${i}\\b`));
});
