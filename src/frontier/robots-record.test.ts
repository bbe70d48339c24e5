import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import type { Outcome } from '../fetch/index.ts';
import type { RobotsRecord } from '../record/index.ts';
import { POLITE } from './policy.ts';
import { robotsRecord } from './robots-record.ts';
import { readRobots, rulesOf } from './robots-rules.ts';
import { robotsVerdict } from './robots-verdict.ts';

const NOW = Date.UTC(2026, 0, 2);
const ORIGIN = 'http://h.example';
const FORBIDS = Buffer.from('User-agent: *\nDisallow: /x\n');

function answered(status: number, body: Uint8Array = FORBIDS, encoding = ''): Outcome {
  const headers = encoding === '' ? {} : { 'content-encoding': encoding };
  const timing = { startedAt: NOW, firstByteMs: 1, wholeMs: 1 };
  const rest = { remoteAddress: '192.0.2.1', httpVersion: '1.1', timing } as const;
  return { kind: 'answered', status, headers, body, ...rest };
}

const SILENT: Outcome = {
  ...{ kind: 'failed', reason: 'connect', detail: '', startedAt: NOW, endedAt: NOW },
};

const read = (outcome: Outcome, before?: RobotsRecord, now = NOW) =>
  robotsRecord(ORIGIN, outcome, before, now, POLITE);
const verdict = (record: RobotsRecord, path: string) =>
  robotsVerdict({ record, rules: rulesOf(record) }, 'Orbweaver', ORIGIN + path);

test('robots: a file that was read holds for a day, whatever its encoding', () => {
  for (const outcome of [answered(200), answered(200, gzipSync(FORBIDS), 'gzip')]) {
    const { record, retryAt } = read(outcome);
    assert.deepEqual([record.expiresAt - NOW, retryAt, record.tries], [DAY_MS, 0, 0]);
    assert.deepEqual(Buffer.from(record.body), FORBIDS);
    assert.equal(verdict(record, '/a'), undefined);
    const forbidden = verdict(record, '/x');
    assert.match(forbidden?.reason ?? '', /line 2 forbids it: Disallow: \/x/);
    assert.equal(forbidden?.until, 0);
  }
});

test('robots: 4xx and a redirect without an end are no rules; their bodies are not kept', () => {
  for (const status of [301, 401, 403, 404, 410]) {
    const { record } = read(answered(status));
    assert.equal(record.body.length, 0);
    assert.equal(verdict(record, '/x'), undefined, `status ${status}`);
  }
});

test('robots: whoever wants no retries has none for robots.txt', () => {
  const times = (retries: number) => {
    const policy = { ...POLITE, retry: { ...POLITE.retry, times: retries } };
    let before: RobotsRecord | undefined;
    for (let tries = 1; ; tries++) {
      before = robotsRecord(ORIGIN, SILENT, before, NOW, policy).record;
      if (before.expiresAt > NOW) return tries;
    }
  };
  assert.deepEqual([0, 1, 2, 3, 100].map(times), [1, 2, 3, 3, 3]);
});

test('robots: a busy host has its own number of tries, whatever is asked for others', () => {
  const policy = { ...POLITE, retry: { ...POLITE.retry, times: 0 } };
  const tried = (status: number) =>
    robotsRecord(ORIGIN, answered(status), undefined, NOW, policy).record.expiresAt === NOW;
  assert.deepEqual([429, 503, 500, 502].map(tried), [true, true, false, false]);
});

test('robots: what another node has not read yet is looked for again, whatever is asked', () => {
  const policy = { ...POLITE, retry: { ...POLITE.retry, times: 0 } };
  const { record, retryAt } = robotsRecord(ORIGIN, SILENT, undefined, NOW, policy, true);
  assert.deepEqual([record.expiresAt, record.tries, retryAt], [NOW, 1, NOW + 10_000]);
});

test('robots: no answer, 429 and 5xx are tried three times, then nothing is allowed for an hour', () => {
  for (const outcome of [SILENT, answered(429), answered(500), answered(503)]) {
    const first = read(outcome);
    const second = read(outcome, first.record);
    const third = read(outcome, second.record);
    const waits = [first, second, third].map(({ retryAt }) => retryAt && retryAt - NOW);
    assert.deepEqual(waits, [10_000, 40_000, 0]);
    assert.deepEqual([first.record.expiresAt, second.record.expiresAt], [NOW, NOW]);
    assert.equal(third.record.expiresAt, NOW + HOUR_MS);
    const forbidden = verdict(third.record, '/a');
    assert.match(forbidden?.reason ?? '', /could not be read \((connect: .*|429|50\d)\)/);
    assert.equal(forbidden?.until, NOW + HOUR_MS);
    assert.equal(read(outcome, third.record).retryAt, NOW + 10_000, 'and the count starts anew');
  }
});

test('robots: an address that may not be asked is told at once, by its name', () => {
  const outcome = { kind: 'refused', address: '10.0.0.1', detail: 'private' } as const;
  const { record, retryAt } = read(outcome);
  assert.equal(retryAt, 0);
  assert.match(
    verdict(record, '/a')?.reason ?? '',
    /address 10\.0\.0\.1 may not be asked: private/,
  );
});

test('robots: after a failure a good answer forgets the tries', () => {
  const { record } = read(answered(200), read(SILENT).record);
  assert.equal(record.tries, 0);
});

test('robots: hosts with the same file share its rules and its bytes, others do not', () => {
  const read = (origin: string, text: string, status = 200) =>
    readRobots({
      ...{ origin, fetchedAt: NOW, expiresAt: NOW + DAY_MS, status, tries: 0, problem: '' },
      body: Buffer.from(text),
    });
  const one = read('http://a.example', 'User-agent: *\nDisallow: /x');
  const same = read('http://b.example', 'User-agent: *\nDisallow: /x');
  const other = read('http://c.example', 'User-agent: *\nDisallow: /y');
  assert.equal(same.rules, one.rules);
  assert.equal(same.record.body, one.record.body);
  assert.deepEqual(
    [same.record.origin, Buffer.from(other.record.body).toString()],
    ['http://b.example', 'User-agent: *\nDisallow: /y'],
  );
  assert.ok(!other.rules.isAllowed('Orbweaver', '/y').allowed);
  assert.ok(read('http://d.example', 'User-agent: *\nDisallow: /x', 404).rules.isAllowed('', '/x'));
  for (let n = 0; n < 3_000; n++) read('http://e.example', `User-agent: *\nDisallow: /${n}`);
  assert.ok(!one.rules.isAllowed('Orbweaver', '/x').allowed, 'who has rules keeps them');
});
