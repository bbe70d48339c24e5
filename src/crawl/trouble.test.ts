import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { Trouble } from './trouble.ts';

const down = new CrawlError('E_STORE_DOWN', 'no answer', 'wait');

function trouble() {
  const told: string[] = [];
  const clock = new VirtualClock(0);
  const hooks = {
    onTrouble: () => void told.push('on'),
    onRecovered: () => void told.push('over'),
  };
  return { told, clock, made: new Trouble(clock, hooks) };
}

test('an engine that is away: told once, tried at growing waits up to 30 s, told when over', async () => {
  const { told, clock, made } = trouble();
  const waits: number[] = [];
  for (let n = 0; n < 9; n++) {
    const from = clock.now();
    assert.ok(made.met(down));
    await made.wait();
    waits.push(clock.now() - from);
  }
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  made.passed();
  made.passed();
  assert.deepEqual(told, ['on', 'over']);
  made.met(down);
  assert.equal(made.until - clock.now(), 500, 'the next one begins anew');
});

test('many that fail at the same instant: one failure', () => {
  const { told, clock, made } = trouble();
  for (let n = 0; n < 50; n++) made.met(down);
  assert.deepEqual([told, made.until - clock.now()], [['on'], 500]);
});

test('a fault that stays, or one that is none of the engines: not tried again', () => {
  const { told, made } = trouble();
  assert.equal(made.met(new CrawlError('E_STORE_DAMAGED', 'broken', 'mend')), false);
  assert.equal(made.met(new Error('a bug')), false);
  assert.deepEqual([told, made.isOn], [[], false]);
});

test('told to end: who waits goes on at once, and is told that it is not worth it', async () => {
  const { clock, made } = trouble();
  made.met(down);
  const waited = made.wait();
  made.close();
  await waited;
  assert.equal(clock.now(), 0);
  assert.equal(made.met(down), false);
});
