/** An archive in a folder: names, sizes, torn ends, full disks. */
import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { targetOf } from '../../archive/index.ts';
import { checkWarc } from '../../archive/warc-check.testkit.ts';
import { archiveContract, exchangedNo, numbersIn } from '../../ports/archive.contract.ts';
import { killAfter } from '../../ports/crash.contract.ts';
import { FailingDisk, scratchFolder } from './scratch.testkit.ts';
import { openWarcArchive, type WarcArchiveOptions } from './warc-archive.ts';
import { eraseFromArchive } from './warc-erase.ts';

const CHILD = new URL('./killed.testkit.ts', import.meta.url);
const FILE_BYTES_MAX = 100_000;
const SERIES = {
  ...{ prefix: 'orb', begunAt: Date.UTC(2026, 0, 31), machine: 'a.test', seeds: [] },
  ...{ software: 'Orbweaver/1.0', userAgent: 'UA' },
};

function open(folder: string, more: Partial<WarcArchiveOptions> = {}) {
  return openWarcArchive({ folder, series: SERIES, fileBytesMax: FILE_BYTES_MAX, ...more });
}

async function filesIn(folder: string): Promise<Buffer[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.warc.gz')).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

archiveContract('folder', {
  async open() {
    const folder = await scratchFolder();
    return { archive: await open(folder), files: () => filesIn(folder) };
  },
  async crash(steps) {
    const folder = await scratchFolder();
    const done = await killAfter(steps, CHILD, ['warc', folder]);
    return { archive: await open(folder), files: () => filesIn(folder), steps: done };
  },
});

it('a full file: the next one begins, no exchange spans two, none is larger than told', async () => {
  const folder = await scratchFolder();
  const archive = await open(folder, { fileBytesMax: 12_000 });
  const exchanges = Array.from({ length: 60 }, (_, nth) => exchangedNo(nth));
  await archive.put(exchanges);
  assert.equal((await readdir(folder)).filter((name) => name.endsWith('.open')).length, 1);
  await archive.close();
  const names = (await readdir(folder)).sort();
  assert.ok(names.length > 3, String(names));
  assert.equal(names[1], 'orb-20260131000000-00001-a.test.warc.gz');
  for (const name of names) assert.ok((await stat(join(folder, name))).size <= 12_000, name);
  assert.equal(numbersIn(await filesIn(folder)).length, exchanges.length);
});

it('a torn end at any byte: cut back to the last whole exchange, and the number goes on', async () => {
  const folder = await scratchFolder();
  const archive = await open(folder);
  const ends: number[] = [];
  for (const nth of [0, 1]) {
    await archive.put([exchangedNo(nth)]);
    const [name = ''] = await readdir(folder);
    ends.push((await stat(join(folder, name))).size);
  }
  await archive.close();
  const [name = ''] = await readdir(folder);
  const whole = await readFile(join(folder, name));
  const [one = 0, two = 0] = ends;
  for (const bytes of [0, 5, 300, one - 1, one, one + 1, one + 800, two - 1, two]) {
    const torn = await scratchFolder();
    await writeFile(join(torn, `${name}.open`), whole.subarray(0, bytes));
    const again = await open(torn);
    const kept = ends.filter((end) => end <= bytes).length;
    assert.equal(numbersIn(await filesIn(torn)).length, kept, `${bytes} bytes`);
    await again.put([exchangedNo(2)]);
    await again.close();
    assert.equal(numbersIn(await filesIn(torn)).length, kept + 1);
    assert.match((await readdir(torn)).sort().at(-1) ?? '', /-00001-/);
  }
});

it('a full disk: put() rejects, no part of an exchange is left, and room lets it go on', async () => {
  const folder = await scratchFolder();
  const disk = new FailingDisk();
  const archive = await open(folder, { openToWrite: disk.openToWrite });
  await archive.put([exchangedNo(0)]);
  disk.left = 100;
  await assert.rejects(archive.put([exchangedNo(1)]), { code: 'E_DISK_FULL' });
  disk.isStuck = true;
  disk.left = 50;
  await assert.rejects(archive.put([exchangedNo(1)]), { code: 'E_DISK_FULL' });
  disk.isStuck = false;
  disk.left = Number.POSITIVE_INFINITY;
  await archive.put([exchangedNo(1)]);
  await archive.close();
  assert.deepEqual(numbersIn(await filesIn(folder)), [0, 1]);
});

it('erased: the records of a URL are in no file, all others are where they were', async () => {
  const folder = await scratchFolder();
  const archive = await open(folder, { fileBytesMax: 20_000 });
  const picture = Buffer.alloc(3_000, 'PNG');
  const exchanges = Array.from({ length: 30 }, (_, nth) => ({ ...exchangedNo(nth), picture }));
  await archive.put(exchanges);
  const fits = (url: string) => url.startsWith('http://h3.test/');
  const before = (await filesIn(folder)).flatMap((file) => placesIn(file));
  const gone = exchanges.filter(({ url }) => fits(url)).length;
  assert.equal(await eraseFromArchive(folder, fits), 4 * gone);
  assert.equal(await eraseFromArchive(folder, fits), 0, 'nothing is left to erase');
  await archive.put([exchangedNo(30)]);
  await archive.close();
  const files = await filesIn(folder);
  const after = files.flatMap((file) => placesIn(file));
  const others = before.filter((place) => !place.includes('http://h3.test/'));
  assert.deepEqual(
    others.filter((place) => !after.includes(place)),
    [],
  );
  for (const file of files) {
    assert.deepEqual(checkWarc(file).problems, []);
    // A revisit of another URL still names what it repeated.
    const text = gunzipSync(file).toString('latin1');
    assert.doesNotMatch(text, /\nWARC-Target-URI: (?:urn:view:)?http:\/\/h3\.test\//);
  }
});

function placesIn(file: Buffer): string[] {
  return checkWarc(file).records.map((one) => `${one.offset} ${one.type} ${targetOf(one)}`);
}
