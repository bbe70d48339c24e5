import { equal } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const MODULE = new URL('./late-optimising.ts', import.meta.url).href;
/** `%GetOptimizationStatus`: V8's last compiler has had it (runtime.h, kTurboFanned). */
const TURBOFANNED = 1 << 6;

/** Prints whether a function (and what it calls, within it) has been optimised after so many calls. */
const callOften = (calls: number, first: string) => `
  import { optimiseLate } from '${MODULE}';
  ${first}
  const spread = (n) => { let x = n; for (let i = 0; i < 40; i++) x = (x * 31 + i) | 0; return x; };
  let sum = 0;
  const call = () => { sum += spread(sum); };
  for (let n = 0; n < ${calls}; n++) call();
  console.log((%GetOptimizationStatus(call) & ${TURBOFANNED}) !== 0);
`;

async function isOptimised(calls: number, first: string): Promise<boolean> {
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--no-use-osr'];
  const args = [...flags, '--input-type=module', '--eval', callOften(calls, first)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim() === 'true';
}

test('a function called 20,000 times is left to the first compilers', async () => {
  equal(await isOptimised(20_000, 'optimiseLate();'), false);
  equal(await isOptimised(20_000, ''), true, 'V8 by itself would have optimised it');
});

test('a function called 500,000 times is optimised', async () => {
  equal(await isOptimised(500_000, 'optimiseLate();'), true);
});
