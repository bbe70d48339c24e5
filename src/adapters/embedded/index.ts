/**
 * The embedded engine: LevelDB in one folder, no server.
 *
 *   lsm.ts    the engine and its errors        keys.ts   the tables
 *   rows.ts   a URL's row                      shard-store.ts   the port
 *   blob-index.ts   where bodies lie           near-index.ts, near-rows.ts   originals
 *   comply-store.ts denials, holds, audit      moves.ts  records of the packs that moved
 *   payload-index.ts   where the archive has which payload
 */
export { LsmBlobIndex } from './blob-index.ts';
export { EmbeddedComplyStore } from './comply-store.ts';
export { contentRows } from './keys.ts';
export { Lsm, type LsmOptions } from './lsm.ts';
export { LsmMoves, PARTS } from './moves.ts';
export { EmbeddedNearIndex } from './near-index.ts';
export { LsmPayloadIndex } from './payload-index.ts';
export { EmbeddedShardStore } from './shard-store.ts';
