import { shardStoreFence } from '../../ports/shard-store.contract.fence.ts';
import { shardStoreContract } from '../../ports/shard-store.contract.ts';
import { fencedStore } from './fenced-store.ts';
import { MemoryShardStore } from './shard-store.ts';
import { MemoryTenures } from './tenures.ts';

shardStoreContract('memory', async () => ({ store: new MemoryShardStore() }));

shardStoreFence('memory', async () => {
  let now = 1_000;
  const tenures = new MemoryTenures(() => now);
  const store = new MemoryShardStore();
  return {
    tenures,
    storeOf: async (holder) => fencedStore(store, tenures, holder),
    pass: async (ms) => {
      now += ms;
    },
    close: async () => {},
  };
});
