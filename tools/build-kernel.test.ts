import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileKernel, KERNEL_PARTS } from './build-kernel.ts';

for (const part of KERNEL_PARTS) {
  test(`kernel: ${part.entry}: the code that runs is what its sources compile to`, async () => {
    const written = readFileSync(part.target, 'utf8');
    const isSame = (await compileKernel(part)) === written;
    assert.ok(isSame, 'run `node tools/build-kernel.ts` after a change in kernel/');
  });
}
