/** The `ParserPool` port by a parser elsewhere, over real HTTP (K3). */
import { parserPoolContract } from '../../src/ports/parser-pool.contract.ts';
import { openRemotePool } from '../kit/reading.ts';

parserPoolContract('remote', openRemotePool);
