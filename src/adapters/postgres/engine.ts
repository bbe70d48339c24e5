/**
 * All that a node of a cluster keeps in PostgreSQL, with five connections: one that writes, one
 * that reads, one for tenures, one for near-duplicates, one for what is rare (jobs, compliance).
 */
import { PostgresComplyStore } from './comply-store.ts';
import { PostgresEraseLedger } from './erase-ledger.ts';
import { PostgresJobBook } from './job-book.ts';
import { PostgresNearIndex } from './near-index.ts';
import { openLink } from './schema.ts';
import { PostgresShardStore, type ShardStoreOptions } from './shard-store.ts';
import { PostgresTenures } from './tenures.ts';

export interface PostgresEngine {
  readonly store: PostgresShardStore;
  readonly tenures: PostgresTenures;
  readonly near: PostgresNearIndex;
  readonly jobs: PostgresJobBook;
  readonly comply: PostgresComplyStore;
  readonly ledger: PostgresEraseLedger;
  close(): Promise<void>;
}

/** The tables are made, or taken forward, before anything is opened. */
export async function openPostgres(options: ShardStoreOptions): Promise<PostgresEngine> {
  const rare = await openLink(options);
  const opened: { close(): Promise<void> }[] = [rare];
  const close = async () => {
    for (const one of [...opened].reverse()) await one.close();
  };
  const keep = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.push(one);
    return one;
  };
  try {
    const store = keep(await PostgresShardStore.open(options));
    const tenures = keep(await PostgresTenures.open(options));
    const near = keep(await PostgresNearIndex.open(options));
    const [jobs, comply] = [new PostgresJobBook(rare), new PostgresComplyStore(rare)];
    const ledger = new PostgresEraseLedger(rare);
    return { store, tenures, near, jobs, comply, ledger, close };
  } catch (error) {
    await close();
    throw error;
  }
}
