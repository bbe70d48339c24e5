/**
 * What became of a host or of a URL lately, from the log of all fetches: as much of its end as
 * can be looked through in a moment. Answers say how far back that was.
 */
import type { Instant } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';
import type { EventSearch } from '../ports/event-search.ts';

/** Some 600,000 fetches, looked through when somebody asks for the versions of a URL. */
const VERSIONS_BYTES = 256 * 1024 * 1024;
/** Some 150,000: a timeline is asked for again and again while its page is open. */
const TIMELINE_BYTES = 64 * 1024 * 1024;
const STEPS = 60;
const STEP_MS_MIN = 250;
/** The last fetches of a host, told one by one. */
const TOLD = 30;
const VERSIONS_MAX = 100;

export interface History {
  /** From when on the log was looked through; undefined when it has nothing. */
  readonly since: Instant | undefined;
  /** Nothing is older than that. */
  readonly isWhole: boolean;
}

/** The last fetches of a URL, newest first. */
export interface Versions extends History {
  readonly events: readonly FetchEvent[];
}

export async function versionsOf(log: EventSearch, url: string): Promise<Versions> {
  const found = new Map<string, FetchEvent>();
  const told = await log.search(`"url":${JSON.stringify(url)}`, VERSIONS_BYTES, (event) => {
    if (event.url !== url || event.kind === 'robots') return;
    found.set(event.id, event);
    if (found.size > VERSIONS_MAX) found.delete(found.keys().next().value as string);
  });
  return { ...told, events: newestFirst([...found.values()]) };
}

/** The log has them in the order in which they were settled. */
function newestFirst(events: FetchEvent[]): FetchEvent[] {
  return events.sort((a, b) => b.startedAt - a.startedAt);
}

/** One step of a timeline. */
export interface TimelineStep {
  readonly at: Instant;
  readonly fetched: number;
  readonly failed: number;
  readonly bytes: number;
  /** The longest pause that the host was owed. */
  readonly pauseMsMax: number;
}

export interface Timeline extends History {
  readonly stepMs: number;
  readonly steps: readonly TimelineStep[];
  /** The last fetches one by one, newest first. */
  readonly events: readonly FetchEvent[];
  readonly fetches: number;
}

export async function timelineOf(log: EventSearch, host: string, now: Instant): Promise<Timeline> {
  const fetches: FetchEvent[] = [];
  const seen: Pick<FetchEvent, 'startedAt' | 'status' | 'bytes' | 'delayMs'>[] = [];
  const told = await log.search(`"host":${JSON.stringify(host)}`, TIMELINE_BYTES, (event) => {
    if (event.host !== host) return;
    fetches.push(event);
    if (fetches.length > TOLD) fetches.shift();
    const { startedAt, status, bytes, delayMs } = event;
    seen.push({ startedAt, status, bytes, delayMs });
  });
  const from = seen.reduce((least, { startedAt }) => Math.min(least, startedAt), now);
  const stepMs = Math.max(STEP_MS_MIN, Math.ceil((now - from + 1) / STEPS));
  const steps = stepsOf(seen, Math.floor(from / stepMs) * stepMs, stepMs, now);
  return { ...told, stepMs, steps, events: newestFirst(fetches), fetches: seen.length };
}

function stepsOf(
  seen: readonly Pick<FetchEvent, 'startedAt' | 'status' | 'bytes' | 'delayMs'>[],
  from: Instant,
  stepMs: number,
  now: Instant,
): TimelineStep[] {
  if (seen.length === 0) return [];
  const count = Math.floor((now - from) / stepMs) + 1;
  const steps = Array.from({ length: count }, (_, i) => {
    return { at: from + i * stepMs, fetched: 0, failed: 0, bytes: 0, pauseMsMax: 0 };
  });
  for (const { startedAt, status, bytes, delayMs } of seen) {
    const step = steps[Math.min(count - 1, Math.floor((startedAt - from) / stepMs))];
    if (step === undefined) continue;
    if (status === 0 || status >= 400) step.failed++;
    else step.fetched++;
    step.bytes += bytes;
    step.pauseMsMax = Math.max(step.pauseMsMax, delayMs);
  }
  return steps;
}
