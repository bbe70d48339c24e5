/** Two desks for an erasure: at the side of a crawl that runs, and in a folder at rest. */
import { NOTHING, type ShardStore } from '../ports/shard-store.ts';
import { hostKeyOf, NO_BYTES } from '../record/index.ts';
import type { EraseDesk } from './erase.ts';
import type { Comeback } from './recrawl.ts';
import type { Settling } from './settle.ts';
import { Watch } from './watch.ts';

/** What is due must not be queued from a record that is being erased: it would be counted twice. */
export function runningDesk(settling: Settling, comeback: Comeback): EraseDesk {
  const commit: EraseDesk['commit'] = (erased) =>
    comeback.alone(() => settling.add({ erased, candidates: [], change: {} }));
  return {
    commit,
    untrace: (untraced) => settling.add({ untraced, candidates: [], change: {} }),
    forgetHosts: (left) => settling.forgetHosts(left),
    alone: (work) => settling.alone(work),
    breakOff: (fits) => settling.wire.breakOff(fits),
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
    forgetHosts: async (hosts) => {
      const robots = hosts.map(({ host }) => ({ host: hostKeyOf(host), records: [] }));
      const sketches = robots.map(({ host }) => ({ host, bytes: NO_BYTES }));
      await store.commit({ ...NOTHING, hosts, robots, sketches });
    },
    alone: (work) => work(),
    breakOff: async () => {},
    watch: () => ({ seen: new Watch(), stop: () => {} }),
  };
}
