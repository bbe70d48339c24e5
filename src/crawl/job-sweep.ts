/**
 * The URLs of one job, some thousands at a time: back from the shelf when it goes on, forgotten
 * when it has ended. Nothing is held meanwhile: what a visit has in its hands is left to it, and
 * the store does each of these only to a URL that is still as it was read.
 */
import type { Frontier } from '../frontier/index.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { JobPlace, ShardStore } from '../ports/shard-store.ts';
import type { Waiting } from '../record/index.ts';
import type { Recent } from '../seen/index.ts';
import type { Settling } from './settle.ts';

export interface SweepSources {
  readonly store: ShardStore;
  /** Each node of a cluster sweeps what is its own. */
  readonly ownership: Pick<Ownership<unknown>, 'isMine'>;
  readonly node: {
    readonly frontier: Frontier;
    readonly settling: Settling;
    readonly recent: Recent;
  };
}

const ROWS_PER_STEP = 5_000;

/** Until `room` URLs are back, or none is left, or it is told to stop. */
export async function unshelve(
  sources: SweepSources,
  job: number,
  room: number,
  isOn: () => boolean,
): Promise<void> {
  const { settling } = sources.node;
  let left = room;
  for await (const urls of rowsOf(sources, job, 'shelf')) {
    if (!isOn() || left <= 0) return;
    const unshelved = urls.slice(0, Math.min(left, urls.length));
    left -= unshelved.length;
    await settling.add({ unshelved, candidates: [], change: {} });
  }
}

export async function forgetAll(
  sources: SweepSources,
  job: number,
  places: readonly JobPlace[],
  isOn: () => boolean,
): Promise<void> {
  const { frontier, settling, recent } = sources.node;
  for (const place of places) {
    for await (const urls of rowsOf(sources, job, place)) {
      if (!isOn()) return;
      const forgotten = urls.filter((url) => !frontier.isOut(url));
      for (const { url } of forgotten) recent.forget(url);
      await settling.add({ forgotten, candidates: [], change: {} });
    }
  }
}

async function* rowsOf(
  { store, ownership }: SweepSources,
  job: number,
  place: JobPlace,
): AsyncIterable<readonly Waiting[]> {
  for (let from: Buffer | undefined; ; ) {
    const { urls, next } = await store.ofJob(job, place, from, ROWS_PER_STEP);
    const mine = urls.filter(({ key }) => ownership.isMine(key));
    if (mine.length > 0) yield mine;
    if (next === undefined) return;
    from = next;
  }
}
