/**
 * A request whose process is stopped as it connects: on waking, Node hears of the connection
 * before it looks at its timers, and no test can stop its own process there (promise 6).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../fetch/index.ts';
import { Exchange, type Surroundings } from './http-exchange.ts';

const LIMITS = {
  ...{ connectMs: 10_000, firstByteMs: 20_000, wholeMs: 60_000 },
  ...{ headerBytes: 64_000, bodyBytes: 1_000_000 },
};

function begun(at: { now: number }) {
  const ended: Outcome[] = [];
  const line = { wasIdle: false, ask: () => undefined, drop: () => undefined };
  const around = {
    clock: { now: () => at.now, sleepUntil: async () => undefined },
    deadlines: { add: () => undefined, remove: () => undefined },
    lineTo: () => line,
  } as unknown as Surroundings;
  const request = { url: 'http://a.test/', address: '127.0.0.1', headers: {}, limits: LIMITS };
  const asked = { ...request, wants: () => true };
  const exchange = new Exchange(around, asked, {} as never, undefined, (end) => ended.push(end));
  exchange.start();
  return { exchange, ended };
}

test('exchange: connected in time: the request is written', () => {
  const at = { now: 1_000 };
  const { exchange, ended } = begun(at);
  at.now += LIMITS.connectMs - 1;
  assert.equal(exchange.onAsked(), true);
  assert.deepEqual(ended, []);
});

test('exchange: it hears of its connection a minute later: nothing is written', () => {
  const at = { now: 1_000 };
  const { exchange, ended } = begun(at);
  at.now += 60_000;
  assert.equal(exchange.onAsked(), false);
  assert.equal(ended[0]?.kind === 'failed' && ended[0].reason, 'connect-timeout');
});
