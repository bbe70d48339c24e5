import { equal } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const MODULE = new URL('./small-memory.ts', import.meta.url).href;

/** Grows to `mb` of live objects, and prints how often garbage was looked for on demand. */
const grow = (mb: number) => `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { keepMemorySmall } from '${MODULE}';
  const { NODE_PERFORMANCE_GC_MAJOR: major, NODE_PERFORMANCE_GC_FLAGS_FORCED: forced } = constants;
  let looks = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) {
      if (detail.kind === major && (detail.flags & forced) !== 0) looks++;
    }
  }).observe({ entryTypes: ['gc'] });
  keepMemorySmall();
  const kept = [];
  for (let mb = 0; mb < ${mb}; mb++) kept.push(new Array(131_072).fill(mb));
  await sleep(1_000);
  console.log(looks, kept.length);
`;

async function looksWith(mb: number): Promise<string> {
  const args = ['--input-type=module', '--eval', grow(mb)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
}

test('a heap that has become large is looked through once, so that a new limit holds', async () => {
  equal(await looksWith(400), '1 400');
});

test('a small heap is left alone', async () => {
  equal(await looksWith(100), '0 100');
});
