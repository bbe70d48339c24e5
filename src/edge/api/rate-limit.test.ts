/** The limit of requests for each client address (A3), under the test's own clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimit } from './rate-limit.ts';

const START = 1_000_000;

test('rate limit: two seconds may come at once, then the rate holds', () => {
  const limit = new RateLimit(5);
  const taken = Array.from({ length: 11 }, () => limit.take('192.0.2.1', START));
  assert.deepEqual(taken, [...Array(10).fill(0), 1]);
  assert.equal(limit.take('192.0.2.1', START + 100), 1);
  assert.equal(limit.take('192.0.2.1', START + 200), 0);
  assert.equal(limit.take('192.0.2.1', START + 200), 1);
});

test('rate limit: clients do not spend what is others', () => {
  const limit = new RateLimit(1);
  for (let i = 0; i < 3; i++) limit.take('192.0.2.1', START);
  assert.ok(limit.take('192.0.2.1', START) > 0);
  assert.equal(limit.take('192.0.2.2', START), 0);
});

test('rate limit: an IPv6 network of 64 bits is one client', () => {
  const limit = new RateLimit(1);
  const from = (end: string) => limit.take(`2001:db8:1:2:${end}`, START);
  assert.deepEqual([from('0:0:0:1'), from('0:0:0:2')], [0, 0]);
  assert.ok(from('a:b:c:d') > 0);
});

test('rate limit: a clock that stands still or goes back lets nobody in for free', () => {
  const limit = new RateLimit(1);
  assert.deepEqual([limit.take('a', START), limit.take('a', START)], [0, 0]);
  assert.ok(limit.take('a', START - 60_000) > 0);
});
