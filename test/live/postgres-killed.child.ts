/** Writes originals until it is killed: the contract's kill -9. `node … URL SCHEMA` */
import { systemClock } from '../../src/adapters/node/clock.ts';
import { PostgresNearIndex } from '../../src/adapters/postgres/index.ts';
import { writeUntilKilled } from '../../src/ports/near-index.contract.ts';

const clock = systemClock();
const [url, schema] = process.argv.slice(2) as [string, string];
await writeUntilKilled(await PostgresNearIndex.open({ url, schema, clock }));
