/** The store of a ring's node: the promises of every shard store (D4, D5). */
import { after } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { shardStoreFence } from '../../ports/shard-store.contract.fence.ts';
import { shardStoreContract } from '../../ports/shard-store.contract.ts';
import { MemoryTenures } from '../memory/tenures.ts';
import { OneNodeLog, openNode, tempFolders } from './one-node.testkit.ts';

const folders = tempFolders();
after(folders.remove);

shardStoreContract('ring', async () => {
  const dir = await folders.make();
  let node = await openNode(dir);
  const down = new CrawlError('E_STORE_DOWN', 'the test took the engine away', 'mend it');
  return {
    store: node.store,
    breakDown: async () => {
      const mend = node.breakDown(down);
      return async () => mend();
    },
    reopen: async () => {
      await node.close();
      node = await openNode(dir);
      return node.store;
    },
  };
});

shardStoreFence('ring', async () => {
  let now = 1_000;
  const tenures = new MemoryTenures(() => now);
  const node = await openNode(await folders.make());
  return {
    tenures,
    keepsWhole: true,
    // Nodes of a ring have rows of their own: here they have the same, as if all had a seat.
    storeOf: async (holder) => {
      const log = new OneNodeLog((arc) => (tenures.isHeldBy(arc, holder) ? 1 : undefined));
      return node.storeWith(log);
    },
    pass: async (ms) => {
      now += ms;
    },
    close: () => node.close(),
  };
});
