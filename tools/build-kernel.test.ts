import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileKernel, KERNEL_CODE } from './build-kernel.ts';

test('kernel: the code that runs is what its sources compile to', async () => {
  const written = readFileSync(KERNEL_CODE, 'utf8');
  const isSame = (await compileKernel()) === written;
  assert.ok(isSame, 'run `node tools/build-kernel.ts` after a change in kernel/');
});
