/** Two desks for an erasure: at the side of a crawl that runs, and in a folder at rest. */
import { NOTHING, type ShardStore } from '../ports/shard-store.ts';
import type { EraseDesk } from './erase.ts';
import type { Settling } from './settle.ts';

export function runningDesk(settling: Settling): EraseDesk {
  return {
    commit: (erased) => settling.add({ erased, candidates: [], change: {} }),
    untrace: (untraced) => settling.add({ untraced, candidates: [], change: {} }),
    alone: (work) => settling.alone(work),
    watch: () => settling.watch(),
  };
}

/** Nobody else writes there: the engine's lock sees to it. */
export function quietDesk(store: ShardStore): EraseDesk {
  return {
    commit: async (erased) => {
      await store.commit({ ...NOTHING, erased });
    },
    untrace: async (untraced) => {
      await store.commit({ ...NOTHING, untraced });
    },
    alone: (work) => work(),
    watch: () => ({ hashes: new Set(), stop: () => {} }),
  };
}
