/**
 * A ring of one node: its log gives numbers and keeps what is durable. It remembers the entries, as
 * the seats that there are not would get them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SavedArc } from '../../ports/arc-copies.ts';
import type { ArcLog, LogWrite } from '../../ports/arc-log.ts';
import { NotOurs } from '../../ports/tenures.ts';
import type { Position } from '../../ring/index.ts';
import { Lsm } from '../embedded/index.ts';
import { Packs } from '../folder/pack.ts';
import { ArcQueue, LsmArcCopies, RingRows, RingStore } from './index.ts';

const ME = '0000000000000001' as Position;

export interface Entries {
  readonly arc: number;
  readonly bodies: readonly Uint8Array[];
  readonly saved: SavedArc;
  readonly isAwaited: boolean;
}

export class OneNodeLog implements ArcLog {
  readonly epochOf: (arc: number) => number | undefined;
  /** Those that are durable. */
  readonly entries: Entries[] = [];
  /** Decides what becomes of a write that is durable. */
  keep: (written: Entries) => Promise<void> = async () => {};
  readonly #last = new Map<number, number>();

  constructor(epochOf: (arc: number) => number | undefined = () => 1) {
    this.epochOf = epochOf;
  }

  write(arc: number, bodies: readonly Uint8Array[], isAwaited: boolean): LogWrite {
    const epoch = this.epochOf(arc);
    if (epoch === undefined) throw new NotOurs([arc]);
    const index = (this.#last.get(arc) ?? 0) + bodies.length;
    this.#last.set(arc, index);
    const saved = savedAt(epoch, index);
    const written = { arc, bodies, saved, isAwaited };
    let isDurable = () => {};
    const durable = new Promise<void>((resolve) => {
      isDurable = resolve;
    });
    const kept = durable.then(() => {
      this.entries.push(written);
      return this.keep(written);
    });
    return { saved, isDurable, kept };
  }
}

function savedAt(epoch: number, index: number): SavedArc {
  const charter = { at: { epoch, index: 0 }, seats: [ME] };
  return { promised: epoch, votedFor: ME, at: { epoch, index }, charter, isChartered: true };
}

export interface OneNode {
  readonly lsm: Lsm;
  readonly log: OneNodeLog;
  readonly rows: RingRows;
  readonly copies: LsmArcCopies;
  readonly store: RingStore;
  /** Another that writes the same rows, by another log. */
  storeWith(log: ArcLog): Promise<RingStore>;
  /** Makes the engine fail until the end of it. */
  breakDown(error: Error): () => void;
  close(): Promise<void>;
}

export async function openNode(dir: string, log = new OneNodeLog()): Promise<OneNode> {
  const lsm = await Lsm.open({ dir: join(dir, 'store'), syncAlways: false });
  const traces = await Packs.open({ folder: join(dir, 'traces') });
  const queue = new ArcQueue();
  const rows = new RingRows(lsm, log, queue);
  const storeWith = (other: ArcLog) => {
    const own = new RingRows(lsm, other, queue);
    return RingStore.open({ rows: own, log: other, traces, codec: 'zstd' });
  };
  const store = await storeWith(log);
  const copies = new LsmArcCopies(lsm, queue);
  const write = lsm.write.bind(lsm);
  const breakDown = (error: Error) => {
    lsm.write = () => Promise.reject(error);
    return () => {
      lsm.write = write;
    };
  };
  const close = async () => {
    await store.close();
    await traces.close();
    await lsm.close();
  };
  return { lsm, log, rows, copies, store, storeWith, breakDown, close };
}

/** Folders for a test file, and how to remove them at its end. */
export function tempFolders() {
  const folders: string[] = [];
  return {
    make: async () => {
      const dir = await mkdtemp(join(tmpdir(), 'orb-ring-'));
      folders.push(dir);
      return dir;
    },
    remove: () => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))),
  };
}
