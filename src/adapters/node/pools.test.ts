import { parserPoolContract } from '../../ports/parser-pool.contract.ts';
import { inlinePool } from './inline-pool.ts';
import { slicedPool } from './sliced-pool.ts';
import { workerPool } from './worker-pool.ts';

parserPoolContract('inline', inlinePool);
parserPoolContract('sliced', slicedPool);
parserPoolContract('worker', () => workerPool(2, 0));
parserPoolContract('worker, its first pages', () => workerPool(2));
