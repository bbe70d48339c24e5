/**
 * What a crawl needs to be measured, in two steps: ports that count, for the node to be opened
 * with, and, once there is a node, the metrics of both.
 */
import { type CrawlMetrics, type CrawlMetricsParts, crawlMetrics } from './metrics.ts';
import { Meter } from './metrics-meter.ts';
import { type CountedPorts, measured } from './metrics-ports.ts';
import { Shards, type WaitingPlaces } from './metrics-shards.ts';
import type { CrawlNode } from './node.ts';

type Rest = 'resolver' | 'vitals' | 'targetPerSecond' | 'ring';

export interface Metering {
  /** To be used in place of those that were given. */
  readonly ports: Pick<CountedPorts, 'http' | 'store' | 'events'>;
  readonly shards: Shards;
  metricsOf(node: CrawlNode, rest: Pick<CrawlMetricsParts, Rest>): CrawlMetrics;
}

export function openMetering(ports: CountedPorts, places?: WaitingPlaces): Metering {
  const meter = new Meter();
  const shards = new Shards(places);
  const { clock, filter } = ports;
  return {
    shards,
    ports: measured(ports, meter, shards),
    metricsOf: (node, rest) => crawlMetrics({ node, meter, shards, filter, clock, ...rest }),
  };
}
