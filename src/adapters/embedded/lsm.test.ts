import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Lsm } from './lsm.ts';

const key = (n: number) => Buffer.from(`k${n}`);
const value = (n: number) => Buffer.from(`v${n}`);

let dir: string;
let lsm: Lsm;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'orb-lsm-'));
  lsm = await Lsm.open({ dir, syncAlways: false });
  const even = Array.from({ length: 500 }, (_, n) => 2 * n);
  await lsm.write(even.map((n) => ({ type: 'put', key: key(n), value: value(n) })));
});
after(async () => {
  await lsm.close();
  await rm(dir, { recursive: true });
});

for (const count of [0, 1, 2, 15, 16, 700]) {
  test(`${count} rows are answered as they were asked for, missing and twice (B2)`, async () => {
    const asked = Array.from({ length: count }, (_, n) => (n * 577) % 400);
    const expected = asked.map((n) => (n % 2 === 0 ? value(n) : undefined));
    deepEqual(await lsm.getMany(asked.map(key)), expected);
  });
}
