import { nearIndexContract } from '../../ports/near-index.contract.ts';
import { MemoryNearIndex } from './near-index.ts';

nearIndexContract('memory', async () => ({ index: new MemoryNearIndex() }));
