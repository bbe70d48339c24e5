import { eraseLedgerContract } from '../../ports/erase-ledger.contract.ts';
import { MemoryEraseLedger } from './erase-ledger.ts';

eraseLedgerContract('memory', async () => {
  const ledger = new MemoryEraseLedger();
  return { ledger, another: async () => ledger };
});
