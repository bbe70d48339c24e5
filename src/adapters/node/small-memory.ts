/**
 * Keeps V8's memory near to what is in use. For programs of our own only: it changes the whole
 * process, and for good.
 *
 *   young   on a large machine Node lets the room for new objects grow to 128 MB and more, and
 *           with it the bodies that wait to be freed. A crawl's garbage is short-lived, so a
 *           quarter of that costs no time and saves 80 MB.
 *   old     V8 lets garbage grow to as much as is alive, or twice that. A crawl's old objects
 *           are its hosts: they come slowly, so looking after each half more is cheap.
 *
 * Figures: docs/bench.md.
 */
import * as v8 from 'node:v8';

const YOUNG_BYTES_MAX = 32 * 1024 * 1024;
const OLD_GROWTH_PERCENT = 50;
const LOOK_MS = 50;

export function keepMemorySmall(): void {
  v8.setFlagsFromString(`--heap-growing-percent=${OLD_GROWTH_PERCENT}`);
  const looking = setInterval(() => {
    if (youngBytes() < YOUNG_BYTES_MAX) return;
    v8.setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(looking);
  }, LOOK_MS);
  looking.unref();
}

function youngBytes(): number {
  const space = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space?.space_size ?? 0;
}
