import { blobStoreContract } from '../../ports/blob-store.contract.ts';
import { MemoryBlobStore } from './blob-store.ts';

blobStoreContract('memory', {
  async open() {
    const store = new MemoryBlobStore();
    return { store, bytes: async () => store.size };
  },
});
