/** An archive in a folder: names, sizes, torn ends, full disks. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Exchanged, fieldOf, targetOf } from '../../archive/index.ts';
import { checkWarc } from '../../archive/warc-check.testkit.ts';
import { archiveContract, exchangedNo, numbersIn } from '../../ports/archive.contract.ts';
import type { Archive } from '../../ports/archive.ts';
import { killAfter } from '../../ports/crash.contract.ts';
import { Lsm, LsmPayloadIndex } from '../embedded/index.ts';
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

/** As in a crawl folder: the store beside the archive, opened anew by each run. */
async function openWithIndex(folder: string) {
  const lsm = await Lsm.open({ dir: join(folder, 'store'), syncAlways: false });
  const payloads = new LsmPayloadIndex(lsm);
  const archive = await open(folder, { payloads });
  const close = async () => {
    await archive.close();
    await lsm.close();
  };
  return { archive, payloads, close };
}

async function filesIn(folder: string): Promise<Buffer[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.warc.gz')).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

/** With the store that is beside it. */
async function openWhole(folder: string): Promise<Archive> {
  const { archive, close } = await openWithIndex(folder);
  const put = (exchanges: readonly Exchanged[]) => archive.put(exchanges);
  return { put, sync: () => archive.sync(), close };
}

archiveContract('folder', {
  async open() {
    const folder = await scratchFolder();
    const reopen = () => openWhole(folder);
    return { archive: await reopen(), files: () => filesIn(folder), reopen };
  },
  async crash(steps) {
    const folder = await scratchFolder();
    const done = await killAfter(steps, CHILD, ['warc', folder]);
    const reopen = () => openWhole(folder);
    return { archive: await reopen(), files: () => filesIn(folder), reopen, steps: done };
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

it('what a run before wrote and is not there any more is never named: erased, cut, taken away', async () => {
  const gone: Record<string, (folder: string, name: string) => Promise<unknown>> = {
    erased: (folder) => eraseFromArchive(folder, (url) => url.startsWith('http://h3.test/')),
    cut: (folder, name) => truncate(join(folder, name), 900),
    'taken away': (folder, name) => rm(join(folder, name)),
  };
  for (const [how, act] of Object.entries(gone)) {
    const folder = await scratchFolder();
    const first = await openWithIndex(folder);
    await first.archive.put([exchangedNo(1), exchangedNo(3)]);
    await first.close();
    const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.gz'));
    await act(folder, name);
    const second = await openWithIndex(folder);
    await second.archive.put([exchangedNo(3, 'http://copy.test/'), exchangedNo(4)]);
    await second.close();
    const types = checkWarc((await filesIn(folder)).at(-1) ?? Buffer.alloc(0))
      .records.filter(({ type }) => type === 'response' || type === 'revisit')
      .map((record) => `${record.type} ${targetOf(record)}`);
    assert.deepEqual(types, ['response http://copy.test/', 'revisit http://h4.test/4'], how);
  }
});

it('who named a page is told, and not any more when that page is erased', async () => {
  const folder = await scratchFolder();
  const asked: number[] = [];
  const urlsOf = async (keys: readonly Uint8Array[]) => {
    asked.push(keys.length);
    return keys.map((key) => (key[0] === 9 ? undefined : `http://from.test/${key[0]}`));
  };
  const from = (nth: number, parent: number) => {
    return { ...exchangedNo(nth), parent: Buffer.alloc(parent === 0 ? 0 : 24, parent) };
  };
  const archive = await open(folder, { urlsOf });
  await archive.put([from(0, 0), from(1, 1), from(2, 2), from(3, 1), from(4, 9)]);
  await archive.put([from(5, 2)]);
  await archive.close();
  assert.deepEqual(asked, [3], 'each page once, and none twice');
  const vias = async () => {
    const [file = Buffer.alloc(0)] = await filesIn(folder);
    const { records, problems } = checkWarc(file);
    assert.deepEqual(problems, []);
    const abouts = records.filter(({ type }) => type === 'metadata');
    return abouts.map(({ block }) => /^via: (.*)\r$/m.exec(String(block))?.[1]?.slice(-1));
  };
  assert.deepEqual(await vias(), [undefined, '1', '2', '1', undefined, '2']);
  await eraseFromArchive(folder, (url) => url === 'http://from.test/1');
  assert.deepEqual(await vias(), [undefined, undefined, '2', undefined, undefined, '2']);
});

it('a 304 names the response that it stands for, packed or plain, also of a run before', async () => {
  const folder = await scratchFolder();
  const first = await openWithIndex(folder);
  const [plain, packed] = [exchangedNo(1), exchangedNo(2)];
  const contentHash = createHash('sha256').update('what it says').digest();
  await first.archive.put([plain, { ...packed, contentHash }]);
  await first.close();
  const again = await openWithIndex(folder);
  const unmodified = ({ url, answer }: Exchanged, beforeHash: Uint8Array) => ({
    ...{ ...exchangedNo(9, url), body: Buffer.alloc(0), before: 5, beforeHash },
    answer: { ...answer, status: 304, timing: exchangedNo(9).answer.timing },
  });
  const plainHash = createHash('sha256').update(plain.body).digest();
  const unknown = unmodified(exchangedNo(3), Buffer.alloc(32, 7));
  await again.archive.put([unmodified(plain, plainHash), unmodified(packed, contentHash), unknown]);
  // The same bytes as text are another payload than those that unfold to them.
  await again.archive.put([{ ...exchangedNo(4), body: Buffer.from('what it says') }]);
  await again.close();
  const files = await filesIn(folder);
  const mains = files
    .flatMap((file) => checkWarc(file).records)
    .filter(({ type }) => type === 'response' || type === 'revisit');
  const said = (nth: number, names: string[]) =>
    names.map((name) => fieldOf(mains[nth]?.fields ?? [], name));
  const [own, its] = [
    ['WARC-Record-ID', 'WARC-Date', 'WARC-Payload-Digest'],
    ['WARC-Refers-To', 'WARC-Refers-To-Date', 'WARC-Payload-Digest'],
  ];
  assert.deepEqual(said(2, its), said(0, own));
  assert.deepEqual(said(3, its), said(1, own));
  assert.deepEqual(said(4, its), [undefined, '1970-01-01T00:00:00.005Z', undefined]);
  assert.equal(mains[5]?.type, 'response');
});

it('while records are erased nothing is named, and the index forgets their payloads', async () => {
  const folder = await scratchFolder();
  const { archive, payloads, close } = await openWithIndex(folder);
  await archive.put([exchangedNo(3)]);
  await archive.sync();
  const hash = createHash('sha256').update(exchangedNo(3).body).digest();
  assert.notEqual((await payloads.get([hash]))[0], undefined);
  await archive.forgetting(async () => {
    await archive.put([exchangedNo(3, 'http://copy.test/')]);
    await eraseFromArchive(folder, (url) => url.startsWith('http://h3.test/'), payloads);
    assert.deepEqual(await payloads.get([hash]), [undefined]);
  });
  await close();
  const [file = Buffer.alloc(0)] = await filesIn(folder);
  const responses = checkWarc(file).records.filter(({ type }) => type === 'response');
  assert.deepEqual(responses.map(targetOf), ['http://copy.test/']);
});

function placesIn(file: Buffer): string[] {
  return checkWarc(file).records.map((one) => `${one.offset} ${one.type} ${targetOf(one)}`);
}
