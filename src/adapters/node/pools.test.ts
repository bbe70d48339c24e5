import { parserPoolContract } from '../../ports/parser-pool.contract.ts';
import { inlinePool } from './inline-pool.ts';
import { workerPool } from './worker-pool.ts';

parserPoolContract('inline', inlinePool);
parserPoolContract('worker', () => workerPool(2));
