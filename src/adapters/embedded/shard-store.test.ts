import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { shardStoreContract } from '../../ports/shard-store.contract.ts';
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
