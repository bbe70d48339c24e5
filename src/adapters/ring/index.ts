/**
 * The store of a ring's node, on the embedded engine: rows of the arcs that it owns and copies of
 * those it has seats of, in the same tables.
 *
 *   rows.ts        writes of arcs go through their logs       bodies.ts, read-bodies.ts   as bytes
 *   copies.ts      the port ArcCopies                          changes.ts  what a change comes to
 *   tables.ts      which rows are an arc's; buckets            sums.ts     copies compared
 *   sent.ts        a row as others have it                     saved.ts    an arc's state as a row
 *   arc-queue.ts   one write after the other, by arc           arc-table.ts   inbox and book
 *   shard-store.ts the port ShardStore: commit-steps.ts, owned-arcs.ts, arc-counts.ts
 */
export { ArcQueue } from './arc-queue.ts';
export { LsmArcTable } from './arc-table.ts';
export { LsmArcCopies } from './copies.ts';
export { type Epochs, RingRows } from './rows.ts';
export { RingStore, type RingStoreParts } from './shard-store.ts';
