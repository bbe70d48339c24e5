/**
 * The engines of a crawl folder, opened together: a part of the composition root.
 *
 *   store/  → records, queue, near-index, denials     bodies/, traces/ → packs
 *   events/ → log                                     audit.jsonl      → trail of decisions
 *   warc/   → archive, where one is written
 */
import {
  contentRows,
  EmbeddedComplyStore,
  EmbeddedNearIndex,
  EmbeddedShardStore,
  Lsm,
  LsmBlobIndex,
  LsmMoves,
  LsmPayloadIndex,
  PARTS,
} from './adapters/embedded/index.ts';
import { openFolderBlobs } from './adapters/folder/blob-store.ts';
import { pathsOf } from './adapters/folder/crawl-folder.ts';
import { openFolderEvents } from './adapters/folder/event-log.ts';
import { Packs } from './adapters/folder/pack.ts';
import { TrailFile } from './adapters/folder/trail-file.ts';
import type { WarcArchive, WarcArchiveOptions } from './adapters/folder/warc-archive.ts';
import { systemClock } from './adapters/node/clock.ts';
import type { Settings } from './config/index.ts';
import type { BlobCodec } from './content/index.ts';
import { Compliance } from './crawl/comply.ts';
import { quietDesk } from './crawl/comply-desk.ts';
import { codecFrom } from './crawl/plan.ts';
import type { ArchivedPages } from './ports/archive.ts';
import type { Records } from './ports/records.ts';
import type { ShardStore } from './ports/shard-store.ts';
import { FLAGS, type HostKey, type UrlKey } from './record/index.ts';

export interface Engines<Store extends FolderStore = FolderStore> {
  readonly store: Store;
  readonly blobs: Awaited<ReturnType<typeof openFolderBlobs>>;
  readonly events: Awaited<ReturnType<typeof openFolderEvents>>;
  readonly near: EmbeddedNearIndex;
  readonly comply: EmbeddedComplyStore;
  readonly archive?: WarcArchive;
  /** What crawls archived into the folder, now or before. */
  readonly archived: ArchivedPages;
  purge(urls: readonly UrlKey[], hosts?: readonly HostKey[]): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A folder's own store, or that of a node of a ring (compose-ring-engines.ts). */
export type FolderStore = ShardStore & Records & Pick<EmbeddedShardStore, 'waitingPlaces'>;

export interface EngineOptions {
  readonly syncAlways: boolean;
  readonly codec: BlobCodec;
  /** To write an archive as the crawl goes (B6). */
  readonly archive?: Omit<WarcArchiveOptions, 'folder'>;
}

export function engineOptionsFrom(settings: Settings): EngineOptions {
  return { syncAlways: settings.store.sync === 'always', codec: codecFrom(settings) };
}

/** Opens what a folder holds; the LSM's lock makes sure that nobody else does. */
export function openEngines(
  dir: string,
  options: EngineOptions,
): Promise<Engines<EmbeddedShardStore>> {
  const { codec } = options;
  return openEnginesWith(dir, options, (lsm, traces) =>
    EmbeddedShardStore.open(lsm, traces, codec),
  );
}

export async function openEnginesWith<Store extends FolderStore>(
  dir: string,
  options: EngineOptions,
  openStore: (lsm: Lsm, traces: Packs) => Promise<Store>,
): Promise<Engines<Store>> {
  const paths = pathsOf(dir);
  const { syncAlways, codec } = options;
  const lsm = await Lsm.open({ dir: paths.store, syncAlways });
  try {
    const traces = await Packs.open({
      folder: paths.traces,
      moves: new LsmMoves(lsm, PARTS.traces),
    });
    const store = await openStore(lsm, traces);
    const blobs = await openFolderBlobs({
      folder: paths.bodies,
      index: new LsmBlobIndex(lsm),
      moves: new LsmMoves(lsm, PARTS.bodies),
      codec,
    });
    await blobs.wipeUnnamed();
    const events = await openFolderEvents({ folder: paths.events });
    const near = new EmbeddedNearIndex(lsm);
    const payloads = new LsmPayloadIndex(lsm);
    const besides = { folder: paths.warc, payloads, urlsOf: urlsIn(store) };
    const archive = options.archive && (await openArchive({ ...besides, ...options.archive }));
    const sync = async () => {
      await Promise.all([traces.sync(), blobs.sync(), archive?.sync()]);
      await lsm.sync();
    };
    const close = async () => {
      await near.close();
      await store.close();
      await Promise.all([traces.close(), blobs.close(), events.close(), archive?.close()]);
      await lsm.close();
    };
    const comply = new EmbeddedComplyStore(lsm, new TrailFile(paths.audit));
    const purge: Engines['purge'] = (urls, hosts) => lsm.purge(contentRows(urls, hosts));
    const archived = {
      remove: (fits: (url: string) => boolean) => {
        const work = async () => {
          const { eraseFromArchive } = await import('./adapters/folder/warc-erase.ts');
          return eraseFromArchive(paths.warc, fits, payloads);
        };
        return archive === undefined ? work() : archive.forgetting(work);
      },
    };
    const opened = { store, blobs, events, near, comply, archived, ...(archive && { archive }) };
    return { ...opened, purge, sync, close };
  } catch (error) {
    await lsm.close();
    throw error;
  }
}

/** What was erased is not named any more. */
function urlsIn(store: FolderStore): NonNullable<WarcArchiveOptions['urlsOf']> {
  return async (keys) => {
    const records = await store.urls(keys.map((key) => Buffer.from(key)));
    return records.map((one) => (one && (one.flags & FLAGS.erased) === 0 ? one.url : undefined));
  };
}

async function openArchive(options: WarcArchiveOptions): Promise<WarcArchive> {
  const { openWarcArchive } = await import('./adapters/folder/warc-archive.ts');
  return openWarcArchive(options);
}

/** Denials and holds, and the trail of who decided them. */
export function openCompliance(engines: Engines, { scope }: Settings): Promise<Compliance> {
  const { store } = engines;
  const around = { clock: systemClock(), records: store, canonical: scope };
  return Compliance.open({ ...engines, ...around }, quietDesk(store));
}
