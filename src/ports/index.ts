/**
 * The outside world and the engines, as promises. Each `x.ts` says what it promises; each
 * `x.contract.ts` proves it of any adapter.
 *
 *   what is remembered    shard-store   records   seen-filter   near-index   blob-store   event-log
 *                         archive       comply-store
 *   what nodes share      shared-cache   address-turns   due-index   erase-ledger
 *   other nodes of a ring peers
 *   who does what         ownership     parser-pool   lender       work-lender
 *   what people get       new-files     run-files     web-server
 *   what nobody else gets key-files
 *   the world outside     resolver   http   clock   random   machine   vitals   renderer
 */
export type { AddressTurns, Turn, TurnAnswer, TurnTerms } from './address-turns.ts';
export type { Archive, ArchivedFile, ArchivedPages, ArchiveFiles } from './archive.ts';
export type { BlobStore, Body } from './blob-store.ts';
export type { Clock } from './clock.ts';
export type { ComplyStore, SavedCompliance } from './comply-store.ts';
export type { DueAnswer, DueChange, DueIndex, DueRange, DueTruth } from './due-index.ts';
export type { EraseLedger, ErasePart } from './erase-ledger.ts';
export type { EventCursor, EventLog, LoggedEvent } from './event-log.ts';
export type { FetchLimits, Http, HttpRequest } from './http.ts';
export type { KeyFiles } from './key-files.ts';
export type { Fingerprint, NearIndex } from './near-index.ts';
export type { NewFile, NewFiles, ScratchFiles } from './new-files.ts';
export type { Ownership } from './ownership.ts';
export type { ParserPool } from './parser-pool.ts';
export type { Met, PeerCounts, Peers, Sent, Unsent } from './peers.ts';
export type { Random } from './random.ts';
export type { Records, ScannedUrl, StoredTrace } from './records.ts';
export type { Resolution, Resolver } from './resolver.ts';
export type { SeenFilter, SeenStats } from './seen-filter.ts';
export {
  type Admission,
  addTotals,
  type Commit,
  type Committed,
  type Due,
  type KeyRange,
  NO_TOTALS,
  type Settled,
  type ShardStore,
  type StoredHost,
  type Totals,
  type WaitingPlace,
  WHOLE_CIRCLE,
} from './shard-store.ts';
export type { CacheEntry, CacheKind, SharedCache } from './shared-cache.ts';
export type { VitalSigns, Vitals } from './vitals.ts';
