/**
 * Everything in memory: the reference that the other engines are measured against.
 *
 *   shard-store.ts   MemoryShardStore      blob-store.ts   MemoryBlobStore
 *   event-log.ts     MemoryEventLog        ownership.ts    localOwnership
 *   near-index.ts    MemoryNearIndex       comply-store.ts MemoryComplyStore
 *   job-book.ts      MemoryJobBook         shared-cache.ts MemorySharedCache
 *   arc-group.ts     MemoryGroup           tenures.ts      MemoryTenures
 *   erase-ledger.ts MemoryEraseLedger
 *   fenced-store.ts  fencedStore: one engine for the nodes of a simulated cluster
 *   seen-filter.ts   openMemoryFilter: also the filter of a real crawl, kept over a stop by
 *                    ../folder/filter-snapshot.ts
 *   address-turns.ts MemoryAddressTable: turns at addresses of the nodes of a simulated cluster
 *   due-index.ts     MemoryDueServer: what is due, beside the store of a simulated cluster
 *   maybe-filter.ts  maybeFilter: knows nothing, for a node of a ring
 */
export { MemoryAddressTable } from './address-turns.ts';
export { MemoryBlobStore } from './blob-store.ts';
export { MemoryComplyStore } from './comply-store.ts';
export { MemoryEraseLedger } from './erase-ledger.ts';
export { MemoryEventLog } from './event-log.ts';
export { MemoryJobBook } from './job-book.ts';
export { MemoryNearIndex } from './near-index.ts';
export { localOwnership } from './ownership.ts';
export { type MemoryFilterOptions, MemorySeenFilter, openMemoryFilter } from './seen-filter.ts';
export { MemoryShardStore } from './shard-store.ts';
export { MemorySharedCache } from './shared-cache.ts';
