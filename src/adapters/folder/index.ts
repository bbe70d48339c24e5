/**
 * What lies in the crawl folder beside the store's engine:
 *
 *   pack-000001.orb …      bodies                blob-store.ts → pack.ts, pack-record.ts
 *   pack.synced            whole up to here      pack.ts
 *   events-000001.jsonl …  one fetch a line      event-log.ts → lines.ts
 *   orb-….warc.gz …        what was answered     warc-archive.ts → warc-mend.ts, warc-erase.ts,
 *                                                warc-payloads.ts: what need not be written again,
 *                                                named-pages.ts: who named it
 *   audit.jsonl            who decided what      trail-file.ts
 *   a filter's snapshot    after a clean stop    filter-snapshot.ts
 *
 *   new-files.ts  what an export writes: under its name when it is whole
 *
 *   segments.ts   files in a row, of which the newest grows: under packs and events alike
 *                 (growing-file.ts writes, read-files.ts reads, turns.ts keeps the order)
 *   blob-index.ts where each body is, made new from the packs (pack-scan.ts)
 *   disk.ts       what a full, read-only or failing disk is called
 */
export { MemoryBlobIndex, type Rebuilt, rebuildBlobIndex } from './blob-index.ts';
export {
  type BlobEntry,
  type BlobIndex,
  type FolderBlobOptions,
  FolderBlobStore,
  openFolderBlobs,
} from './blob-store.ts';
export { diskError } from './disk.ts';
export { FolderEventLog, type FolderEventOptions, openFolderEvents } from './event-log.ts';
export { loadFilter, saveFilter } from './filter-snapshot.ts';
export { type PackOptions, Packs, type Place } from './pack.ts';
export type { PackRecord } from './pack-record.ts';
