/**
 * Virtual time:
 *
 *   clock.ts         time that passes when everybody sleeps
 *   local-crawl.ts   a whole crawl in it, every port in memory
 *   little-web.ts    a crawl of a few pages that a test holds in its hand
 *   cluster.ts       a cluster of nodes whose processes can be stopped (process.ts)
 *   ring-nodes.ts    a ring of nodes that crawl (ring-node-parts, ring-peers, memory-disk)
 *   run.ts           `npm run sim -- NAME`: those below, as tables
 *   waiting.ts       how long the URLs wait that nobody hurries for
 *   priority.ts      how much importance the first fetches hold, by order
 *   hot.ts           a hot host beside small ones, its arc split meanwhile
 *   ring.ts          ten thousand nodes of the ring under churn (ring-world, ring-churn, ring-truth,
 *                    ring-skips)
 *   fresh.ts         how fresh a budget keeps pages that change at known rates
 *   ring-crawl.ts    whole crawls on a ring whose nodes crash, freeze, join and leave, in several
 *                    processes (ring-crawl-jobs, progress)
 */
export { VirtualClock } from './clock.ts';
export { type Sim, type SimOptions, simulate } from './local-crawl.ts';

/** What `npm run sim` can run, and what it tells. */
export const SIMULATIONS: Readonly<Record<string, string>> = {
  waiting: 'how long the URLs wait that nobody hurries for, and the bound',
  priority: 'how much importance the first fetches hold, by order',
  hot: 'small hosts beside a hot one, whose arc is split meanwhile',
  ring: 'hops, right answers and the invariant of the ring, at 10,000 nodes',
  fresh: 'how fresh a budget keeps pages that change at known rates, by policy',
  'ring-crawl':
    'whole crawls on a ring whose nodes crash, freeze, join and leave, by mode; --jobs N at a time',
};
