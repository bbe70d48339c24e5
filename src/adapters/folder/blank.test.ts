import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { erasableBlobsContract } from '../../ports/blob-store.contract.erase.ts';
import { MemoryBlobStore } from '../memory/blob-store.ts';
import { MemoryBlobIndex, rebuildBlobIndex } from './blob-index.ts';
import { openFolderBlobs } from './blob-store.ts';
import { expand } from './blocks.ts';
import { MemoryMoves } from './moves.ts';
import { Packs } from './pack.ts';
import { FailingDisk, scratchFolder } from './scratch.testkit.ts';

async function openCase(disk?: FailingDisk) {
  const folder = await scratchFolder();
  const index = new MemoryBlobIndex();
  const moves = new MemoryMoves();
  const whole = { folder, index, moves, packBytesMax: 4_000 };
  const options = disk === undefined ? whole : { ...whole, openToWrite: disk.openToWrite };
  let store = await openFolderBlobs(options);
  const reopen = async () => {
    await store.close();
    store = await openFolderBlobs(whole);
    return store;
  };
  return { store, reopen, index, holds: (text: string) => holds(folder, text) };
}

async function holds(folder: string, text: string): Promise<boolean> {
  const packs = await Packs.open({ folder });
  try {
    for await (const { record } of packs.scan()) {
      if (record && Buffer.from(await expand(record)).includes(text)) return true;
    }
    return false;
  } finally {
    await packs.close();
  }
}

erasableBlobsContract('folder', () => openCase());
erasableBlobsContract('memory', async () => ({ store: new MemoryBlobStore() }));

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const TEXTS = Array.from({ length: 6 }, (_, i) => `text ${i} has word${i * 104_729} `.repeat(8));
const [GONE = '', ...OTHERS] = TEXTS;

it('folder blobs: cut off at any byte of a removal: the others are whole, and it ends later', async () => {
  let cuts = 0;
  for (let room = 0; ; room += 37) {
    const disk = new FailingDisk();
    const opened = await openCase(disk);
    await opened.store.put(TEXTS.map((text) => ({ hash: hashOf(text), bytes: Buffer.from(text) })));
    disk.left = room;
    const isDone = await opened.store.remove([hashOf(GONE)]).then(
      () => true,
      () => false,
    );
    const store = await opened.reopen();
    for (const text of OTHERS) {
      assert.equal(Buffer.from((await store.get(hashOf(text))) ?? '').toString(), text);
    }
    await store.remove([hashOf(GONE)]);
    assert.equal(await store.get(hashOf(GONE)), undefined);
    await store.close();
    assert.equal(await opened.holds(GONE.slice(0, 30)), false, `after ${room} bytes`);
    if (isDone) break;
    cuts++;
  }
  assert.ok(cuts > 5, 'several places were tried');
});

it('folder blobs: an index made new after a removal knows the others and not the one', async () => {
  const { store, index } = await openCase();
  await store.put(TEXTS.map((text) => ({ hash: hashOf(text), bytes: Buffer.from(text) })));
  await store.remove([hashOf(GONE)]);
  const fresh = new MemoryBlobIndex();
  const { bodies, gaps } = await rebuildBlobIndex(store.packs, fresh);
  assert.deepEqual([bodies, gaps], [OTHERS.length, []]);
  assert.deepEqual(await fresh.get([hashOf(GONE)]), [undefined]);
  assert.equal(index.size, OTHERS.length);
  await store.close();
});
