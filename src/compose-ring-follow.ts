/**
 * What a node of a ring does now and then: hears what others have said about jobs and counted,
 * tells which arcs it has, and notes whom it sees, for when it comes back.
 */
import type { RingNote } from './adapters/folder/ring-folder.ts';
import { SECOND_MS } from './base/instant.ts';
import { arcTeller } from './compose-cluster-follow.ts';
import type { RingEngines } from './compose-ring-engines.ts';
import { noteKeeper } from './compose-ring-enter.ts';
import type { CrawlNode, CrawlRequest } from './crawl/index.ts';
import type { RingCounts } from './crawl/ring-counts.ts';
import type { Clock } from './ports/clock.ts';
import type { Totals } from './ports/shard-store.ts';

const LOOK_MS = 2 * SECOND_MS;
/** The more nodes, the more there is to ask. */
const LOOK_MS_PER_NODE = SECOND_MS / 10;

export interface RingFollowing {
  readonly node: CrawlNode;
  readonly counts: RingCounts;
  readonly own: { totals: Totals };
  readonly engines: RingEngines;
  readonly clock: Clock;
  readonly dir: string;
  readonly note: RingNote | undefined;
  readonly onNews: CrawlRequest['onNews'];
}

export function followRing(parts: RingFollowing): { stop(): Promise<void> } {
  const { clock, engines } = parts;
  const stopped = new AbortController();
  const sayArcs = arcTeller(parts);
  const keepNote = noteKeeper(parts.dir, engines.ring, parts.note);
  const loop = async () => {
    while (!stopped.signal.aborted) {
      const others = engines.ring.report().successors.length;
      const nextAt = clock.now() + Math.max(LOOK_MS, others * LOOK_MS_PER_NODE);
      await clock.sleepUntil(nextAt, stopped.signal);
      if (stopped.signal.aborted) return;
      sayArcs();
      // A disk that fails shows at the next commit, too; there it is told.
      await Promise.all([look(parts), keepNote()]).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopped.abort();
      await Promise.race([running, clock.sleepUntil(clock.now() + SECOND_MS)]);
    },
  };
}

async function look({ node, counts, own, engines }: RingFollowing): Promise<void> {
  own.totals = await engines.store.totals();
  await counts.look();
  const { totals, jobs } = await counts.sums();
  node.settling.totals = totals;
  node.settling.jobs = jobs;
  await node.jobs?.shared?.look();
}
