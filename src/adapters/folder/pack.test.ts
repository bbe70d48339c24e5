import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { Packs, type Place } from './pack.ts';
import type { PackRecord } from './pack-record.ts';
import { FailingDisk, scratchFolder } from './scratch.testkit.ts';

const NO_HASH = new Uint8Array(0);
const FIRST = 'pack-000001.orb';

function record(text: string): PackRecord {
  const bytes = Buffer.from(text);
  return { codec: 'none', bytes, hash: createHash('sha256').update(bytes).digest() };
}

function textOf({ bytes }: PackRecord): string {
  return Buffer.from(bytes).toString();
}

/** What a scan meets: texts, and gaps by their length. */
async function scanned(packs: Packs): Promise<(string | number)[]> {
  const met: (string | number)[] = [];
  for await (const { place, record: one } of packs.scan()) {
    met.push(one === undefined ? place.length : textOf(one));
  }
  return met;
}

/** A closed pack with these records in it, and where they are. */
async function packOf(...texts: string[]): Promise<{ folder: string; places: readonly Place[] }> {
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder });
  const places = await packs.append(texts.map(record));
  await packs.close();
  return { folder, places };
}

it('packs: records of any kind: read back from their places', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const hash = fc.oneof(fc.constant(NO_HASH), fc.uint8Array({ minLength: 32, maxLength: 32 }));
  const codec = fc.constantFrom('none' as const, 'gzip' as const, 'zstd' as const);
  const batches = fc.array(fc.array(fc.record({ codec, bytes, hash }), { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const packs = await Packs.open({ folder: await scratchFolder(), packBytesMax: 900 });
      for (const batch of all) {
        const places = await packs.append(batch);
        for (const [i, place] of places.entries()) {
          const read = await packs.read(place);
          const { codec: as, bytes: body, hash: name } = batch[i] as PackRecord;
          assert.equal(read.codec, as);
          assert.equal(Buffer.compare(read.bytes, body), 0);
          assert.equal(Buffer.compare(read.hash, name), 0);
          assert.ok(packs.holds(place));
        }
      }
      await packs.close();
    }),
    { numRuns: 30 },
  );
});

it('packs: torn at every byte of the last record: cut back to the whole ones, and go on', async () => {
  const { folder, places } = await packOf('first', 'second', 'the last one');
  const [, second, last] = places as [Place, Place, Place];
  const path = join(folder, FIRST);
  const whole = await readFile(path);
  for (let end = last.at; end <= last.at + last.length; end++) {
    await writeFile(path, whole.subarray(0, end));
    const packs = await Packs.open({ folder });
    const isWhole = end === last.at + last.length;
    assert.equal((await stat(path)).size, isWhole ? end : last.at, `torn at ${end}`);
    assert.equal(packs.holds(last), isWhole);
    assert.equal(textOf(await packs.read(second)), 'second');
    const [next] = (await packs.append([record('next')])) as [Place];
    assert.equal(textOf(await packs.read(next)), 'next');
    await packs.close();
  }
});

it('packs: any bit of the last record turned: never read as if it were whole', async () => {
  const { folder, places } = await packOf('first', 'last');
  const [first, last] = places as [Place, Place];
  const path = join(folder, FIRST);
  const whole = await readFile(path);
  for (let at = last.at; at < last.at + last.length; at++) {
    for (const bit of [1, 128]) {
      const turned = Buffer.from(whole);
      turned[at] = (turned[at] as number) ^ bit;
      await writeFile(path, turned);
      const packs = await Packs.open({ folder });
      await assert.rejects(packs.read(last), { code: 'E_STORE_DAMAGED' }, `byte ${at}`);
      assert.equal(textOf(await packs.read(first)), 'first');
      await packs.close();
    }
  }
});

it('packs: a record in the middle damaged by hand: only that one is lost', async () => {
  const { folder, places } = await packOf('first', 'second', 'third');
  const path = join(folder, FIRST);
  const [, second] = places as [Place, Place, Place];
  for (const at of [second.at, second.at + 12, second.at + 17, second.at + second.length - 1]) {
    const copy = await readFile(path);
    const before = copy[at] as number;
    copy[at] = before ^ 0xff;
    await writeFile(path, copy);
    const packs = await Packs.open({ folder });
    assert.deepEqual(await scanned(packs), ['first', second.length, 'third']);
    await assert.rejects(packs.read(second), (error: Error) => {
      assert.ok(error.message.includes(`${FIRST} is damaged at byte ${second.at}`), error.message);
      return true;
    });
    await packs.close();
    copy[at] = before;
    await writeFile(path, copy);
  }
});

it('packs: a page whose bytes look like a record: not taken for one behind a damaged head', async () => {
  const { folder: other } = await packOf('a forged record');
  const forged = await readFile(join(other, FIRST));
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder });
  const [carrier] = (await packs.append([
    { codec: 'none', bytes: forged, hash: NO_HASH },
    record('after'),
  ])) as [Place];
  await packs.close();
  const bytes = await readFile(join(folder, FIRST));
  bytes[carrier.at] = 0;
  await writeFile(join(folder, FIRST), bytes);
  const again = await Packs.open({ folder });
  assert.deepEqual(await scanned(again), [carrier.length, 'after']);
  await again.close();
});

it('packs: a scan over more than it reads at once, with long gaps: every record is met', async () => {
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder });
  const texts = ['a'.repeat(3_000_000), 'b'.repeat(6_000_000), 'c', 'd'.repeat(5_000_000), 'e'];
  const places = await packs.append(texts.map(record));
  await packs.close();
  const spoilt = places[1] as Place;
  const bytes = await readFile(join(folder, FIRST));
  bytes.fill(0, spoilt.at, spoilt.at + spoilt.length);
  await writeFile(join(folder, FIRST), bytes);
  const again = await Packs.open({ folder });
  const met = (await scanned(again)).map((one) => (typeof one === 'string' ? one[0] : one));
  assert.deepEqual(met, ['a', spoilt.length, 'c', 'd', 'e']);
  await again.close();
});

it('packs: behind what was synced, a torn record: only that is cut off', async () => {
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder });
  await packs.append([record('first')]);
  await packs.sync();
  const [tail] = (await packs.append([record('tail')])) as [Place];
  await packs.close();
  await truncate(join(folder, FIRST), tail.at + 3);
  const again = await Packs.open({ folder });
  assert.deepEqual(await scanned(again), ['first']);
  await again.close();
});

it('packs: a synced record damaged by hand: stays as damage, not cut off as torn', async () => {
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder });
  const [place] = (await packs.append([record('first')])) as [Place];
  await packs.sync();
  await packs.close();
  const bytes = await readFile(join(folder, FIRST));
  await writeFile(join(folder, FIRST), bytes.fill(0, 40));
  const again = await Packs.open({ folder });
  assert.deepEqual(await scanned(again), [place.length]);
  const [next] = (await again.append([record('next')])) as [Place];
  assert.equal(next.at, place.length);
  await again.close();
});

for (const note of ['', '{', '{"file":1,"at":999999}', '{"file":7,"at":3}', 'null', '{"at":"x"}']) {
  it(`packs: the note of what was synced says ${note || 'nothing'}: all is searched`, async () => {
    const { folder, places } = await packOf('first', 'torn');
    await truncate(join(folder, FIRST), (places[1] as Place).at + 30);
    await writeFile(join(folder, 'pack.synced'), note);
    const packs = await Packs.open({ folder });
    assert.deepEqual(await scanned(packs), ['first']);
    assert.equal((await stat(join(folder, FIRST))).size, (places[0] as Place).length);
    await packs.close();
  });
}

it('packs: a torn file that is not the newest, as after a power cut: its whole records stay', async () => {
  const { folder } = await packOf('first', 'second');
  await copyFile(join(folder, FIRST), join(folder, 'pack-000002.orb'));
  const size = (await stat(join(folder, FIRST))).size;
  await truncate(join(folder, FIRST), size - 2);
  const packs = await Packs.open({ folder });
  assert.deepEqual(await scanned(packs), ['first', 56, 'first', 'second']);
  await packs.close();
});

it('packs: an older file gone: the scan says what is left', async () => {
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder, packBytesMax: 10 });
  for (const text of ['one', 'two', 'three']) await packs.append([record(text)]);
  await packs.close();
  await rm(join(folder, 'pack-000002.orb'));
  const again = await Packs.open({ folder });
  assert.deepEqual(await scanned(again), ['one', 'three']);
  await again.close();
});

it('packs: sync after an append that failed: only what is whole is noted', async () => {
  const disk = new FailingDisk();
  const folder = await scratchFolder();
  const packs = await Packs.open({ folder, openToWrite: disk.openToWrite });
  await packs.append([record('first')]);
  disk.left = 10;
  await assert.rejects(packs.append([record('second')]), { code: 'E_DISK_FULL' });
  await packs.sync();
  await packs.close();
  const again = await Packs.open({ folder });
  assert.deepEqual(await scanned(again), ['first']);
  await again.close();
});
