import { complyStoreContract } from '../../ports/comply-store.contract.ts';
import { MemoryComplyStore } from './comply-store.ts';

complyStoreContract('memory', async () => {
  const store = new MemoryComplyStore();
  return { store, another: async () => store };
});
