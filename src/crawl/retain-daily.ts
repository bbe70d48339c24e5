/** Retention while a crawl runs: when it starts, and each day that it goes on. */
import { DAY_MS, HOUR_MS, type Instant } from '../base/instant.ts';
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

export interface Retaining {
  stop(): Promise<void>;
}

/** A look that fails is made again the next day; what fails for good ends the crawl elsewhere. */
export function retainDaily(
  compliance: Compliance,
  policy: RetentionPolicy,
  clock: Clock,
): Retaining {
  return repeatedly(clock, policy, DAY_MS, () => compliance.retain(policy));
}

/**
 * The same in a cluster: begun by the first node that finds a day over, and once for all of them;
 * then each lets go of what is in its own arcs (erase-cluster.ts).
 */
export function retainTogether(
  compliance: Compliance,
  policy: RetentionPolicy,
  clock: Clock,
): Retaining {
  return repeatedly(clock, policy, HOUR_MS, async () => {
    const isDue = clock.now() - (await lastBegun(compliance)) >= DAY_MS;
    if (isDue) await compliance.beginRetention();
  });
}

async function lastBegun(compliance: Compliance): Promise<Instant> {
  let at: Instant = 0;
  for await (const line of compliance.trail()) {
    if (line.action === 'retain' && line.phase === 'intent') at = Date.parse(line.at);
  }
  return at;
}

function repeatedly(
  clock: Clock,
  policy: RetentionPolicy,
  everyMs: number,
  work: () => Promise<unknown>,
): Retaining {
  const stopped = new AbortController();
  const loop = async () => {
    while (!keepsAll(policy) && !stopped.signal.aborted) {
      await work().catch(() => undefined);
      await clock.sleepUntil(clock.now() + everyMs, stopped.signal);
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
