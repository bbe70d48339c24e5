import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import type { FailureReason, Outcome } from '../fetch/index.ts';
import { judge } from './judge.ts';
import { POLITE } from './policy.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const { retry } = POLITE;

function answered(status: number, headers: Record<string, string> = {}): Outcome {
  const timing = { startedAt: NOW - 10, firstByteMs: 5, wholeMs: 10 };
  const body = new Uint8Array(0);
  const rest = { remoteAddress: '192.0.2.1', httpVersion: '1.1', timing } as const;
  return { kind: 'answered', status, headers, body, ...rest };
}

function failed(reason: FailureReason): Outcome {
  return { kind: 'failed', reason, detail: 'why', startedAt: NOW - 10, endedAt: NOW };
}

function fateOf(outcome: Outcome, fails = 0, random = 0.5) {
  return judge(outcome, { fails, now: NOW, random, retry });
}

test('judge: what P2 says of each status', () => {
  const table: [status: number, state: string, sign: string, retryInMs: number | undefined][] = [
    [200, 'indexed', 'well', undefined],
    [204, 'indexed', 'well', undefined],
    [301, 'indexed', 'well', undefined],
    [304, 'indexed', 'well', undefined],
    [400, 'failed', 'well', undefined],
    [401, 'failed', 'well', 7 * DAY_MS],
    [403, 'failed', 'well', 7 * DAY_MS],
    [404, 'dead', 'well', undefined],
    [410, 'dead', 'well', undefined],
    [451, 'dead', 'well', undefined],
    [418, 'failed', 'well', undefined],
    [429, 'retrying', 'busy', 0],
    [503, 'retrying', 'busy', 0],
    [500, 'retrying', 'ill', 10_000],
    [502, 'retrying', 'ill', 10_000],
    [599, 'retrying', 'ill', 10_000],
    [100, 'retrying', 'ill', 10_000],
  ];
  for (const [status, state, sign, retryInMs] of table) {
    const fate = fateOf(answered(status));
    assert.deepEqual([fate.state, fate.sign], [state, sign], `status ${status}`);
    assert.equal(fate.retryAt, retryInMs === undefined ? 0 : NOW + retryInMs, `status ${status}`);
    if (state !== 'indexed') assert.match(fate.reason, new RegExp(String(status)));
  }
});

test('judge: Retry-After in seconds and as a date moves the next try', () => {
  const date = new Date(NOW + 90_000).toUTCString();
  for (const [header, ms] of [
    ['120', 120_000],
    [date, 90_000],
    ['0', 0],
  ] as const) {
    const fate = fateOf(answered(503, { 'retry-after': header }));
    assert.deepEqual([fate.retryAfterMs, fate.retryAt], [ms, NOW + ms]);
    assert.match(fate.reason, new RegExp(`asked for ${ms / 1_000} s`));
  }
});

test('judge: a Retry-After that is no time, or has gone by, is no pause', () => {
  const past = new Date(NOW - DAY_MS).toUTCString();
  for (const header of ['soon', '-5', '', past]) {
    assert.equal(fateOf(answered(429, { 'retry-after': header })).retryAfterMs, 0, header);
  }
});

test('judge: a Retry-After of centuries is cut to 30 days', () => {
  for (const header of ['99999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const fate = fateOf(answered(503, { 'retry-after': header }));
    assert.equal(fate.retryAt, NOW + 30 * DAY_MS);
    assert.equal(fate.retryAfterMs, 30 * DAY_MS);
  }
});

test('judge: errors back off by a factor with jitter, and end after the tries allowed', () => {
  const waits = [0, 1, 2].map((fails) => fateOf(answered(500), fails).retryAt - NOW);
  assert.deepEqual(waits, [10_000, 40_000, 160_000]);
  const early = fateOf(answered(500), 0, 0).retryAt - NOW;
  const late = fateOf(answered(500), 0, 0.999).retryAt - NOW;
  assert.ok(early === 5_000 && late > 14_900 && late < 15_000);
  const last = fateOf(answered(500), 3);
  assert.deepEqual([last.state, last.retryAt], ['failed', 0]);
  assert.match(last.reason, /4 tries/);
});

test('judge: a busy host gets more tries than a broken page', () => {
  assert.equal(fateOf(answered(503), 9).state, 'retrying');
  assert.equal(fateOf(answered(503), 10).state, 'failed');
});

test('judge: no answer is an ill host; a broken certificate is not tried again', () => {
  for (const reason of ['dns', 'connect', 'first-byte-timeout', 'closed', 'protocol'] as const) {
    const fate = fateOf(failed(reason));
    assert.deepEqual([fate.state, fate.sign], ['retrying', 'ill'], reason);
  }
  assert.deepEqual([fateOf(failed('tls')).state, fateOf(failed('tls')).sign], ['failed', 'ill']);
});

test('judge: what was not asked says nothing of the host', () => {
  const refused = fateOf({ kind: 'refused', address: '10.0.0.1', detail: 'private' });
  assert.deepEqual([refused.state, refused.sign], ['skipped', 'none']);
  assert.match(refused.reason, /10\.0\.0\.1/);
  const aborted = fateOf(failed('aborted'), 99);
  assert.deepEqual([aborted.state, aborted.sign, aborted.retryAt], ['retrying', 'none', NOW]);
});
