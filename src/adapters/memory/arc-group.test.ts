import { arcGroupContract } from '../../ports/arc-group.contract.ts';
import { MemoryGroup } from './arc-group.ts';

arcGroupContract('memory', async () => {
  const group = new MemoryGroup();
  return { connect: async () => group.connect() };
});
