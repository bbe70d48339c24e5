/**
 * The real clock: the wall's time at start, then the monotonic timer.
 *
 * It never goes backwards and is not moved by someone setting the machine's clock. It does stand
 * still while the machine sleeps; instants are then behind the wall until the next start,
 * which makes a crawl wait, never hurry.
 */
import { performance } from 'node:perf_hooks';
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';

const TIMER_MS_MAX = 2 ** 31 - 1;

export function systemClock(): Clock {
  return { now, sleepUntil };
}

const { timeOrigin } = performance;

function now(): Instant {
  return timeOrigin + performance.now();
}

/** Node's timers may fire a little early; then the rest is slept too. */
async function sleepUntil(at: Instant, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const left = at - now();
    if (left <= 0) return;
    await pause(Math.min(Math.ceil(left), TIMER_MS_MAX), signal);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
