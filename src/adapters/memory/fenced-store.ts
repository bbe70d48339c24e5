/**
 * One memory engine for several nodes: each has a store of its own over the same rows, which
 * refuses what its node does not hold at that instant (promise 15 of the shard store).
 */
import { arcsIn, strangeArcs } from '../../ports/commit-arcs.ts';
import type { DueTruth } from '../../ports/due-index.ts';
import type { Records } from '../../ports/records.ts';
import type { ShardStore } from '../../ports/shard-store.ts';
import { NotOurs } from '../../ports/tenures.ts';
import type { MemoryTenures } from './tenures.ts';

export function fencedStore(
  store: ShardStore & Records & DueTruth,
  tenures: MemoryTenures,
  holder: string,
): ShardStore & Records & DueTruth {
  return {
    hosts: (range) => store.hosts(range),
    host: (key) => store.host(key),
    waiting: (host, after, limit) => store.waiting(host, after, limit),
    due: (until, limit, from, arcs) => store.due(until, limit, from, arcs),
    urls: (keys) => store.urls(keys),
    dueStates: (keys) => store.dueStates(keys),
    ofJob: (job, where, from, limit) => store.ofJob(job, where, from, limit),
    totals: () => store.totals(),
    jobs: () => store.jobs(),
    scan: (after, limit) => store.scan(after, limit),
    keys: (after, limit) => store.keys(after, limit),
    trace: (key) => store.trace(key),
    visited: (after, limit) => store.visited(after, limit),
    async commit(commit) {
      const lost = strangeArcs(arcsIn(commit), (arc) => tenures.isHeldBy(arc, holder));
      if (lost.length > 0) throw new NotOurs(lost);
      return store.commit(commit);
    },
    close: async () => {},
  };
}
