import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FetchEvent } from '../events/index.ts';
import { blankRecord, FLAGS } from '../record/index.ts';
import {
  type AuditEntry,
  type AuditLine,
  blockedRecord,
  CHAIN_START,
  Complied,
  chainProblem,
  cutoffsOf,
  dueOf,
  erasedEvent,
  erasedRecord,
  fitterOf,
  keepsAll,
  lineOf,
  mentionOf,
  parseLine,
  type Rule,
  Rules,
  type Subject,
} from './index.ts';

const SAID = { reason: 'because', by: 'anna', at: '2026-11-15T00:00:00.000Z', erases: false };

function rule(kind: Subject['kind'], value: string): Rule {
  return { kind, value, ...SAID };
}

const MEETINGS: readonly (readonly [Subject['kind'], string, string, boolean])[] = [
  ['url', 'http://a.example/x', 'http://a.example/x', true],
  ['url', 'http://a.example/x', 'http://a.example/x?y=1', false],
  ['host', 'a.example', 'https://a.example:8443/x', true],
  ['host', 'a.example:8080', 'http://a.example:8080/', true],
  ['host', 'a.example:8080', 'http://a.example/', false],
  ['host', 'a.example', 'http://b.a.example/', false],
  ['host', 'a.example', 'http://aa.example/', false],
  ['site', 'a.example', 'http://a.example/', true],
  ['site', 'a.example', 'https://c.b.a.example:99/x', true],
  ['site', 'a.example', 'http://ba.example/', false],
  ['pattern', 'http://a.example/p/*', 'http://a.example/p/1', true],
  ['pattern', 'http://a.example/p/*', 'http://a.example/q/p/1', false],
  ['pattern', '*/p/*/z', 'http://a.example/p/1/y/z', true],
  ['pattern', '*/p/*/z', 'http://a.example/p/z', false],
  ['pattern', 'a.example/p*', 'https://a.example/people', true],
  ['pattern', 'http://a.example/*.html', 'http://a.example/x.html?y', false],
];

test('rules: each subject meets what it means, alone and among others', () => {
  for (const [kind, value, url, isMeant] of MEETINGS) {
    const said = `${kind} ${value} and ${url}`;
    assert.equal(fitterOf({ kind, value })(url), isMeant, said);
    const rules = new Rules();
    rules.add(rule('host', 'other.example'));
    rules.add(rule(kind, value));
    assert.equal(rules.meets(url)?.value, isMeant ? value : undefined, said);
    if (isMeant) assert.ok(url.includes(mentionOf({ kind, value }).replace(/^\*/, '')), said);
    rules.remove({ kind, value });
    assert.equal(rules.meets(url), undefined, said);
  }
});

test('rules: none is one comparison, and the last one removed is none again', () => {
  const rules = new Rules();
  assert.equal(rules.isEmpty, true);
  rules.add(rule('url', 'http://a.example/'));
  assert.deepEqual([rules.isEmpty, rules.size], [false, 1]);
  rules.remove({ kind: 'url', value: 'http://a.example/' });
  assert.equal(rules.isEmpty, true);
});

test('a pattern of many stars and a long URL: answered in time that grows with the URL', () => {
  const fits = fitterOf({ kind: 'pattern', value: `http://a.example/${'a*'.repeat(200)}b` });
  assert.equal(fits(`http://a.example/${'a'.repeat(100_000)}`), false);
});

test('erased: nothing of the content is left, and where it stands in the crawl is', () => {
  const full = {
    ...blankRecord('http://a.example/', 5),
    ...{ state: 'indexed' as const, title: 'T', etag: 'E', lastModified: 'L', depth: 3 },
    ...{
      contentHash: Buffer.alloc(32, 1),
      simhash: 3n,
      pairs: 4n,
      nextCrawlAt: 99,
      httpStatus: 200,
    },
    ...{ redirectTo: 'http://b.example/', remoteAddress: '127.0.0.1', usage: 'x', bodyBytes: 9 },
  };
  const left = erasedRecord(full, { ...rule('url', full.url), erases: true });
  const { reason, state, flags, depth, ...rest } = left;
  assert.equal(state, 'skipped');
  assert.equal(flags, FLAGS.blocked | FLAGS.erased);
  assert.equal(depth, 3);
  assert.equal(reason, 'taken down by anna on 2026-11-15: because');
  const { reason: _, state: __, flags: ___, depth: ____, ...blank } = blankRecord(full.url, 5);
  assert.deepEqual(rest, blank);
  const blocked = blockedRecord(full, rule('url', full.url));
  assert.deepEqual([blocked.title, blocked.nextCrawlAt, blocked.state], ['T', 0, 'skipped']);
});

test('erased event: what politeness is proved by stays, the page and what it said are gone', () => {
  const event: FetchEvent = {
    ...{ v: 1, id: 'x', kind: 'page', url: 'http://a.example/secret', host: 'a.example' },
    ...{ address: '127.0.0.1', startedAt: 1, answeredAt: 2, endedAt: 3, delayMs: 4, status: 200 },
    ...{ bytes: 9, urlHash: 'ab'.repeat(16), title: 'secret', contentHash: 'cd'.repeat(32) },
  };
  const text = JSON.stringify(erasedEvent(event));
  assert.doesNotMatch(text, /secret|abab|cdcd/);
  const { host, startedAt, answeredAt, delayMs } = erasedEvent(event);
  assert.deepEqual({ host, startedAt, answeredAt, delayMs }, { ...pick(event) });
});

function pick({ host, startedAt, answeredAt, delayMs }: FetchEvent) {
  return { host, startedAt, answeredAt, delayMs };
}

const ENTRY: AuditEntry = {
  ...{ at: SAID.at, by: 'anna', action: 'erase', phase: 'intent', reason: 'r' },
  subject: { kind: 'url', value: 'http://a.example/' },
};

function chain(entries: readonly Partial<AuditEntry>[]): string[] {
  let head = CHAIN_START;
  return entries.map((entry) => {
    const [line, next] = lineOf({ ...ENTRY, ...entry }, head);
    head = next;
    return line;
  });
}

test('trail: any text is one visible line that is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (reason, by) => {
      const [line] = lineOf({ ...ENTRY, reason, by }, CHAIN_START);
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const parsed = parseLine(line) as AuditLine;
      assert.deepEqual([parsed.reason, parsed.by], [reason, by]);
    }),
  );
});

test('trail: a line that is changed, removed, doubled or moved is found where it is', () => {
  const lines = chain([{}, { reason: 'two' }, { reason: 'three' }, { reason: 'four' }]);
  const changed = (lines[1] as string).replace('"two"', '"2wo"');
  const cases: readonly (readonly [string, readonly string[], number])[] = [
    ['as it was', lines, 0],
    ['changed', lines.toSpliced(1, 1, changed), 2],
    ['removed', lines.toSpliced(1, 1), 2],
    ['the first removed', lines.slice(1), 1],
    ['doubled', lines.toSpliced(1, 0, lines[0] as string), 2],
    ['moved', [lines[0], lines[2], lines[1], lines[3]] as string[], 2],
    ['not JSON', lines.toSpliced(2, 1, 'hello'), 3],
    ['of another chain', lines.toSpliced(2, 1, chain([{}, {}, { by: 'x' }])[2] as string), 3],
  ];
  for (const [what, given, bad] of cases) {
    let head = CHAIN_START;
    const at = given.findIndex((text) => {
      const line = parseLine(text);
      if (chainProblem(line, head) !== undefined) return true;
      head = line as AuditLine;
      return false;
    });
    assert.equal(at + 1, bad, what);
  }
});

test('sum: denied from the intent on, ended by its outcome; holds, releases and complaints', () => {
  const sum = new Complied();
  const host: Subject = { kind: 'host', value: 'b.example' };
  const lines = chain([
    { action: 'erase', phase: 'intent' },
    { action: 'hold', phase: 'done', subject: host },
    { action: 'erase', phase: 'refused', subject: host },
    { action: 'erase', phase: 'done', of: 1 },
    { action: 'complain', phase: 'done', subject: host },
    { action: 'block', phase: 'intent' },
    { action: 'release', phase: 'done', subject: host },
  ]).map((text) => parseLine(text) as AuditLine);
  sum.take(lines[0] as AuditLine);
  assert.equal(sum.denials.meets('http://a.example/')?.erases, true);
  assert.deepEqual([...sum.pending.keys()], [1]);
  for (const line of lines.slice(1, 6)) sum.take(line);
  assert.ok(sum.holds.meets('http://b.example/'));
  assert.equal(sum.denials.meets('http://b.example/'), undefined, 'a refusal denies nothing');
  assert.deepEqual([...sum.pending.keys()], [6]);
  assert.equal(sum.denials.meets('http://a.example/')?.erases, true, 'blocked again, still erased');
  sum.take(lines[6] as AuditLine);
  assert.equal(sum.holds.isEmpty, true);
  assert.deepEqual(sum.counts, {
    head: { seq: 7, hash: lines[6]?.hash },
    complaints: 1,
    takedowns: 1,
  });
});

test('retention: due is older than its class is kept; for ever, and never fetched, never are', () => {
  const record = { ...blankRecord('http://a.example/', 1), contentHash: Buffer.alloc(32, 1) };
  const policy = { bodiesMs: 100, headersMs: 0, eventsMs: 0 };
  const due = (lastFetchedAt: number, more = {}) =>
    dueOf({ ...record, lastFetchedAt, ...more }, cutoffsOf(policy, 1_000));
  assert.deepEqual(due(899), { body: true, headers: false });
  assert.deepEqual(due(900), { body: false, headers: false });
  assert.deepEqual(due(0), { body: false, headers: false });
  assert.deepEqual(due(899, { contentHash: Buffer.alloc(0) }), { body: false, headers: false });
  assert.deepEqual(cutoffsOf(policy, 1_000), {
    ...{ bodies: 900, headers: 0, events: 0, regions: new Map() },
  });
});

test('retention: a region with a time of its own goes by that, for ever included', () => {
  const record = { ...blankRecord('http://a.example/', 1), contentHash: Buffer.alloc(32, 1) };
  const regionsMs = new Map([
    ['eu', 50],
    ['us', 0],
  ]);
  const policy = { bodiesMs: 100, headersMs: 0, eventsMs: 0, regionsMs };
  const isDue = (lastFetchedAt: number, region: string) =>
    dueOf({ ...record, lastFetchedAt, region }, cutoffsOf(policy, 1_000)).body;
  assert.deepEqual([isDue(949, 'eu'), isDue(950, 'eu')], [true, false]);
  assert.deepEqual([isDue(1, 'us'), isDue(899, 'ch'), isDue(949, '')], [false, true, false]);
  assert.equal(keepsAll({ ...policy, bodiesMs: 0, regionsMs: new Map([['us', 0]]) }), true);
  assert.equal(keepsAll({ ...policy, bodiesMs: 0 }), false);
});
