/**
 * Words that every folder uses and that know nothing of crawling:
 *
 *   assert.ts   broken invariants          errors.ts   our world failing, in one table
 *   instant.ts  points in time
 */
export { assert, unreachable } from './assert.ts';
export { CrawlError, ERRORS, type ErrorCode } from './errors.ts';
export { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from './instant.ts';
