import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlError } from '../base/errors.ts';
import { clockCheck, failedCheck } from './engine-check.ts';

test('clock: what lies between asking and answer is no skew; a second warns, half a minute fails', () => {
  const asked = { from: 10_000, to: 10_400 };
  const states = [10_000, 10_400, 11_399, 11_400, 40_400, -20_000].map(
    (at) => clockCheck('x', at, asked).state,
  );
  assert.deepEqual(states, ['ok', 'ok', 'ok', 'warn', 'fail', 'fail']);
  assert.match(clockCheck('x', 4_000, asked).what, /6 s/);
});

test('what could not be asked: the message, and what to do about it', () => {
  const told = failedCheck('kafka', new CrawlError('E_BROKER_DOWN', 'it is away', 'start it'));
  assert.deepEqual(told, { name: 'kafka', state: 'fail', what: 'it is away', fix: 'start it' });
});
