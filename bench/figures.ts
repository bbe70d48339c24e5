/** For tests of benchmarks: one is run, and what it says is read. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Line } from './measure.ts';

export const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));

export async function figures(...args: string[]): Promise<Map<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args, '--json']);
  const lines = stdout.trimEnd().split('\n');
  return new Map(
    lines.map((text) => {
      const line = JSON.parse(text) as Line;
      assert.deepEqual(Object.keys(line), ['bench', 'metric', 'value', 'unit']);
      return [line.metric, line.value];
    }),
  );
}

export function assertAbove0(found: ReadonlyMap<string, number>, metrics: readonly string[]): void {
  for (const metric of metrics) assert.ok((found.get(metric) ?? 0) > 0, `${metric} is said`);
}

export const COMMON = ['bench_wall', 'bench_cpu', 'bench_peak_rss', 'node'];
