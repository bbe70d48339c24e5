import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from './clock.ts';

const clock = systemClock();

it('promise 1: now never goes backwards, and agrees with the wall', () => {
  let last = clock.now();
  for (let i = 0; i < 10_000; i++) {
    const next = clock.now();
    assert.ok(next >= last);
    last = next;
  }
  assert.ok(Math.abs(clock.now() - Date.now()) < 60_000);
});

it('promise 2: sleepUntil never wakes early', async () => {
  for (let i = 0; i < 20; i++) {
    const at = clock.now() + 1 + i / 7;
    await clock.sleepUntil(at);
    assert.ok(clock.now() >= at);
  }
});

it('promise 2: a signal ends the sleep at once, also one that came before', async () => {
  const stop = new AbortController();
  const asleep = clock.sleepUntil(clock.now() + 3_600_000, stop.signal);
  stop.abort();
  await asleep;
  await clock.sleepUntil(clock.now() + 3_600_000, stop.signal);
});
