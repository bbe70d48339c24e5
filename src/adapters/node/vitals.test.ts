import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemVitals } from './vitals.ts';

const HELD_MS = 80;
/** The lag is looked at every 20 ms: the thread must be let go for a look before and after. */
const LOOKS = 100;

function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** What is measured here is real time itself: how late the event loop is. */
test('vitals: what only rises does, and a thread that is held up says for how long', async () => {
  const vitals = systemVitals();
  const before = vitals.read();
  assert.equal(before.loopLagMaxSeconds, 0, 'nothing is known yet');
  let held = before;
  for (let look = 0; look < LOOKS && held.loopLagMaxSeconds < HELD_MS / 2_000; look++) {
    await new Promise((soon) => setTimeout(soon, 5));
    if (look % 8 === 7) keepBusy(HELD_MS);
    held = vitals.read();
  }
  assert.ok(held.loopLagMaxSeconds >= HELD_MS / 2_000, `${held.loopLagMaxSeconds} s late`);
  assert.ok(held.cpuSeconds.user > before.cpuSeconds.user);
  assert.ok(held.loopBusySeconds > before.loopBusySeconds);
  assert.ok(held.residentBytes > held.heapBytes && held.heapBytes > 1e6);
  assert.ok(Math.abs(held.startedAtSeconds * 1_000 - performance.timeOrigin) < 1);
  assert.match(held.node, /^\d+\.\d+\.\d+/);
});
