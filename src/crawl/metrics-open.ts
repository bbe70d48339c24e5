/**
 * What a crawl needs to be measured, in two steps: ports that count, for the node to be opened
 * with, and, once there is a node, the metrics of both.
 */
import type { Resolver } from '../ports/resolver.ts';
import type { Vitals } from '../ports/vitals.ts';
import { type CrawlMetrics, crawlMetrics } from './metrics.ts';
import { Meter } from './metrics-meter.ts';
import { type CountedPorts, measured } from './metrics-ports.ts';
import { Shards, type WaitingPlaces } from './metrics-shards.ts';
import type { CrawlNode } from './node.ts';

export interface Metering {
  /** To be used in place of those that were given. */
  readonly ports: Pick<CountedPorts, 'http' | 'store' | 'events'>;
  metricsOf(node: CrawlNode, resolver: Resolver, vitals: Vitals): CrawlMetrics;
}

export function openMetering(ports: CountedPorts, places: WaitingPlaces): Metering {
  const meter = new Meter();
  const shards = new Shards(places);
  const { clock, filter } = ports;
  return {
    ports: measured(ports, meter, shards),
    metricsOf: (node, resolver, vitals) =>
      crawlMetrics({ node, meter, shards, resolver, filter, clock, vitals }),
  };
}
