/**
 * All that a node of a cluster keeps in Cassandra, over two links: one with patience, and one
 * without, for the tenures.
 */
import { CassandraComplyStore } from './comply-store.ts';
import { CassandraEraseLedger } from './erase-ledger.ts';
import { CassandraJobBook } from './job-book.ts';
import { CassandraNearIndex } from './near-index.ts';
import { openLink } from './open.ts';
import { CassandraShardStore, type CassandraStoreOptions } from './shard-store.ts';
import { CassandraTenures } from './tenures.ts';

export interface CassandraEngine {
  readonly store: CassandraShardStore;
  readonly tenures: CassandraTenures;
  readonly near: CassandraNearIndex;
  readonly jobs: CassandraJobBook;
  readonly comply: CassandraComplyStore;
  readonly ledger: CassandraEraseLedger;
  close(): Promise<void>;
}

/** The tables are made, or taken forward, before anything is opened. */
export async function openCassandra(options: CassandraStoreOptions): Promise<CassandraEngine> {
  const { crawl } = options;
  const link = await openLink(options);
  const opened: { close(): Promise<void> }[] = [link];
  const close = async () => {
    for (const one of [...opened].reverse()) await one.close();
  };
  try {
    const tenures = await CassandraTenures.open(options);
    opened.push(tenures);
    const store = await CassandraShardStore.over(link, options);
    opened.push(store);
    const near = new CassandraNearIndex(link, crawl);
    const jobs = new CassandraJobBook(link, crawl);
    const comply = new CassandraComplyStore(link, crawl);
    const ledger = new CassandraEraseLedger(link, crawl);
    return { store, tenures, near, jobs, comply, ledger, close };
  } catch (error) {
    await close();
    throw error;
  }
}
