import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { seedMention, waitingFrom } from '../../crawl/admit.ts';
import { shardStoreContract } from '../../ports/shard-store.contract.ts';
import { NOTHING } from '../../ports/shard-store.ts';
import { Packs } from '../folder/pack.ts';
import { EmbeddedShardStore, Lsm } from './index.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

async function openIn(dir: string) {
  const lsm = await Lsm.open({ dir: join(dir, 'store'), syncAlways: false });
  const traces = await Packs.open({ folder: join(dir, 'traces') });
  let isDown = false;
  const store = await EmbeddedShardStore.open(
    {
      write: (ops) => (isDown ? Promise.reject(down()) : lsm.write(ops)),
      getMany: (keys) => lsm.getMany(keys),
      rows: (range) => lsm.rows(range),
      keys: (range) => lsm.keys(range),
      keyRuns: (range, size) => lsm.keyRuns(range, size),
    },
    traces,
    'zstd',
  );
  const close = async () => {
    await store.close();
    await traces.close();
    await lsm.close();
  };
  const breakDown = async () => {
    isDown = true;
    return async () => {
      isDown = false;
    };
  };
  return { store, close, breakDown };
}

function down(): CrawlError {
  return new CrawlError('E_STORE_DOWN', 'the test took the engine away', 'mend it');
}

shardStoreContract('embedded', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'orb-embedded-'));
  folders.push(dir);
  let open = await openIn(dir);
  return {
    store: open.store,
    breakDown: () => open.breakDown(),
    reopen: async () => {
      await open.close();
      open = await openIn(dir);
      return open.store;
    },
  };
});

test('waiting places: a picture of when it was asked for, whatever is committed while it is read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'orb-embedded-'));
  folders.push(dir);
  const { store, close } = await openIn(dir);
  const admit = (from: number, to: number) => {
    const urls = Array.from({ length: to - from }, (_, i) => `http://h${from + i}.example/`);
    const waiting = urls.map((url) => waitingFrom(seedMention(url, 'page', 0.5), 0, 0));
    const admitted = waiting.map((one) => ({ waiting: one, maybeKnown: false }));
    return { keys: waiting.map(({ key }) => key), done: store.commit({ ...NOTHING, admitted }) };
  };
  const { keys, done } = admit(0, 500);
  await done;
  const picture = store.waitingPlaces();
  await admit(500, 900).done;
  const places: number[] = [];
  for await (const run of picture) places.push(...run);
  const expected = keys.map((key) => key[0] as number).sort((a, b) => a - b);
  assert.deepEqual(places, expected);
  await close();
});
