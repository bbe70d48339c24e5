/**
 * The `ParserPool` port on the main thread of a machine with one core, some milliseconds at a
 * time (X3). Sixty answers that arrive together would be sixty pages read in one go, and for as
 * long nobody else is heard: a request to the API waits for all of them. So pages wait in line,
 * and after each slice the loop looks after its sockets.
 *
 * A page is never interrupted: one of many megabytes takes the time that it takes.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import { digest } from '../../content/index.ts';
import type { ParserPool } from '../../ports/parser-pool.ts';

export const SLICE_MS = 2;

export function slicedPool(sliceMs = SLICE_MS): ParserPool {
  const line: (() => void)[] = [];
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (line.length > 0) {
      await nextRound();
      const until = performance.now() + sliceMs;
      do {
        line.shift()?.();
        await settled();
      } while (line.length > 0 && performance.now() < until);
    }
    isRunning = false;
  };
  return {
    digest: (page) =>
      new Promise((resolve, reject) => {
        line.push(() => {
          try {
            resolve(digest(page));
          } catch (error) {
            reject(error);
          }
        });
        if (!isRunning) void run();
      }),
    close: async () => {},
  };
}

/** What follows from the page is part of its slice: ticks come after all that is promised. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
