import { runFilesContract } from '../../ports/run-files.contract.ts';
import { MemoryRunFiles } from './run-files.ts';

runFilesContract('memory', async () => new MemoryRunFiles());
