/**
 * The engine of a cluster's records, whichever it is (B5): a part of the composition root. What
 * the two can do is the same; only how they are opened differs.
 */
import { openCassandra } from './adapters/cassandra/index.ts';
import { hasCassandraCrawl, probeCassandra } from './adapters/cassandra/probe.ts';
import { openPostgres } from './adapters/postgres/index.ts';
import { hasPostgresCrawl, probePostgres } from './adapters/postgres/probe.ts';
import type { RecordPlace } from './compose-cluster-places.ts';
import type { ComplyStore } from './ports/comply-store.ts';
import type { DueTruth } from './ports/due-index.ts';
import type { EngineCheck } from './ports/engine-check.ts';
import type { EraseLedger } from './ports/erase-ledger.ts';
import type { JobBook } from './ports/job-book.ts';
import type { NearIndex } from './ports/near-index.ts';
import type { Records } from './ports/records.ts';
import type { ShardStore } from './ports/shard-store.ts';
import type { Tenures } from './ports/tenures.ts';

export interface RecordEngine {
  readonly store: ShardStore & Records & DueTruth;
  readonly tenures: Tenures;
  readonly near: NearIndex;
  readonly jobs: JobBook;
  readonly comply: ComplyStore;
  readonly ledger: EraseLedger;
  close(): Promise<void>;
}

/** Without a holder: for whoever only reads. */
export function openRecords(place: RecordPlace, holder?: string): Promise<RecordEngine> {
  const whose = holder === undefined ? {} : { holder };
  return place.kind === 'postgres'
    ? openPostgres({ ...place.options, ...whose })
    : openCassandra({ ...place.options, ...whose });
}

/** Is there a crawl of this name? Makes nothing. */
export function hasCrawl(place: RecordPlace): Promise<boolean> {
  return place.kind === 'postgres'
    ? hasPostgresCrawl(place.options)
    : hasCassandraCrawl(place.options);
}

export function probeRecords(place: RecordPlace): Promise<readonly EngineCheck[]> {
  return place.kind === 'postgres' ? probePostgres(place.options) : probeCassandra(place.options);
}
