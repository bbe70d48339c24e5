/**
 * PostgreSQL: the records of a crawl that several nodes share.
 *
 *   link.ts         a connection that comes back     problems.ts     what fails, and what to do
 *   steps.ts        tables, in numbered steps        schema.ts       taking them
 *   statements.ts   what a commit sends              arrays.ts       a batch as binary columns
 *   commit.ts       one commit                       columns.ts      rows as those columns
 *   writer.ts       commits, one after the other     counts.ts       sums, by writer
 *   fence.ts        only of arcs that are held       probe.ts        what `orb doctor` asks
 *   reads.ts        what is read                     rows.ts         rows as records
 *   shard-store.ts, tenures.ts, near-index.ts, job-book.ts, comply-store.ts, erase-ledger.ts  the ports
 *   engine.ts       all of them, for one node
 */
export { PostgresComplyStore } from './comply-store.ts';
export { openPostgres, type PostgresEngine } from './engine.ts';
export { PostgresEraseLedger } from './erase-ledger.ts';
export { PostgresJobBook } from './job-book.ts';
export type { PostgresOptions } from './link.ts';
export { PostgresNearIndex } from './near-index.ts';
export { PostgresShardStore, type ShardStoreOptions } from './shard-store.ts';
export { PostgresTenures } from './tenures.ts';
