import assert from 'node:assert/strict';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { seenFilterContract } from '../../ports/seen-filter.contract.ts';
import { urlKeyOf } from '../../record/index.ts';
import { Generations } from '../../seen/index.ts';
import { openMemoryFilter } from '../memory/index.ts';
import { loadFilter, saveFilter } from './filter-snapshot.ts';
import { scratchFolder } from './scratch.testkit.ts';

seenFilterContract('kept over a stop', {
  async open(options) {
    const path = join(await scratchFolder(), 'filter.bin');
    const { expectedKeys, falsePositiveRate } = options;
    await saveFilter(path, new Generations(expectedKeys, falsePositiveRate));
    return openMemoryFilter({ ...options, generations: await loadFilter(path, falsePositiveRate) });
  },
});

const RATE = 0.001;
const KEYS = 2_000;
const keys = Array.from({ length: KEYS }, (_, i) => urlKeyOf(`https://a.test/${i}`));

function grown(): Generations {
  const generations = new Generations(500, RATE);
  for (const key of keys) generations.checkAndAdd(key);
  return generations;
}

async function saved(): Promise<string> {
  const path = join(await scratchFolder(), 'filter.bin');
  await saveFilter(path, grown());
  return path;
}

it('filter snapshot: saved and loaded: the same keys, counts and size, over generations', async () => {
  const before = grown();
  const after = await loadFilter(await saved(), RATE);
  assert.ok(after !== undefined);
  assert.ok(after.count > 1);
  assert.deepEqual(after.states(), before.states());
  for (const key of keys) assert.equal(after.checkAndAdd(key), true);
});

it('filter snapshot: loaded once: gone, so that a crash after it means a rebuild', async () => {
  const path = await saved();
  assert.ok((await loadFilter(path, RATE)) !== undefined);
  assert.equal(await loadFilter(path, RATE), undefined);
  assert.deepEqual(await readdir(join(path, '..')), []);
});

it('filter snapshot: never saved: none', async () => {
  assert.equal(await loadFilter(join(await scratchFolder(), 'filter.bin'), RATE), undefined);
});

it('filter snapshot: saved over an older one: the newer is loaded, nothing else is left', async () => {
  const path = await saved();
  await saveFilter(path, new Generations(10, RATE));
  assert.deepEqual(await readdir(join(path, '..')), ['filter.bin']);
  assert.equal((await loadFilter(path, RATE))?.keys, 0);
});

it('filter snapshot: the rate was set anew: as good as none', async () => {
  assert.equal(await loadFilter(await saved(), 0.01), undefined);
});

it('filter snapshot: a byte changed anywhere: as good as none', async () => {
  const path = await saved();
  const whole = await readFile(path);
  const places = Array.from({ length: 300 }, (_, i) => (i < 200 ? i : whole.length - 1 - i * 7));
  for (const at of places) {
    const turned = Buffer.from(whole);
    turned[at] = (turned[at] as number) ^ 0x10;
    await writeFile(path, turned);
    assert.equal(await loadFilter(path, RATE), undefined, `byte ${at}`);
  }
});

it('filter snapshot: cut short or grown: as good as none', async () => {
  const path = await saved();
  const whole = await readFile(path);
  for (const length of [0, 3, 23, 60, 68, whole.length - 1]) {
    await writeFile(path, whole);
    await truncate(path, length);
    assert.equal(await loadFilter(path, RATE), undefined, `${length} bytes`);
  }
  await writeFile(path, Buffer.concat([whole, Buffer.alloc(1)]));
  assert.equal(await loadFilter(path, RATE), undefined, 'a byte more');
});

it('filter snapshot: a folder that is not there: an error that names the file', async () => {
  const path = join(await scratchFolder(), 'no', 'filter.bin');
  await assert.rejects(saveFilter(path, new Generations(10, RATE)), {
    code: 'E_STORE_DOWN',
    message: /filter\.bin/,
  });
});
