import { shardStoreContract } from '../../ports/shard-store.contract.ts';
import { MemoryShardStore } from './shard-store.ts';

shardStoreContract('memory', async () => ({ store: new MemoryShardStore() }));
