/**
 * Writes until it is killed: commits, each with URLs on many hosts, so that it changes many
 * partitions; or originals, for the contract's kill -9. `node … CRAWL [near]`
 */
import { CassandraNearIndex } from '../../src/adapters/cassandra/index.ts';
import { stepUntilKilled } from '../../src/ports/crash.contract.ts';
import { writeUntilKilled } from '../../src/ports/near-index.contract.ts';
import { admitting, waitingFor } from '../../src/ports/shard-store.contract.rows.ts';
import { open, place } from './cassandra-place.ts';

export const URLS_PER_COMMIT = 24;

const [crawl, what] = process.argv.slice(2);
if (crawl !== undefined && what === 'near') {
  await writeUntilKilled(await CassandraNearIndex.open(place({ crawl })));
} else if (crawl !== undefined) {
  const store = await open({ crawl });
  await stepUntilKilled((nth) => {
    const urls = Array.from({ length: URLS_PER_COMMIT }, (_, n) =>
      waitingFor(`http://k${n}.example/${nth}`),
    );
    return store.commit(admitting(urls));
  });
}
