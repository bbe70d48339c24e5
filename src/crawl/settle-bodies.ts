/**
 * The bodies of a batch: which are stored, and when one is stored after all, or once more.
 */
import type { Archive } from '../ports/archive.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { FLAGS } from '../record/index.ts';
import { fingerprintOf, NO_COPY, orphansIn } from './copies.ts';
import type { Ending } from './ending.ts';
import type { Batch } from './settle-batch.ts';
import { foundOf, notice } from './settle-notice.ts';

interface BodyPorts {
  readonly blobs: BlobStore;
  readonly store: ShardStore;
  readonly archive?: Archive;
}

/**
 * All that is stored before the records: whatever dies here, the URLs come back. After the log:
 * a body that nobody names, because we died in between, could not be erased.
 */
export async function keepBodies(batch: Batch, { blobs, archive }: BodyPorts): Promise<void> {
  const { endings, copies } = batch;
  const isKept = (_: Ending, nth: number) => copies.of[nth]?.nearTo === undefined;
  const kept = endings.filter(isKept).flatMap((ending) => ending.body ?? []);
  const others = endings.flatMap(({ otherBodies = [] }) => otherBodies);
  const [written] = await Promise.all([
    batch.once('bodies', () => blobs.put([...kept, ...others])),
    archive && batch.once('archive', () => archive.put(endings.flatMap((e) => e.archived ?? []))),
  ]);
  batch.found = notice(endings, copies.of, written);
}

/**
 * Pages whose body was left out for the sake of one in the batch before, and that one was refused
 * or has failed: they are kept for themselves. Asked when that batch has ended.
 */
export async function keepOrphans(batch: Batch, { blobs, store }: BodyPorts): Promise<void> {
  const { noticed, copies } = batch;
  const orphans = await orphansIn(noticed, store);
  if (orphans.length === 0) return;
  const endings = orphans.map((nth) => noticed[nth]?.ending as Ending);
  const written = await blobs.put(endings.flatMap(({ body }) => body ?? []));
  let bodies = 0;
  const found = new Map(
    orphans.map((nth, i) => {
      const ending = endings[i] as Ending;
      const isWritten = ending.body !== undefined && written[bodies++] === true;
      return [nth, foundOf(ending, NO_COPY, isWritten)];
    }),
  );
  batch.found = noticed.map((one, nth) => found.get(nth) ?? one);
  const added = endings.flatMap((ending) => fingerprintOf(ending) ?? []);
  batch.copies = { ...copies, added: [...copies.added, ...added] };
}

/** Another node may have removed what it found that nobody named (erase-parts.ts). */
export async function putAgain({ endings }: Batch, { blobs }: BodyPorts): Promise<void> {
  const isNear = ({ settled }: Ending) =>
    ((settled?.record.flags ?? 0) & FLAGS.near_duplicate) !== 0;
  const own = endings.filter((ending) => !isNear(ending)).flatMap(({ body }) => body ?? []);
  const others = endings.flatMap(({ otherBodies = [] }) => otherBodies);
  await blobs.put([...own, ...others]);
}
