import { complyStoreContract } from '../../ports/comply-store.contract.ts';
import { MemoryComplyStore } from './comply-store.ts';

complyStoreContract('memory', async () => ({ store: new MemoryComplyStore() }));
