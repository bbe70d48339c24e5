/**
 * Virtual time:
 *
 *   clock.ts         time that passes when everybody sleeps
 *   local-crawl.ts   a whole crawl in it, every port in memory
 *   little-web.ts    a crawl of a few pages that a test holds in its hand
 *   run.ts           `npm run sim -- NAME`: those below, as tables
 *   waiting.ts       how long the URLs wait that nobody hurries for
 *   priority.ts      how much importance the first fetches hold, by order
 *   fresh.ts         how fresh a budget keeps pages that change at known rates
 */
export { VirtualClock } from './clock.ts';
export { type Sim, type SimOptions, simulate } from './local-crawl.ts';

/** What `npm run sim` can run, and what it tells. */
export const SIMULATIONS: Readonly<Record<string, string>> = {
  waiting: 'how long the URLs wait that nobody hurries for, and the bound',
  priority: 'how much importance the first fetches hold, by order',
  fresh: 'how fresh a budget keeps pages that change at known rates, by policy',
};
