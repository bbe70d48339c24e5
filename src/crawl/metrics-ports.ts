/**
 * Ports that count what goes through them. The path is walked as before and knows nothing of it:
 *
 *   http.exchange    how many, how long, what came          → Meter.exchanged
 *   store.commit     how long, what was settled and new     → Meter.visited, admissions, comeback
 *   store.due        how late the scheduler is              → Meter.oldestDueAt
 *   events.publish   links of a page                        → Meter.told
 */
import { SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Http } from '../ports/http.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import type { Commit, Committed, ShardStore } from '../ports/shard-store.ts';
import type { Meter } from './metrics-meter.ts';
import type { Shards } from './metrics-shards.ts';

export interface CountedPorts {
  readonly clock: Clock;
  readonly http: Http;
  readonly store: ShardStore;
  readonly events: EventLog;
  readonly filter: SeenFilter;
}

export function measured(
  ports: CountedPorts,
  meter: Meter,
  shards: Shards,
): Pick<CountedPorts, 'http' | 'store' | 'events'> {
  return {
    http: measuredHttp(ports.http, meter),
    store: measuredStore(ports, meter, shards),
    events: measuredEvents(ports.events, meter),
  };
}

function measuredHttp(http: Http, meter: Meter): Http {
  return {
    exchange: (request, signal) => {
      meter.inFlight++;
      return http.exchange(request, signal).then((outcome) => {
        meter.inFlight--;
        meter.exchanged(outcome);
        return outcome;
      });
    },
    close: () => http.close(),
  };
}

function measuredEvents(events: EventLog, meter: Meter): EventLog {
  return {
    publish: (told) => {
      for (const event of told) meter.told(event);
      return events.publish(told);
    },
    read: (after) => events.read(after),
    close: () => events.close(),
  };
}

function measuredStore({ clock, store, filter }: CountedPorts, meter: Meter, shards: Shards) {
  let isComplete = filter.stats().complete;
  const commit = async (batch: Commit): Promise<Committed> => {
    const startedAt = clock.now();
    // What the filter said was said before: an answer of a rebuilt filter is the next commit's.
    const wasComplete = isComplete;
    isComplete ||= filter.stats().complete;
    shards.beginCommit();
    try {
      const committed = await store.commit(batch);
      const now = clock.now();
      for (const settled of batch.settled) meter.visited(settled);
      meter.admissions(batch.admitted, committed.fresh, wasComplete);
      meter.comeback(batch.requeued, now);
      shards.committed(batch, committed.fresh);
      meter.commitSeconds.observe((now - startedAt) / SECOND_MS);
      return committed;
    } catch (error) {
      meter.commitsFailed++;
      throw error;
    } finally {
      shards.endCommit();
    }
  };
  return { ...delegated(store), due: lookedAt(store, meter), commit } satisfies ShardStore;
}

/** A look at everything that is due is the scheduler's; one from an instant on is for retries. */
function lookedAt(store: ShardStore, meter: Meter): ShardStore['due'] {
  return async (until, limit, from, arcs) => {
    const rows = await store.due(until, limit, from, arcs);
    if (from === undefined) meter.oldestDueAt = rows[0]?.at;
    return rows;
  };
}

function delegated(store: ShardStore): Omit<ShardStore, 'commit' | 'due'> {
  return {
    hosts: (range) => store.hosts(range),
    host: (key) => store.host(key),
    waiting: (host, after, limit) => store.waiting(host, after, limit),
    urls: (keys) => store.urls(keys),
    ...(store.stillDue && { stillDue: store.stillDue.bind(store) }),
    ofJob: (job, where, from, limit) => store.ofJob(job, where, from, limit),
    close: () => store.close(),
  };
}
