import { addressTurnsContract } from '../../ports/address-turns.contract.ts';
import { MemoryAddressTable } from './address-turns.ts';

const FORGET_MS = 500;

addressTurnsContract('memory', async () => {
  let now = 1_000;
  const table = new MemoryAddressTable(() => now, FORGET_MS);
  const [one, two, three] = [table.connect('1'), table.connect('2'), table.connect('3')];
  return {
    ...{ one, two, three, forgetMs: FORGET_MS },
    forget: async () => table.forget(),
    pass: async (ms) => {
      now += ms;
    },
  };
});
