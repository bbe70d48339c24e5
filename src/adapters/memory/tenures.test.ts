import { tenuresContract } from '../../ports/tenures.contract.ts';
import { MemoryTenures } from './tenures.ts';

tenuresContract('memory', async () => {
  let now = 1_000;
  const tenures = new MemoryTenures(() => now);
  const pass = async (ms: number) => {
    now += ms;
  };
  return { tenures, other: async () => tenures, pass };
});
