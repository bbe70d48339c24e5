/** Commits until it is killed: each names URLs on many hosts, so it changes many partitions. */
import { stepUntilKilled } from '../../src/ports/crash.contract.ts';
import { admitting, waitingFor } from '../../src/ports/shard-store.contract.rows.ts';
import { open } from './cassandra-place.ts';

export const URLS_PER_COMMIT = 24;

if (process.argv[2] !== undefined) {
  const store = await open({ crawl: process.argv[2] });
  await stepUntilKilled((nth) => {
    const urls = Array.from({ length: URLS_PER_COMMIT }, (_, n) =>
      waitingFor(`http://k${n}.example/${nth}`),
    );
    return store.commit(admitting(urls));
  });
}
