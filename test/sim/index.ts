/**
 * Virtual time:
 *
 *   clock.ts         time that passes when everybody sleeps
 *   local-crawl.ts   a whole crawl in it, every port in memory
 */
export { VirtualClock } from './clock.ts';
export { type Sim, type SimOptions, simulate } from './local-crawl.ts';
