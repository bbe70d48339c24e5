/**
 * Lending on a ring (D6), a part of the composition root: what this node lends of its hosts, and
 * what it borrows of those whose arcs it keeps copies of. Both in all nodes: which of them is hot
 * changes by the minute.
 */
import type { Footing } from './compose-ports.ts';
import type { Settings } from './config/index.ts';
import type { CrawlNode } from './crawl/index.ts';
import * as plan from './crawl/plan.ts';
import { RingBorrowing } from './crawl/ring-borrow.ts';
import { RingLending } from './crawl/ring-lend.ts';
import type { RingNode } from './crawl/ring-node.ts';

export function openRingLending(
  ring: RingNode,
  node: CrawlNode,
  settings: Settings,
  { clock, metering }: Pick<Footing, 'clock' | 'metering'>,
): RingBorrowing {
  const around = { calls: ring, seats: ring, counts: ring.lends };
  new RingLending({ ...around, lending: node.lending });
  return new RingBorrowing({
    ...{ ...around, clock, http: metering.ports.http, worker: node.worker },
    ...{ region: plan.fetchRegionFrom(settings) ?? '', limits: plan.limitsFrom(settings) },
    concurrency: plan.concurrencyFrom(settings),
  });
}
