/** Where the live tests of Cassandra keep their rows: one keyspace, a crawl of its own for each case. */
import { randomUUID } from 'node:crypto';
import {
  CassandraShardStore,
  type CassandraStoreOptions,
} from '../../src/adapters/cassandra/index.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { cassandra } from '../../tools/engines/index.ts';
import { liveEngine } from '../kit/live.ts';

export const { address, skip } = liveEngine(cassandra);
export const clock = systemClock();
/** Making tables takes longer than any case. */
export const KEYSPACE = 'orb_live';

export function place(more: Partial<CassandraStoreOptions> = {}): CassandraStoreOptions {
  const own = { url: address, keyspace: KEYSPACE, crawl: randomUUID(), clock };
  return { ...own, patienceMs: 5_000, ...more };
}

export function open(more: Partial<CassandraStoreOptions> = {}): Promise<CassandraShardStore> {
  return CassandraShardStore.open(place(more));
}
