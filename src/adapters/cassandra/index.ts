/**
 * Cassandra: the records of a crawl that several nodes share (docs/cassandra.md).
 *
 *   link.ts         the driver, with patience        problems.ts    what fails, and what to do
 *   place.ts        where it is, from a URL          schema.ts      tables, in numbered steps
 *   draft.ts        one commit, thought through      statements.ts  the changes it can make
 *   intent.ts       a commit as bytes                log.ts         where it is decided
 *   fence.ts        only under a tenure              reads.ts       one partition at a time
 *   rows.ts, tenure-rows.ts   what rows say          sums.ts        counts, by writer
 *   open.ts         a link to tables of our version
 *   shard-store.ts, tenures.ts, near-index.ts, job-book.ts, comply-store.ts, erase-ledger.ts  the ports
 *   engine.ts       all of them for a node
 */
export { CassandraComplyStore } from './comply-store.ts';
export { type CassandraEngine, openCassandra } from './engine.ts';
export { CassandraEraseLedger } from './erase-ledger.ts';
export { CassandraJobBook } from './job-book.ts';
export type { CassandraOptions } from './link.ts';
export { CassandraNearIndex } from './near-index.ts';
export { CassandraShardStore, type CassandraStoreOptions } from './shard-store.ts';
export { CassandraTenures } from './tenures.ts';
