/**
 * PostgreSQL: the records of a crawl that several nodes share.
 *
 *   link.ts         a connection that comes back     problems.ts     what fails, and what to do
 *   schema.ts       tables, in numbered steps        arrays.ts       a batch as binary columns
 *   statements.ts   what a commit sends              columns.ts      rows as those columns
 *   commit.ts       one commit                       counts.ts       sums, by writer
 *   reads.ts        what is read                     rows.ts         rows as records
 *   shard-store.ts, comply-store.ts   the ports
 */
export { PostgresComplyStore } from './comply-store.ts';
export type { PostgresOptions } from './link.ts';
export { PostgresShardStore } from './shard-store.ts';
