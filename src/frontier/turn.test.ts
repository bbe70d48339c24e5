import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/instant.ts';
import { POLITE, type Politeness } from './policy.ts';
import {
  addressDelayMsOf,
  delayMsOf,
  type Exchange,
  exchangeOf,
  type Manners,
  noteExchange,
} from './turn.ts';

const NOW = Date.UTC(2026, 0, 2);

function stranger(): Manners {
  const times = { turnAt: 0, lastFetchAt: 0, errorsSince: 0 };
  return { ...times, crawlDelayMs: 0, backoff: 1, latencyMs: 0, errors: 0, downs: 0 };
}

function exchange(at: number, more: Partial<Exchange> = {}): Exchange {
  return { startedAt: at, answeredAt: at, endedAt: at, sign: 'well', retryAfterMs: 0, ...more };
}

function after(exchanges: readonly Exchange[], policy: Politeness = POLITE, host = stranger()) {
  for (const one of exchanges) noteExchange('h.example', host, one, policy);
  return host;
}

test('turn: the pause counts from the first byte, but not before the last', () => {
  const quick = after([exchange(NOW, { answeredAt: NOW + 100, endedAt: NOW + 200 })]);
  assert.equal(quick.turnAt, NOW + 1_100);
  const long = after([exchange(NOW, { answeredAt: NOW + 100, endedAt: NOW + 9_000 })]);
  assert.equal(long.turnAt, NOW + 9_000);
});

test('turn: a Crawl-delay replaces the default, longer or shorter; an agreed pause replaces both', () => {
  for (const crawlDelayMs of [200, 30_000]) {
    const host = after([exchange(NOW)], POLITE, { ...stranger(), crawlDelayMs });
    assert.equal(host.turnAt, NOW + crawlDelayMs);
  }
  const agreed = { ...POLITE, delayMsByHost: new Map([['h.example', 50]]) };
  const host = after([exchange(NOW)], agreed, { ...stranger(), crawlDelayMs: 30_000 });
  assert.equal(host.turnAt, NOW + 50);
  assert.equal(addressDelayMsOf('h.example', agreed), 50);
  assert.equal(addressDelayMsOf('other.example', agreed), 1_000);
});

test('turn: each 429 or 503 doubles the pause up to the longest, and success decays it', () => {
  const host = stranger();
  const pauses = Array.from({ length: 12 }, () => {
    after([exchange(NOW, { sign: 'busy' })], POLITE, host);
    return delayMsOf('h.example', host, POLITE);
  });
  assert.deepEqual(pauses.slice(0, 4), [2_000, 4_000, 8_000, 16_000]);
  assert.equal(pauses.at(-1), 256_000);
  const slower = { ...POLITE, delayMsMax: MINUTE_MS };
  assert.equal(delayMsOf('h.example', host, slower), MINUTE_MS);
  for (let i = 0; i < 30; i++) after([exchange(NOW)], POLITE, host);
  assert.equal(delayMsOf('h.example', host, POLITE), 1_000);
});

test('turn: Retry-After counts from the end of the answer and is never shortened', () => {
  const busy = exchange(NOW, { sign: 'busy', endedAt: NOW + 300, retryAfterMs: 60_000 });
  assert.equal(after([busy]).turnAt, NOW + 60_300);
  assert.equal(after([busy, exchange(NOW + 1_000)]).turnAt, NOW + 60_300);
});

test('turn: a host that answers slowly is asked more slowly, up to the longest pause', () => {
  const slow = (at: number) => exchange(at, { answeredAt: at + 5_000, endedAt: at + 5_000 });
  const host = after(Array.from({ length: 30 }, (_, i) => slow(NOW + i * 60_000)));
  const pause = delayMsOf('h.example', host, POLITE);
  assert.ok(pause > 9_900 && pause <= 10_000, `${pause}`);
  assert.equal(delayMsOf('h.example', { ...host, latencyMs: DAY_MS }, POLITE), 10 * MINUTE_MS);
});

test('turn: the fifth error in a row finds the host down for an hour, then two, up to a day', () => {
  const ill = exchange(NOW, { sign: 'ill' });
  assert.equal(after(Array(4).fill(ill)).turnAt, NOW + 1_000);
  const host = stranger();
  const pauses = Array.from({ length: 7 }, () => {
    after(Array(5).fill(ill), POLITE, host);
    return (host.turnAt - NOW) / HOUR_MS;
  });
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 24, 24]);
});

test('turn: errors more than a day after the first, or before a success, do not add up', () => {
  const errors = (n: number, at: number) => Array(n).fill(exchange(at, { sign: 'ill' }));
  const later = NOW + DAY_MS + 1;
  assert.equal(after([...errors(4, NOW), ...errors(1, later)]).turnAt, later + 1_000);
  const mended = [...errors(4, NOW), exchange(NOW), ...errors(4, NOW)];
  assert.equal(after(mended).turnAt, NOW + 1_000);
});

test('turn: without politeness there is no pause, but Retry-After holds', () => {
  const rude = { ...POLITE, delayMs: 0 };
  const host = { ...stranger(), crawlDelayMs: 9_000 };
  assert.equal(after([exchange(NOW, { sign: 'busy' })], rude, host).turnAt, NOW);
  const busy = exchange(NOW, { sign: 'busy', retryAfterMs: 2_000 });
  assert.equal(after([busy], rude, host).turnAt, NOW + 2_000);
});

test('turn: an instant that is none is a bug found here, not a host that never wakes', () => {
  assert.throws(() => after([exchange(NOW, { answeredAt: Number.NaN })]), /comes at an instant/);
  assert.throws(() => after([exchange(NOW, { retryAfterMs: Infinity })]), /comes at an instant/);
});

test('exchange: times come from the answer; what was refused is no exchange', () => {
  const fate = { state: 'indexed', reason: '', sign: 'well', retryAt: 0, retryAfterMs: 7 } as const;
  const failed = {
    kind: 'failed',
    reason: 'closed',
    detail: '',
    startedAt: 1,
    endedAt: 9,
  } as const;
  const common = { sign: 'well', retryAfterMs: 7 };
  assert.deepEqual(exchangeOf(failed, fate), {
    ...{ startedAt: 1, answeredAt: 9, endedAt: 9 },
    ...common,
  });
  assert.equal(exchangeOf({ kind: 'refused', address: '', detail: '' }, fate), undefined);
});
