/**
 * Time, as a port: real time in a crawl, virtual time in a simulation.
 *
 * Promises:
 *   1. now() never goes backwards, and is comparable with instants of other processes.
 *   2. sleepUntil(t) resolves at or after t, or at once when the signal aborts.
 */
import type { Instant } from '../base/instant.ts';

export interface Clock {
  now(): Instant;
  sleepUntil(at: Instant, signal?: AbortSignal): Promise<void>;
}
