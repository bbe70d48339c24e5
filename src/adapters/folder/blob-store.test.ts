import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { blobStoreContract } from '../../ports/blob-store.contract.ts';
import type { Body } from '../../ports/blob-store.ts';
import { killAfter } from '../../ports/crash.contract.ts';
import { MemoryBlobIndex, rebuildBlobIndex } from './blob-index.ts';
import { type BlobIndex, type FolderBlobStore, openFolderBlobs } from './blob-store.ts';
import { type PiecePlace, readPiece } from './blocks.ts';
import type { Place } from './pack.ts';
import { FailingDisk, scratchFolder } from './scratch.testkit.ts';

const CHILD = new URL('./killed.testkit.ts', import.meta.url);
/** Small, so that the contract walks over many files. */
const PACK_BYTES_MAX = 4_000;

blobStoreContract('folder', {
  async open() {
    const folder = await scratchFolder();
    const index = new MemoryBlobIndex();
    const options = { folder, index, packBytesMax: PACK_BYTES_MAX };
    let store = await openFolderBlobs(options);
    return {
      store,
      bytes: () => folderBytes(folder),
      async reopen() {
        await store.close();
        store = await openFolderBlobs(options);
        return store;
      },
      async damage(hash) {
        const [place] = (await index.get([hash])) as [PiecePlace];
        await spoil(store.packs.pathOf(place), place.at + place.length - 3);
      },
    };
  },
  async crash(steps) {
    const folder = await scratchFolder();
    const done = await killAfter(steps, CHILD, ['blobs', folder]);
    return { steps: done, store: (await openRebuilt(folder)).store };
  },
});

async function openRebuilt(folder: string) {
  const index = new MemoryBlobIndex();
  const store = await openFolderBlobs({ folder, index });
  return { store, index, rebuilt: await rebuildBlobIndex(store.packs, index) };
}

async function folderBytes(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function spoil(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] as number) ^ 0x55;
  await writeFile(path, bytes);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function blob(text: string): Body {
  return { hash: hashOf(text), bytes: Buffer.from(text) };
}

async function textOf(store: FolderBlobStore, text: string): Promise<string | undefined> {
  const body = await store.get(hashOf(text));
  return body && Buffer.from(body).toString();
}

it('folder blobs: the index is lost: made new from the packs, all bodies are back', async () => {
  const folder = await scratchFolder();
  const first = await openFolderBlobs({
    folder,
    index: new MemoryBlobIndex(),
    packBytesMax: 1_000,
  });
  const texts = Array.from({ length: 50 }, (_, i) => `body ${i}`);
  for (const text of texts) await first.put([blob(text)]);
  await first.close();
  const { store, rebuilt } = await openRebuilt(folder);
  assert.deepEqual(rebuilt, { bodies: 50, gaps: [] });
  for (const text of texts) assert.equal(await textOf(store, text), text);
  assert.deepEqual(await store.put(texts.map(blob)), new Array(50).fill(false));
  await store.close();
});

it('folder blobs: the bytes of a body are there before its index entry is', async () => {
  const folder = await scratchFolder();
  const memory = new MemoryBlobIndex();
  const checked: Place[] = [];
  const index: BlobIndex = {
    get: (hashes) => memory.get(hashes),
    async put(entries) {
      for (const { hash, place } of entries) {
        const body = Buffer.from(await readPiece(store.packs, place)).toString();
        assert.deepEqual(hashOf(body), hash);
        checked.push(place);
      }
      await memory.put(entries);
    },
    remove: (hashes) => memory.remove(hashes),
  };
  const store = await openFolderBlobs({ folder, index });
  await store.put([blob('a'), blob('b')]);
  assert.equal(checked.length, 2);
  await store.close();
});

it('folder blobs: an index that fails once: the error is told, the next put writes', async () => {
  const folder = await scratchFolder();
  const memory = new MemoryBlobIndex();
  let isDown = true;
  const index: BlobIndex = {
    get: (hashes) => memory.get(hashes),
    put: (entries) => (isDown ? Promise.reject(new Error('index down')) : memory.put(entries)),
    remove: (hashes) => memory.remove(hashes),
  };
  const store = await openFolderBlobs({ folder, index });
  await assert.rejects(store.put([blob('a')]), /index down/);
  isDown = false;
  assert.deepEqual(await store.put([blob('a')]), [true]);
  assert.equal(await textOf(store, 'a'), 'a');
  await store.close();
});

it('folder blobs: a power cut took bytes that the index knows: put writes them again', async () => {
  const folder = await scratchFolder();
  const index = new MemoryBlobIndex();
  const before = await openFolderBlobs({ folder, index });
  await before.put([blob('kept')]);
  await before.put([blob('lost')]);
  const [, lost] = await index.get([hashOf('kept'), hashOf('lost')]);
  await before.close();
  await truncate(before.packs.pathOf(lost as Place), (lost as Place).at + 5);
  const store = await openFolderBlobs({ folder, index });
  await assert.rejects(store.get(hashOf('lost')), { code: 'E_STORE_DAMAGED' });
  assert.deepEqual(await store.put([blob('kept'), blob('lost')]), [false, true]);
  assert.equal(await textOf(store, 'lost'), 'lost');
  await store.close();
});

it('folder blobs: the disk fills and is freed: nothing is lost, the same put succeeds', async () => {
  const disk = new FailingDisk();
  const options = { folder: await scratchFolder(), index: new MemoryBlobIndex() };
  const store = await openFolderBlobs({ ...options, openToWrite: disk.openToWrite });
  await store.put([blob('before')]);
  disk.left = 30;
  await assert.rejects(store.put([blob('a'), blob('b')]), {
    code: 'E_DISK_FULL',
    message: /no room left.*pack-000001\.orb/,
  });
  assert.equal(await textOf(store, 'before'), 'before');
  assert.equal(await textOf(store, 'a'), undefined);
  disk.left = 1_000;
  assert.deepEqual(await store.put([blob('a'), blob('b')]), [true, true]);
  await store.close();
  const { store: again, rebuilt } = await openRebuilt(options.folder);
  assert.deepEqual(rebuilt, { bodies: 3, gaps: [] });
  await again.close();
});

it('folder blobs: an index that points at another body: an error, never that body', async () => {
  const index = new MemoryBlobIndex();
  const store = await openFolderBlobs({ folder: await scratchFolder(), index });
  await store.put([blob('a')]);
  const [place] = (await index.get([hashOf('a')])) as [PiecePlace];
  await index.put([{ hash: hashOf('b'), place }]);
  await assert.rejects(store.get(hashOf('b')), { code: 'E_STORE_DAMAGED', message: /its hash/ });
  await store.close();
});

it('folder blobs: a body that is not what its hash says: an error', async () => {
  const store = await openFolderBlobs({
    folder: await scratchFolder(),
    index: new MemoryBlobIndex(),
  });
  await store.put([{ ...blob('a'), bytes: Buffer.from('forged') }]);
  await assert.rejects(store.get(hashOf('a')), { code: 'E_STORE_DAMAGED', message: /its hash/ });
  await store.close();
});

for (const codec of ['none', 'gzip', 'zstd'] as const) {
  it(`folder blobs: stored with ${codec}: read back, also where the default is another`, async () => {
    const folder = await scratchFolder();
    const index = new MemoryBlobIndex();
    const first = await openFolderBlobs({ folder, index, codec });
    const page = 'words of a page '.repeat(100);
    await first.put([blob(page), blob('short')]);
    await first.close();
    const again = await openFolderBlobs({ folder, index });
    assert.equal(await textOf(again, page), page);
    assert.equal(await textOf(again, 'short'), 'short');
    await again.close();
  });
}

it('folder blobs: a pack file removed by hand: its bodies are errors, the others are read', async () => {
  const index = new MemoryBlobIndex();
  const store = await openFolderBlobs({
    folder: await scratchFolder(),
    index,
    packBytesMax: 100,
  });
  await store.put([blob('first')]);
  await store.put([blob('second, in the next file, as the first one is full')]);
  const [place] = (await index.get([hashOf('first')])) as [PiecePlace];
  await rm(store.packs.pathOf(place));
  await assert.rejects(store.get(hashOf('first')), {
    code: 'E_STORE_DAMAGED',
    message: /pack-000001\.orb.*gone/,
  });
  const other = 'second, in the next file, as the first one is full';
  assert.equal(await textOf(store, other), other);
  await store.close();
});
