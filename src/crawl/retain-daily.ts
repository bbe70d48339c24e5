/** Retention while a crawl runs: when it starts, and each day that it goes on. */
import { DAY_MS } from '../base/instant.ts';
import { keepsAll, type RetentionPolicy } from '../comply/index.ts';
import type { Settings } from '../config/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Compliance } from './comply.ts';

export function retentionFrom({ store, regions }: Settings): RetentionPolicy {
  const { keepBodiesForMs, keepHeadersForMs, keepEventsForMs } = store;
  const regionsMs = new Map(regions.keepRegionFor.map(({ region, ms }) => [region, ms]));
  return {
    ...{ bodiesMs: keepBodiesForMs, headersMs: keepHeadersForMs, eventsMs: keepEventsForMs },
    regionsMs,
  };
}

/** A look that fails is made again the next day; what fails for good ends the crawl elsewhere. */
export function retainDaily(
  compliance: Compliance,
  policy: RetentionPolicy,
  clock: Clock,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const loop = async () => {
    while (!keepsAll(policy) && !stopped.signal.aborted) {
      await compliance.retain(policy).catch(() => undefined);
      await clock.sleepUntil(clock.now() + DAY_MS, stopped.signal);
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
