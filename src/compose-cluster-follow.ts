/**
 * What the other nodes of a cluster do, as far as this one must know: jobs that were paused or
 * ended, pages that were denied, counts of the whole crawl; and what it has to say of itself.
 */
import { SECOND_MS } from './base/instant.ts';
import type { ClusterEngines } from './compose-cluster-engines.ts';
import type { Compliance } from './crawl/comply.ts';
import type { ClusterErasing } from './crawl/erase-cluster.ts';
import type { CrawlNode, CrawlRequest } from './crawl/index.ts';
import type { Clock } from './ports/clock.ts';
import { ARCS, shareOf } from './url/index.ts';

/** A word about a job or a page has reached every node within two looks. */
const LOOK_MS = 2 * SECOND_MS;

export interface Following {
  readonly node: CrawlNode;
  readonly compliance: Compliance;
  readonly erasing: Pick<ClusterErasing, 'wake'>;
  readonly engines: ClusterEngines;
  readonly clock: Clock;
  readonly onNews: CrawlRequest['onNews'];
}

export function followOthers(parts: Following): { stop(): Promise<void> } {
  const { clock } = parts;
  const stopped = new AbortController();
  const sayArcs = arcTeller(parts);
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await clock.sleepUntil(clock.now() + LOOK_MS, stopped.signal);
      if (stopped.signal.aborted) return;
      sayArcs();
      // An engine that is away shows at the next commit, too; there it is told.
      await look(parts).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function look({ node, compliance, erasing, engines }: Following): Promise<void> {
  const { store } = engines.records;
  await node.jobs?.shared?.look();
  await compliance.refresh();
  erasing.wake();
  node.settling.totals = await store.totals();
  node.settling.jobs = await store.jobs();
}

/** Said when it is another number than before, and has stayed for a look. */
export function arcTeller({ node, onNews }: Pick<Following, 'node' | 'onNews'>): () => void {
  let said = 0;
  let before = 0;
  return () => {
    const now = ARCS * shareOf(node.arcs?.arcs ?? []);
    if (now === before && now !== said) {
      said = now;
      const text = `This node acts for ${now} of ${ARCS} arcs of the circle.`;
      onNews?.({ event: 'arcs', isBad: false, text });
    }
    before = now;
  };
}
