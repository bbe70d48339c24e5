/** One key, one answer (A1), for a day by the test's own clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../base/instant.ts';
import type { WebAnswer, WebCall } from '../../ports/web-server.ts';
import { FakeClock } from '../cli/fake-world.test.ts';
import { jsonAnswer } from './answer.ts';
import { Idempotency } from './idempotency.ts';

const call = (key: string, body: unknown = {}, token = ''): WebCall => ({
  ...{ method: 'POST', path: '/crawl/seeds', params: {}, query: {}, body },
  headers: { 'idempotency-key': key, authorization: token },
  ...{ remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 1, isGone: false },
});

function counting(status = 202) {
  let done = 0;
  const act = async (): Promise<WebAnswer> => jsonAnswer(status, { nth: ++done });
  return { act, done: () => done };
}

test('idempotency: a day later the key is new', async () => {
  const clock = new FakeClock();
  const keys = new Idempotency(clock);
  const { act, done } = counting();
  await keys.once(call('a'), act);
  await clock.pass(DAY_MS - 1);
  await keys.once(call('a'), act);
  assert.equal(done(), 1);
  await clock.pass(1);
  await keys.once(call('a'), act);
  assert.equal(done(), 2);
});

test('idempotency: what failed on our side may be tried again', async () => {
  const keys = new Idempotency(new FakeClock());
  const { act, done } = counting(503);
  await keys.once(call('a'), act);
  await keys.once(call('a'), act);
  assert.equal(done(), 2);
  const fail = () => Promise.reject(new Error('broken'));
  await assert.rejects(keys.once(call('b'), fail));
  const third = await keys.once(call('b'), counting().act);
  assert.equal(third.status, 202);
});

test('idempotency: the key of one caller is not that of another', async () => {
  const keys = new Idempotency(new FakeClock());
  const { act, done } = counting();
  await keys.once(call('a', {}, 'Bearer one'), act);
  await keys.once(call('a', {}, 'Bearer two'), act);
  assert.equal(done(), 2);
});
